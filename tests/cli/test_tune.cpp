// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

using namespace claros::test;
using nlohmann::json;

namespace {

/// Frank-Wolfe steps of a fixed weight: too short a one is slow, too long a one overshoots.
Words tune(const Words& more) {
  Words words{"tune", "spec.ini", "algorithm.step=constant", "--quiet"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string value_of(const TestFolder& folder, const std::string& assignment) {
  const auto run = ask(folder.path(), {"run", "spec.ini", "algorithm.step=constant", assignment, "--json"});
  return json::parse(run.out).at("value").dump();
}

}  // namespace

TEST_CASE("tune: the best value at the end of the budget, as a line to paste") {
  const TestFolder folder;
  put_problem(folder);
  const auto outcome = ask(folder.path(), tune({"--over", "algorithm.weight=2^-9..2^0", "--out", "grid"}));
  CHECK(outcome.code == 0);
  const Words rows = lines(outcome.out);
  REQUIRE(rows.size() == 14);
  CHECK(rows[1].starts_with("2^-9 "));
  CHECK(rows[10].starts_with("2^0 "));
  CHECK(rows[12] == "best of 10 by the value at the end:");

  // The same choice, by hand.
  std::string best;
  double smallest = 1e300;
  for (int e = -9; e <= 0; ++e) {
    const std::string text = "algorithm.weight=2^" + std::to_string(e);
    if (const double value = json::parse(value_of(folder, text)); value < smallest)
      smallest = value, best = text;
  }
  CHECK(rows.back() == best);
  CHECK(ask(folder.path(), {"run", "spec.ini", "algorithm.step=constant", rows.back()}).code == 0);
  CHECK(json::parse(folder.get("grid/comparison.json")).at("cells").size() == 10);
}

TEST_CASE("tune: a best value at the end of its grid is reported") {
  const TestFolder folder;
  put_problem(folder);
  const auto outcome = ask(folder.path(), tune({"--over", "algorithm.weight=2^-20..2^-9"}));
  CHECK(outcome.code == 0);
  CHECK(contains(outcome.out,
                 "algorithm.weight=2^-9 is the largest of the grid: a better one may lie beyond it\n"));
  CHECK(lines(outcome.out).back() == "algorithm.weight=2^-9");
  const auto words = ask(folder.path(), {"tune", "spec.ini", "--quiet", "--over", "set.radius=5,40", "--over",
                                         "trace.on=true,false", "--json"});
  const json tuned = json::parse(words.out).at("tuned");
  CHECK(tuned.at("by") == "final");
  CHECK(tuned.at("best") == "set.radius=40 trace.on=true");
  CHECK(tuned.at("edges").size() == 1);  // words have no end
  CHECK(tuned.at("cell") == 2);
}

TEST_CASE("tune --to: the fewest passes to the target, and what misses it is not chosen") {
  const TestFolder folder;
  put_problem(folder);
  const Words over{"--over", "algorithm.weight=2^-9..2^0", "--to", "value=5"};
  Words as_json = over;
  as_json.push_back("--json");
  const json grid = json::parse(ask(folder.path(), tune(as_json)).out);
  double fewest = 1e300;
  std::string best;
  for (const json& cell : grid.at("cells")) {
    const json& run = cell.at("runs")[0];
    if (run.at("status") == "value" && run.at("passes") < fewest)
      fewest = run.at("passes"), best = cell.at("values")[0].get<std::string>();
  }
  REQUIRE_FALSE(best.empty());
  const auto outcome = ask(folder.path(), tune(over));
  CHECK(contains(outcome.out, "by the passes to the target:"));
  CHECK(lines(outcome.out).back() == "algorithm.weight=" + best);

  const auto none = ask(folder.path(), tune({"--over", "algorithm.weight=2^-9..2^-8", "--to", "value=1e-9"}));
  CHECK(none.code == 1);
  CHECK(lines(none.out).back() == "no run reached the target");
}

TEST_CASE("tune: a run that fails is not chosen; only when all fail the exit code is theirs") {
  const TestFolder folder;
  const Words words{"tune",
                    "objective.use=trouble",
                    "objective.after=5",
                    "set.use=nuclear-ball",
                    "set.radius=9",
                    "algorithm.use=frank-wolfe",
                    "stop.iterations=10",
                    "--plugin-path",
                    CLAROS_TROUBLE_DIR};
  Words some = words, all = words;
  some.insert(some.end(), {"--over", "objective.fail=data,never"});
  all.insert(all.end(), {"--over", "objective.fail=data,numerical"});
  const auto mixed = ask(folder.path(), some);
  CHECK(mixed.code == 0);
  CHECK(lines(mixed.out).back() == "objective.fail=never");
  const auto none = ask(folder.path(), all);
  CHECK(none.code == 4);
  CHECK(contains(none.out, "no run ended well"));
}

TEST_CASE("tune: everything wrong with the grid is said before the first run") {
  const TestFolder folder;
  put_problem(folder);
  const std::vector<std::pair<Words, std::string>> cases{
      {{}, "tune: no grid given"},
      {{"--over", "algorithm.weight"}, "expected section.key=a,b,c"},
      {{"--over", "algorithm.weight=2^-3..3^1"}, "expected a range, got '2^-3..3^1'"},
      {{"--over", "algorithm.weight=2^-3..1"}, "expected a range, got"},
      {{"--over", "algorithm.weight=2^-999..2^999"}, "at most 1000 values"},
      {{"--over", "algorithm.weight=0.1,0.1"}, "'0.1' twice"},
      {{"--over", "algorithm.wieght=0.1"}, "'weight'"},
      {{"--over", "algorithm.weight=0.1,7"}, "'7'"},
      {{"--over", "algorithm.weight=0.1", "--by", "best"},
       "'best' is not one of final, test_rmse, rmse_truth (the smallest"},
      {{"--over", "algorithm.weight=0.1", "--to", "3"},
       "'3' starts with none of value=, gap=, relative_gap=, residual="},
      {{"--over", "algorithm.weight=0.1", "--to", "passes=3"}, "'passes=3' starts with none of value="},
      {{"--over", "algorithm.weight=0.1", "--to", "relativ_gap=3"}, "did you mean 'relative_gap='?"},
      {{"--over", "algorithm.weight=0.1", "--to", "value=x"}, "'x'"},
      {{"--over", "algorithm.weight=0.1", "--to", "value=3", "--by", "final"},
       "cannot be combined with --by"},
  };
  for (const auto& [words, part] : cases) {
    const auto refused = ask(folder.path(), tune(words));
    CHECK(refused.code == 2);
    CHECK_MESSAGE(contains(refused.err, part), refused.err);
  }
}

TEST_CASE("tune: notes of components are printed once for all runs") {
  const TestFolder folder;
  const auto outcome =
      ask(folder.path(),
          {"tune", "data.use=synthetic-regression", "data.rows=20", "data.cols=5", "data.nonzero=2",
           "objective.use=linear-model", "set.use=l1-ball", "set.radius=2", "algorithm.use=frank-wolfe",
           "stop.iterations=3", "--verbose", "--over", "algorithm.step=agnostic,short"});
  CHECK(outcome.code == 0);
  const auto told = outcome.err.find("design of 20 x 5");
  REQUIRE(told != std::string::npos);
  CHECK(outcome.err.find("design of 20 x 5", told + 1) == std::string::npos);
}

TEST_CASE("tune --by test_rmse: the choice is that of the number on the test data, not of the value") {
  const TestFolder folder;
  put_problem(folder);
  folder.put("test.txt", "1 1 -3\n2 2 -3\n3 3 -3\n");  // far from the training data: the least fit is best
  const Words grid{"tune",
                   "spec.ini",
                   "--quiet",
                   "objective.test=test.txt",
                   "algorithm.step=auto",
                   "--over",
                   "set.radius=0.01,1,5",
                   "--json"};
  const auto best = [&](const Words& by) {
    const auto outcome = ask(folder.path(), with(grid, by));
    REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
    return json::parse(outcome.out).at("tuned");
  };
  CHECK(best({}).at("best") == "set.radius=5");
  CHECK(best({"--by", "test_rmse"}).at("best") == "set.radius=0.01");
  CHECK(best({"--by", "test_rmse"}).at("by") == "test_rmse");
  const auto without =
      ask(folder.path(), {"tune", "spec.ini", "--quiet", "--over", "set.radius=1,5", "--by", "test_rmse"});
  CHECK(without.code == 1);
  CHECK(contains(without.out, "give objective.test"));
}
