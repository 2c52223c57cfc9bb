// SPDX-License-Identifier: BSD-3-Clause
// A solution as people read it: by names if the data have them, in the terminal, in solution.csv, drawn.
#include "program.hpp"

using namespace claros::test;

namespace {

const std::string kCosts = "worker,dig,paint,weld\nAnn,4,1,3\nBob,2,0,5\nCem,3,2,2\n";

Outcome solved(const TestFolder& folder, const Words& words) {
  fs::remove_all(folder / "fit");
  const auto outcome = ask(folder.path(), with(words, {"--out", "fit"}));
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  return outcome;
}

/// The table under the summary.
std::string shown(const Outcome& outcome) {
  const auto at = outcome.out.find("\n\n");
  return at == outcome.out.npos ? "" : outcome.out.substr(at + 2);
}

}  // namespace

TEST_CASE("solution: an assignment is a list of pairs with the names of its table") {
  const TestFolder folder;
  folder.put("costs.csv", kCosts);
  const auto outcome =
      solved(folder, {"run", "objective.use=linear", "objective.data=costs.csv", "set.use=birkhoff"});
  CHECK(shown(outcome) == "row  column\nAnn  paint\nBob  dig\nCem  weld\n");
  CHECK(folder.get("fit/solution/solution.csv") == "row,column,value\nAnn,paint,1\nBob,dig,1\nCem,weld,1\n");
  check_mentions(ask(folder.path(), {"plot", "fit", "--solution"}).out, {"Ann -> paint", "Cem -> weld"});
}

TEST_CASE(
    "solution: the columns of a square table without row names name its rows only if they are the same") {
  const TestFolder folder;
  folder.put("costs.csv", "dig,paint,weld\n4,1,3\n2,0,5\n3,2,2\n");
  folder.put("covariances.csv", "left,right\n2,1\n1,3\n");
  (void)solved(folder, {"run", "objective.use=linear", "objective.data=costs.csv", "set.use=birkhoff"});
  CHECK(folder.get("fit/solution/solution.csv") == "row,column,value\n1,paint,1\n2,dig,1\n3,weld,1\n");
  (void)solved(folder, {"run", "objective.use=distance", "objective.data=costs.csv", "penalty.use=l1",
                        "penalty.lambda=1"});
  check_mentions(folder.get("fit/solution/solution.csv"), {"\n1,dig,3\n"});
  (void)solved(folder, {"run", "objective.use=log-det", "objective.data=covariances.csv", "penalty.use=l1",
                        "penalty.lambda=0.1", "stop.residual=1e-6"});
  check_mentions(folder.get("fit/solution/solution.csv"), {"\nleft,left,", "\nright,left,"});
}

TEST_CASE("solution: the weights of a portfolio have the names of the columns, from covariances and prices") {
  const TestFolder folder;
  folder.put("covariances.csv", "\"\",left,right\nleft,1,0\nright,0,3\n");
  folder.put("returns.csv", "Date,left,right\n2024-01-02,1,0\n2024-01-03,-1,3\n2024-01-04,1,-3\n");
  const Words simplex{"set.use=simplex", "set.radius=1", "stop.relative_gap=1e-9"};
  const auto by_matrix =
      solved(folder, with({"run", "objective.use=quadratic", "objective.data=covariances.csv"}, simplex));
  CHECK(shown(by_matrix) == "name   value\nleft   0.75\nright  0.25\n");
  const auto by_samples = solved(
      folder, with({"run", "objective.use=quadratic", "objective.data=returns.csv", "objective.form=samples"},
                   simplex));
  check_mentions(shown(by_samples), {"left", "right"});
  check_mentions(folder.get("fit/solution/solution.csv"), {"name,value\nleft,", "\nright,"});
}

TEST_CASE("solution: without names entries have numbers, and what no reader takes in is not printed") {
  const TestFolder folder;
  folder.put("few.txt", "3\n-1\n0\n");
  std::string many;
  for (int k = 0; k < 60; ++k) many += std::to_string(k % 7 - 3.5) + '\n';
  folder.put("many.txt", many);
  const Words l1{"penalty.use=l1", "penalty.lambda=0.5"};
  const auto few = solved(folder, with({"run", "objective.use=distance", "objective.data=few.txt"}, l1));
  CHECK(shown(few) == "entry  value\n1      2.5\n2      -0.5\n3      0\n");
  CHECK(folder.get("fit/solution/solution.csv") == "name,value\n1,2.5\n2,-0.5\n3,0\n");
  const auto more = solved(folder, with({"run", "objective.use=distance", "objective.data=many.txt"}, l1));
  CHECK(shown(more) == "");
  CHECK(lines(folder.get("fit/solution/solution.csv")).size() == 61);
}

