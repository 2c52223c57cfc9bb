// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

CLAROS_PLUGIN(Fixture, claros::Kind::set, "rpath", "", "1.0.0", "Looks for libraries beside itself.",
              "A fixture of the tests.", "")
