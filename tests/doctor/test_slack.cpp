// SPDX-License-Identifier: BSD-3-Clause
// Runs over a set of another plugin's author whose membership is an iteration, exact to the slack that it
// states.
#include <doctest/doctest.h>
#include <claros/compose/composition.hpp>

#include <string>
#include <vector>

using namespace claros;

namespace {

RunResult solved(const std::string& library, const std::string& algorithm) {
  Catalog catalog;
  catalog.scan({{CLAROS_TEST_PLUGIN_DIR, "installation", true}});
  catalog.load(std::string(CLAROS_PLANTED_DIR "/") + library + ".so");
  Spec spec;
  spec.assign(std::vector<std::string>{
      "objective.use=linear-model", "data.use=synthetic-regression", "data.rows=60", "data.cols=12",
      "data.nonzero=3", "set.use=planted-iterated", "set.radius=1", "algorithm.use=" + algorithm,
      "stop.relative_gap=1e-3", "stop.iterations=20000"});
  const Composition composition = compose(catalog, spec);
  return run(composition, run_settings(composition));
}

}  // namespace

TEST_CASE(
    "slack: vertices and solutions may lie outside by what membership is exact to, and the result says how "
    "far") {
  for (const std::string algorithm : {"frank-wolfe", "proximal-gradient", "blended-pairwise"}) {
    CAPTURE(algorithm);
    const RunResult r = solved("iterated", algorithm);
    CAPTURE(r.failure);
    CHECK(r.status == Status::relative_gap);
    CHECK(r.violation <= 7e-5);
    if (algorithm == "proximal-gradient") CHECK(r.violation > 1e-6);  // its solution lies on the sphere
    const RunResult unsaid = solved("iterated_unsaid", algorithm);
    CHECK(unsaid.status == Status::failed);
    CHECK(unsaid.failure.find("set/planted-iterated") != std::string::npos);
  }
}
