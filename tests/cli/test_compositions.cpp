// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <nlohmann/json.hpp>

using namespace claros::test;
using Json = nlohmann::json;

TEST_CASE("compositions: cells that no paper has") {
  const auto rows = Json::parse(ask("/", {"compositions", "--json"}).out);
  const auto cell = [&](const std::string& row, const std::string& column) {
    for (const auto& each : rows)
      if (each["row"] == row && each["column"] == column) return each;
    FAIL(row << " with " << column);
    return Json{};
  };
  CHECK(cell("sliding", "sag")["runs"] == true);
  CHECK(cell("generalized-conditional-gradient", "saga")["runs"] == true);
  CHECK(cell("dual-averaging", "svrg")["runs"] == true);
  for (const std::string loss : {"gamma", "huber", "logistic", "multinomial", "negative-binomial", "poisson",
                                 "robust", "squared", "squared-hinge", "tweedie"})
    for (const std::string estimator : {"casvrg", "caspider"})
      CHECK_MESSAGE(cell("linear-model, " + loss, estimator)["runs"] == true, loss, estimator);
  CHECK(contains(cell("dual-averaging", "momentum")["reason"], "unbiased"));
  CHECK(contains(cell("box", "prox-newton")["reason"], "as hard as the problem itself"));
  int refused = 0;
  for (const auto& each : rows) {
    if (each["runs"] == true) continue;
    ++refused;
    // A reason is a sentence, not a shrug.
    CHECK_MESSAGE(each["reason"].get<std::string>().size() > 40, each.dump());
    CHECK_FALSE(contains(each["reason"], "nothing is known"));
  }
  CHECK(refused > 50);
}

TEST_CASE("compositions: of one component, and in vain") {
  const auto page = ask("/", {"compositions", "saga"});
  CHECK(page.code == 0);
  CHECK(contains(page.out, "Algorithms and gradient estimators"));
  CHECK_FALSE(contains(page.out, "Penalties and sets"));
  CHECK_FALSE(contains(page.out, "casvrg"));
  CHECK(contains(ask("/", {"compositions", "sagga"}).err, "did you mean 'saga'?"));
  CHECK(ask("/", {"compositions", "--run", "--json"}).code == 2);
  // Data are in no table: nothing was run, so nothing passed.
  const auto nothing = ask("/", {"compositions", "synthetic", "--run"});
  CHECK(nothing.code == 1);
  CHECK(contains(nothing.out, "no composition was run"));
}
