// SPDX-License-Identifier: BSD-3-Clause
// Every plugin of this tree passes, kind by kind.
#include <doctest/doctest.h>
#include <claros/doctor/doctor.hpp>

using namespace claros;

namespace {

/// A machine that is shared, and a sanitizer, are no endless loops.
const doctor::Options kPatient{.limit = 600.0};

void examine_all(Kind kind) {
  Catalog catalog;
  catalog.scan({{CLAROS_TEST_PLUGIN_DIR, "installation", true}});
  REQUIRE(!catalog.names(kind).empty());
  for (const std::string& name : catalog.names(kind)) {
    const auto results = doctor::examine({.entry = catalog.at(kind, name), .catalog = &catalog}, kPatient);
    for (const doctor::Result& r : results)
      CHECK_MESSAGE(!r.failed(), std::string(kind_name(kind) + "/" + name + " " + r.text()));
    const doctor::Conclusion conclusion = doctor::conclude(kind, results);
    CHECK_MESSAGE(conclusion.verdict == doctor::Verdict::passed,
                  std::string(kind_name(kind) + "/" + name + " " + conclusion.text()));
  }
}

}  // namespace

TEST_CASE("doctor: objectives of Claros") { examine_all(Kind::objective); }
TEST_CASE("doctor: losses of Claros") { examine_all(Kind::loss); }
TEST_CASE("doctor: sets of Claros") { examine_all(Kind::set); }
TEST_CASE("doctor: penalties of Claros") { examine_all(Kind::penalty); }
TEST_CASE("doctor: smoothers of Claros") { examine_all(Kind::smoother); }
TEST_CASE("doctor: estimators of Claros") { examine_all(Kind::estimator); }
TEST_CASE("doctor: algorithms of Claros") { examine_all(Kind::algorithm); }
TEST_CASE("doctor: data of Claros") { examine_all(Kind::data); }
