// SPDX-License-Identifier: BSD-3-Clause
// A program that uses libclaros alone: its catalogue has no services (compose/program_services.hpp).
#include "small_host.hpp"

using namespace claros;
using namespace claros::test;

namespace {

const Catalog& plain_catalog() {
  static const Catalog catalog = [] {
    Catalog c;
    c.scan({{CLAROS_TEST_PLUGIN_DIR, "installation", true}});
    return c;
  }();
  return catalog;
}

Solver regression() {
  const std::vector<double> a = normals(1, 60), y = normals(2, 20);
  Solver solver(plain_catalog());
  solver.objective("linear-model").data(data_from_rows(a, 20, 3, y)).stop_when({{"iterations", 20}});
  return solver;
}

/// The one complaint of a solver.
std::string complaint(const Solver& solver) {
  const auto all = complaints_of(solver);
  REQUIRE(all.size() == 1);
  return all.front();
}

}  // namespace

TEST_CASE("without services: a named algorithm runs as it does with them") {
  const RunResult plain = regression().algorithm("proximal-gradient").solve();
  const std::vector<double> a = normals(1, 60), y = normals(2, 20);
  Solver served(build_catalog());
  served.objective("linear-model").data(data_from_rows(a, 20, 3, y)).algorithm("proximal-gradient");
  CHECK(plain.answer.to_dense() == served.stop_when({{"iterations", 20}}).solve().answer.to_dense());
}

TEST_CASE("without services: what needs them is refused with the way to have them") {
  const auto says = [](const std::string& text, const std::string& key) {
    INFO(text);
    CHECK(text.find(key) != std::string::npos);
    CHECK(text.find("standard_catalog()") != std::string::npos);
  };
  says(complaint(regression()), "algorithm.use");
  Solver several = regression();
  several.algorithm("frank-wolfe").constraint("l1-ball", {{"radius", 1}}).options({{"trials", 2}});
  says(complaint(several), "run.trials");
  Spec spec;
  spec.set("start.from", "mean-fill");
  spec.set("objective.use", "linear-model");
  spec.set("algorithm.use", "proximal-gradient");
  spec.set("stop.iterations", "5");
  const std::vector<double> a = normals(1, 60), y = normals(2, 20);
  Solver started(plain_catalog(), spec);
  says(complaint(started.data(data_from_rows(a, 20, 3, y))), "start.from");
}
