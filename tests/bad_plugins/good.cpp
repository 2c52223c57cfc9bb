// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

CLAROS_PLUGIN(Fixture, claros::Kind::set, "good", "fine sound", "1.2.3", "A sound plugin.",
              "It does nothing, well.", "A paper, equation 1")
