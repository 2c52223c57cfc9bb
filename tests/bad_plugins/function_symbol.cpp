// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

FIXTURE_EXPORT int claros_plugin() { return 1; }