TEST_CASE("solution: a linear model has its coefficients in solution.csv too, with zeros and the intercept") {
  const TestFolder folder;
  folder.put("cars.csv", "age,noise,price\n1,2,9\n2,1,8\n3,2,7\n4,1,6\n5,3,5\n6,1,4\n");
  (void)solved(folder, {"run", "objective.use=linear-model", "objective.data=cars.csv", "penalty.use=l1",
                        "penalty.lambda=0.3max"});
  const Words rows = lines(folder.get("fit/solution/solution.csv"));
  REQUIRE(rows.size() == 4);
  CHECK(rows[0] == "name,value");
  CHECK(rows[1].starts_with("age,-"));
  CHECK(rows[2] == "noise,0");
  CHECK(rows[3].starts_with("intercept,"));
}

TEST_CASE("solution: a table of names is read by every objective of a matrix") {
  const TestFolder folder;
  folder.put("table.csv", kCosts);
  folder.put("bare.csv", "4,1,3\n2,0,5\n3,2,2\n");
  for (const Words& words :
       {Words{"objective.use=linear", "set.use=birkhoff"},
        Words{"objective.use=distance", "penalty.use=nuclear", "penalty.lambda=1"},
        Words{"objective.use=covariance", "penalty.use=l1", "penalty.lambda=1"},
        Words{"objective.use=quadratic", "objective.form=samples", "set.use=simplex", "set.radius=1"}}) {
    CAPTURE(words.front());
    std::string x[2];
    for (const int named : {0, 1}) {
      (void)solved(folder, with(with({"run"}, words),
                                {std::string("objective.data=") + (named ? "table.csv" : "bare.csv"),
                                 "stop.iterations=20"}));
      const char* file =
          fs::exists(folder / "fit/solution/x.mtx") ? "fit/solution/x.mtx" : "fit/solution/s.mtx";
      x[named] = folder.get(file);
    }
    CHECK(x[0] == x[1]);
  }
}

TEST_CASE("solution: labels of pandas that are numbers are refused, for they would be entries") {
  const TestFolder folder;
  folder.put("frame.csv", ",0,1\n0,1.5,2\n1,3,4\n");
  const auto outcome = ask(folder.path(), {"run", "objective.use=distance", "objective.data=frame.csv",
                                           "penalty.use=l1", "penalty.lambda=1"});
  CHECK(outcome.code == 4);
  check_mentions(outcome.err, {"labels of pandas", "index=False"});
}

TEST_CASE("notes: those without a decision are printed with --verbose alone, and errors keep their weight") {
  const TestFolder folder;
  folder.put("cars.csv", "age,price\n1,9\n2,8\n3,7\n4,6.5\n");
  const Words fit{"run", "objective.use=linear-model", "objective.data=cars.csv"};
  const auto usual = ask(folder.path(), fit), all = ask(folder.path(), with(fit, {"--verbose"}));
  for (const char* detail : {"design of 4 x 1", "stop: no rule given", "preparing"}) {
    CAPTURE(detail);
    CHECK((usual.err + usual.out).find(detail) == std::string::npos);
    CHECK((all.err + all.out).find(detail) != std::string::npos);
  }
  check_mentions(usual.err, {"note: ", "objective.intercept = no", "until residual = 1e-06"});
}

TEST_CASE("opening: a penalty of neighbours in a picture says its direction") {
  const TestFolder folder;
  folder.put("picture.csv", "1,2,3\n4,5,6\n7,8,9\n");
  folder.put("signal.csv", "1\n2\n3\n");
  const auto run = [&](const Words& more) {
    return ask(folder.path(),
               with({"run", "objective.use=distance", "penalty.use=tv", "penalty.lambda=0.1"}, more));
  };
  check_mentions(run({"objective.data=picture.csv"}).err, {"+ tv along columns"});
  check_mentions(run({"objective.data=picture.csv", "penalty.along=both"}).err, {"+ tv along both"});
  CHECK(run({"objective.data=signal.csv"}).err.find("along") == std::string::npos);
}
