// SPDX-License-Identifier: BSD-3-Clause
// What a grid refuses before its first run: what each of its cells would be refused for alone, and data read
// once.
#include <claros/grids/comparison.hpp>
#include <claros/run/dry_start.hpp>

#include <set>

#include "compose_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

Comparison grid_of(const Words& assignments, const Words& varies) {
  Comparison grid;
  std::vector<Complaint> complaints;
  grid.spec = spec_of(assignments);
  grid.varies = read_varies(varies, "--vary", complaints);
  REQUIRE(complaints.empty());
  grid.cells = expand(grid.spec, grid.varies);
  return grid;
}

/// What `check` says of a grid, each sentence without the cells that it names.
std::set<std::string> told_of(Comparison& grid, const MessageSink& messages = {}) {
  ComparisonSettings settings;
  settings.messages = messages;
  std::set<std::string> sentences;
  try {
    check(build_catalog(), grid, settings);
  } catch (const Error& error) {
    for (Complaint complaint : error.complaints()) {
      complaint.what = complaint.what.substr(0, complaint.what.find(" [where "));
      sentences.insert(complaint.sentence());
    }
  }
  return sentences;
}

/// What `claros check` says of one cell, on an objective of its own.
void tell_alone(const Cell& cell, std::set<std::string>& sentences) {
  try {
    const Composition composition = compose(build_catalog(), cell.spec);
    dry_start(composition, run_settings(composition));
  } catch (const Error& error) {
    for (const Complaint& complaint : error.complaints()) sentences.insert(complaint.sentence());
  }
}

/// Twelve rows of three features with responses 0 and 1, which the objective tells how it takes.
Words model(const TestFolder& folder) {
  std::string rows;
  for (int i = 0; i < 12; ++i)
    rows += std::to_string(i % 2) + ',' + std::to_string(i) + ',' + std::to_string(i * i % 7) + '\n';
  folder.put("rows.csv", rows);
  return {"objective.use=linear-model",
          "objective.loss=logistic",
          "objective.header=no",
          "objective.response=1",
          "objective.data=" + (folder / "rows.csv").string(),
          "algorithm.use=proximal-gradient",
          "stop.iterations=3"};
}

}  // namespace

TEST_CASE("a grid is refused for what its cells would be refused for alone, in the same words") {
  const SmallProblem problem(3, 6, 5, 2, 20);
  const Words words = problem.words(4.0, {"estimator.replacement=no", "stop.iterations=3"});
  for (const Words& varies :
       {Words{"estimator.use=svrg,sg", "estimator.batch=2,1000,theory",
              "estimator.sampling=uniform,importance"},
        Words{"objective.loss=squared,robust", "estimator.use=svrg", "estimator.batch=2,1000"},
        Words{"estimator.use=svrg,sg", "set.radius=1,2"},
        Words{"run.seed=1,2", "estimator.use=saga", "estimator.batch=1000"}}) {
    Comparison grid = grid_of(words, varies);
    std::set<std::string> alone;
    for (const Cell& cell : grid.cells) tell_alone(cell, alone);
    const auto told = told_of(grid);
    CHECK(told == alone);
    CHECK(told.empty() == (varies.size() == 2 && varies[1] == "set.radius=1,2"));
  }
}

TEST_CASE("a grid reads the data that its cells share once") {
  const TestFolder folder;
  const Words words = model(folder);
  const auto readings = [&](const Words& varies) {
    int count = 0;
    Comparison grid = grid_of(words, varies);
    CHECK(told_of(grid, [&](Severity, const std::string& text) {
            count += text.find("responses") != text.npos;
          }).empty());
    return count;
  };
  CHECK(readings({"algorithm.accelerate=no,yes", "stop.epochs=1,2,3"}) == 1);
  // Whatever the order of the axes is.
  CHECK(readings({"objective.intercept=no,yes", "algorithm.accelerate=no,yes"}) == 2);
  CHECK(readings({"algorithm.accelerate=no,yes", "objective.intercept=no,yes"}) == 2);
  CHECK(readings({"algorithm.accelerate=no,yes", "run.seed=1,2,3"}) == 3);
}

TEST_CASE(
    "a grid that was checked has the seeds of its cells, and its runs are those of its specifications") {
  const SmallProblem problem(3, 6, 5, 2, 20);
  Comparison grid =
      grid_of(problem.words(4.0, {"estimator.use=sg", "estimator.batch=2", "stop.iterations=20"}),
              {"run.seed=5,6", "algorithm.step=agnostic,short"});
  REQUIRE(told_of(grid).empty());
  run(build_catalog(), grid, {});
  REQUIRE(grid.runs.size() == 4);
  for (const ComparisonRun& done : grid.runs) {
    const Cell& cell = grid.cells[done.cell];
    CHECK(done.seed == parse_integer(cell.values.front()));
    CHECK(done.measurement.value == run_composition(compose(build_catalog(), cell.spec)).measurement.value);
  }
}
