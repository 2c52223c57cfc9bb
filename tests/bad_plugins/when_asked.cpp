// SPDX-License-Identifier: BSD-3-Clause
#include "acts.hpp"
#include "distance.hpp"

namespace {

struct WhenAsked final : FixtureDistance {
  using FixtureDistance::FixtureDistance;
  double value(const claros::Element& x) override {
    acts::CLAROS_ACT();
    return FixtureDistance::value(x);
  }
};

}  // namespace

CLAROS_PLUGIN(WhenAsked, claros::Kind::objective, "when-asked-" CLAROS_WORDS, "", "1.0.0",
              "Acts when its value is asked for.", "A fixture of the tests.", "")
