// SPDX-License-Identifier: BSD-3-Clause
#include "acts.hpp"
#include "fixture.hpp"

namespace {

struct WhenMade : claros::Component {
  using Options = Fixture::Options;
  static const claros::ParameterList& parameters() { return Fixture::parameters(); }
  WhenMade(const Options&, const claros::Context&) { acts::CLAROS_ACT(); }
  void* ability(std::string_view) noexcept override { return nullptr; }
};

}  // namespace

CLAROS_PLUGIN(WhenMade, claros::Kind::set, "when-made-" CLAROS_WORDS, "", "1.0.0", "Acts when it is made.",
              "A fixture of the tests.", "")
