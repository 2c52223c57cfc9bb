// SPDX-License-Identifier: BSD-3-Clause
#include "acts.hpp"
#include "fixture.hpp"

namespace {

[[maybe_unused]] const int kDone = (acts::CLAROS_ACT(), 0);

}  // namespace

CLAROS_PLUGIN(Fixture, claros::Kind::set, "when-loaded-" CLAROS_WORDS, "", "1.0.0", "Acts when it is loaded.",
              "A fixture of the tests.", "")
