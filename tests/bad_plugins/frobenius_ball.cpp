// SPDX-License-Identifier: BSD-3-Clause
#include "ball.hpp"

CLAROS_PLUGIN(FixtureBall, claros::Kind::set, "frobenius-ball", "", "1.0.0", "A sound set.",
              "A fixture of the tests.", "")
