// SPDX-License-Identifier: BSD-3-Clause
#include "distance.hpp"

CLAROS_PLUGIN(FixtureDistance, claros::Kind::objective, "sound-distance", "", "1.0.0", "A sound objective.",
              "A fixture of the tests.", "")
