// SPDX-License-Identifier: BSD-3-Clause
#include "own_plugins.hpp"

using claros::Kind, claros::test::examine_all;

TEST_CASE("doctor: sets of Claros") { examine_all(Kind::set); }
