// SPDX-License-Identifier: BSD-3-Clause
#include "own_plugins.hpp"

using claros::Kind, claros::test::examine_all;

TEST_CASE("doctor: objectives of Claros") { examine_all(Kind::objective); }
TEST_CASE("doctor: losses of Claros") { examine_all(Kind::loss); }
TEST_CASE("doctor: smoothers of Claros") { examine_all(Kind::smoother); }
TEST_CASE("doctor: estimators of Claros") { examine_all(Kind::estimator); }
TEST_CASE("doctor: data of Claros") { examine_all(Kind::data); }
