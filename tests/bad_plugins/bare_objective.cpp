// SPDX-License-Identifier: BSD-3-Clause
// A component without the class of its kind.
#include "fixture.hpp"

FIXTURE_EXPORT const ClarosPlugin claros_plugin =
    spoiled("bare-objective", [](ClarosPlugin& p) { p.kind = claros::Kind::objective; });
