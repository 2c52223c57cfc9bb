// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include <cmath>

using namespace claros::test;

namespace {

/// Ratings of three users and three films by name, all known: 2 * user * film; the run in `fit` recovers
/// them.
void put_named(const TestFolder& folder) {
  folder.put("train.csv",
             "user,film,rating\nann,M,2\nann,N,4\nann,\"O, too\",6\nbob,M,4\nbob,N,8\nbob,\"O, too\",12\n"
             "eve,M,6\neve,N,12\neve,\"O, too\",18\n");
  const auto fit = ask(folder.path(), {"run", "--quiet", "objective.use=matrix-completion",
                                       "objective.data=train.csv", "set.use=nuclear-ball", "set.radius=28",
                                       "algorithm.use=frank-wolfe", "stop.iterations=400", "--out", "fit"});
  REQUIRE(fit.err == "");
  REQUIRE(fit.code == 0);
}

double third_field(const std::string& line) { return std::stod(line.substr(line.rfind(',') + 1)); }

}  // namespace

TEST_CASE("predict: by the ids of the training data, with and without a header") {
  const TestFolder folder;
  put_named(folder);
  folder.put("pairs.tsv", "eve\tO, too\nann\tM\n");
  const auto plain = ask(folder.path(), {"predict", "fit", "pairs.tsv"});
  CHECK(plain.err == "");
  CHECK(plain.code == 0);
  const Words rows = lines(plain.out);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0] == "row,column,prediction");
  CHECK(rows[1].starts_with("eve,\"O, too\","));
  CHECK(third_field(rows[1]) == doctest::Approx(18).epsilon(0.01));
  CHECK(third_field(rows[2]) == doctest::Approx(2).epsilon(0.05));

  folder.put("named.tsv", "who\twhat\neve\tO, too\nann\tM\n");
  const auto named = ask(folder.path(), {"predict", "fit", "named.tsv", "--out", "p.csv"});
  CHECK(named.code == 0);
  CHECK(named.out.empty());
  CHECK(contains(named.err, "taken for a header"));
  CHECK(folder.get("p.csv") == plain.out);
  CHECK(ask(folder.path(), {"predict", "fit", "named.tsv", "--header", "no"}).code == 4);
}

TEST_CASE("predict: known values give RMSE and MAE") {
  const TestFolder folder;
  put_named(folder);
  folder.put("pairs.csv", "eve,N,15\nbob,N,4\n");
  const auto outcome = ask(folder.path(), {"predict", "fit", "pairs.csv"});
  CHECK(outcome.code == 0);
  CHECK(lines(outcome.out).front() == "row,column,prediction,known");
  // Off by about 3 and 4: RMSE sqrt(12.5), MAE 3.5.
  REQUIRE(outcome.err.starts_with("claros: 2 known values: RMSE "));
  CHECK(std::stod(outcome.err.substr(29)) == doctest::Approx(std::sqrt(12.5)).epsilon(0.02));
  CHECK(std::stod(outcome.err.substr(outcome.err.find("MAE ") + 4)) == doctest::Approx(3.5).epsilon(0.02));
}

TEST_CASE("predict: a pair outside, a changed file, no solution") {
  const TestFolder folder;
  put_named(folder);
  folder.put("pairs.csv", "eve,N\nbbo,N\n");
  const auto outside = ask(folder.path(), {"predict", "fit", "pairs.csv"});
  CHECK(outside.code == 4);
  CHECK(outside.out.empty());
  CHECK(contains(outside.err, "pairs.csv:2: the row is 'bbo'"));
  CHECK(contains(ask(folder.path(), {"predict", "fit", "absent.csv"}).err, "absent.csv"));

  folder.put("train.csv", "ann,M,2\nbob,N,4\n");
  folder.put("pairs.csv", "ann,N\n");
  const auto changed = ask(folder.path(), {"predict", "fit", "pairs.csv"});
  CHECK(changed.code == 4);
  CHECK(contains(changed.err, "is 2 x 2, but the solution in fit is 3 x 3"));
  fs::remove_all(folder / "fit/solution");
  CHECK(contains(ask(folder.path(), {"predict", "fit", "pairs.csv"}).err, "holds no solution"));
}

TEST_CASE("predict: indices, and a dense solution") {
  const TestFolder folder;
  put_problem(folder);
  REQUIRE(ask(folder.path(), {"run", "spec.ini", "--quiet", "--out", "fit"}).code == 0);
  fs::remove_all(folder / "fit/solution");
  fs::create_directory(folder / "fit/solution");
  std::string dense = "%%MatrixMarket matrix array real general\n6 5\n";
  for (int k = 0; k < 30; ++k) dense += std::to_string(k) + '\n';
  folder.put("fit/solution/x.mtx", dense);
  folder.put("pairs.txt", "1 1\n6 5\n2 3\n");
  const auto outcome = ask(folder.path(), {"predict", "fit", "pairs.txt"});
  CHECK(outcome.out == "row,column,prediction\n1,1,0\n6,5,29\n2,3,13\n");
  folder.put("pairs.txt", "1 1\n7 5\n");
  CHECK(contains(ask(folder.path(), {"predict", "fit", "pairs.txt"}).err, "pairs.txt:2: the row is '7'"));
  folder.put("pairs.txt", "0 1\n");
  CHECK(contains(ask(folder.path(), {"predict", "fit", "pairs.txt"}).err, "an index from 1 to 6"));
}
