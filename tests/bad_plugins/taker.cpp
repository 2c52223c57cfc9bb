// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

// What `good` is called, and what it is called as well.
CLAROS_PLUGIN(Fixture, claros::Kind::set, "fine", "good sound other", "1.0.0", "Takes another's names.",
              "A fixture of the tests.", "")
