// SPDX-License-Identifier: BSD-3-Clause
#include "distance.hpp"
#include "hang.hpp"

class HangingGradient final : public FixtureDistance {
 public:
  using FixtureDistance::FixtureDistance;

 private:
  void spoil_gradient(claros::Element&) const override { hang(); }
};

CLAROS_PLUGIN(HangingGradient, claros::Kind::objective, "hanging-gradient", "", "1.0.0",
              "Never returns from a gradient.", "A fixture of the tests.", "")
