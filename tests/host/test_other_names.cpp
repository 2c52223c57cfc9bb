// SPDX-License-Identifier: BSD-3-Clause
// The table of names of other libraries: sound, and the one of the guide.
#include "small_host.hpp"

#include <claros/compose/composition.hpp>
#include <claros/other_names.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

using namespace claros;

TEST_CASE("other names: none is a name of Claros, and what each means exists") {
  const Catalog& known = claros::test::build_catalog();
  std::set<std::string> seen;
  for (const OtherName& other : other_names()) {
    CAPTURE(other.written());
    CHECK(seen.insert(other.written()).second);
    CHECK(other.means.empty() != other.advice.empty());
    const bool loss = other.section == "objective.loss";
    const auto kind = loss ? std::optional(Kind::loss) : parse_kind(other.section);
    if (!other.value.empty() && kind) CHECK(known.find(*kind, other.value) == nullptr);
    if (other.value.empty() && kind)
      for (const std::string& name : known.names(*kind))
        CHECK(known.find(*kind, name)->parameters().find(other.key) == nullptr);
    for (const std::string& meaning : other.means) {
      const auto equals = meaning.find('='), dot = meaning.substr(0, equals).rfind('.');
      const std::string section = meaning.substr(0, dot), key = meaning.substr(dot + 1, equals - dot - 1),
                        value = meaning.substr(equals + 1);
      const auto role = key == "loss" ? std::optional(Kind::loss) : parse_kind(section);
      const bool names_component = key == "use" || key == "loss";
      if (role && names_component && value != "*") CHECK(known.find(*role, value) != nullptr);
    }
  }
}

TEST_CASE("other names: a host has them too") {
  const Catalog& known = claros::test::build_catalog();
  Spec spec;
  spec.set("algorithm.use", "fista");
  spec.set("stop.max_iter", "5");
  std::string said;
  const Spec own =
      with_own_names(known, spec, [&](Severity, const std::string& text) { said += text + '\n'; });
  CHECK(own.get("algorithm", "use")->value == "proximal-gradient");
  CHECK(own.get("algorithm", "accelerate")->value == "yes");
  CHECK(own.get("stop", "iterations")->value == "5");
  CHECK_FALSE(own.get("stop", "max_iter"));
  CHECK(said.find("algorithm.use=fista: ") != said.npos);
  const Error error = with_remedies(
      Error(ErrorKind::usage, "stop.tol", "[stop] has no parameter 'tol'", "did you mean 'lo'?"));
  CHECK(error.complaints().front().remedy.find("stop.relative_gap") != std::string::npos);
}

TEST_CASE("other names: the command line goes before what a file says by the names of Claros") {
  const Catalog& known = claros::test::build_catalog();
  int tried = 0;
  for (const OtherName& other : other_names()) {
    const std::string section = other.section == "objective.loss" ? "objective" : other.section,
                      place = section + '.' + (other.section == "objective.loss" ? "loss" : other.key);
    if (other.means.empty() || section.empty()) continue;
    CAPTURE(other.written());
    const std::string value = other.value.empty() ? "7" : other.value;
    Spec alone;
    try {
      alone.set(place, value, "command line");
    } catch (const Error&) {
      continue;  // a name in one component's section
    }
    const Spec meant = with_own_names(known, alone, {});
    Spec file;
    std::vector<Setting> all;
    for (const std::string& in : meant.sections())
      for (const Setting& setting : meant.settings(in)) all.push_back(setting);
    for (Setting setting : all) {
      if (setting.key == "use" || setting.key == "loss") continue;
      setting.value = "other", setting.where = "fit/spec.ini:3";
      file.put(setting);
    }
    Spec beside(file);
    file.set(place, value, "command line");
    const Spec got = with_own_names(known, file, {});
    for (const Setting& setting : all) CHECK(got.get(setting.section, setting.key)->value == setting.value);
    if (!other.value.empty() || meant.get(section, other.key)) continue;
    ++tried;
    for (const Setting& setting : all) beside.set(setting.section + '.' + setting.key, "8", "command line");
    beside.set(place, value, "command line");
    std::string said;
    try {
      (void)with_own_names(known, beside, {});
    } catch (const Error& error) {
      said = error.what();
    }
    CHECK(said.find("write one of them") != said.npos);
  }
  CHECK(tried > 20);
}

TEST_CASE("other names: the guide has the table of the library") {
  std::ifstream in(CLAROS_OTHER_NAMES_PAGE, std::ios::binary);
  std::string page(std::istreambuf_iterator<char>(in), {});
  const auto from = page.find("| name |");
  REQUIRE(from != page.npos);
  if (std::getenv("CLAROS_UPDATE_TEXTS")) {
    page = page.substr(0, from) + other_names_table();
    std::ofstream(CLAROS_OTHER_NAMES_PAGE, std::ios::binary) << page;
  }
  CHECK(page.substr(from) == other_names_table());
}
