// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

CLAROS_PLUGIN(Fixture, claros::Kind::set, "sanitized", "", "1.0.0", "A fixture.", "Sanitized.", "")
