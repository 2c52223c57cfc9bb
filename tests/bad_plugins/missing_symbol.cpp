// SPDX-License-Identifier: BSD-3-Clause
#include "fixture.hpp"

FIXTURE_EXPORT const int something_else = 1;
