// SPDX-License-Identifier: BSD-3-Clause
// start.from: a run that starts at the solution of another, or at a point in a file.
#include "program.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace claros::test;
using Json = nlohmann::json;

namespace {

const Words kLasso{"run",
                   "--quiet",
                   "objective.use=linear-model",
                   "objective.data=train.csv",
                   "objective.intercept=no",
                   "objective.standardize=no",
                   "penalty.use=l1",
                   "penalty.lambda=0.05",
                   "algorithm.use=proximal-gradient",
                   "stop.gap=1e-8",
                   "stop.iterations=5000"};

void put_rows(const TestFolder& folder) {
  folder.put("train.csv", "a,b,c,y\n1,2,0,1\n0,1,3,-1\n2,-1,1,0.5\n1,1,1,2\n-1,0,2,-2\n0.5,-2,1,0.3\n");
  folder.put("other.csv", "a,b,d,y\n1,2,0,1\n0,1,3,-1\n2,-1,1,0.5\n");
  folder.put("wide.csv", "a,b,c,d,y\n1,2,0,1,2\n0,1,3,-1,1\n");
}

Json result_of(const TestFolder& folder, const std::string& out, const Words& words) {
  const auto outcome = ask(folder.path(), with(words, {"--out", out}));
  CAPTURE(outcome.err);
  REQUIRE(outcome.code == 0);
  return Json::parse(folder.get(out + "/result.json"));
}

std::string refused(const TestFolder& folder, const Words& words, int code) {
  const auto outcome = ask(folder.path(), words);
  CHECK(outcome.code == code);
  return outcome.err;
}

}  // namespace

TEST_CASE(
    "start.from: a run that starts at a solution is over at once, with an intercept and scaled columns too") {
  const TestFolder folder;
  put_rows(folder);
  for (const Words& more : {Words{}, Words{"objective.intercept=true", "objective.standardize=true"}}) {
    const Json cold = result_of(folder, "cold", with(kLasso, more));
    CHECK(cold["iterations"].get<int>() > 3);
    const Json warm =
        result_of(folder, "warm", with(kLasso, with(more, {"start.from=cold", "stop.gap=2e-8"})));
    CHECK(warm["iterations"] == 0);
    CHECK(warm["value"].get<double>() == doctest::Approx(cold["value"].get<double>()).epsilon(1e-12));
    const Json file = result_of(
        folder, "file", with(kLasso, with(more, {"start.from=cold/solution/x.mtx", "stop.gap=2e-8"})));
    CHECK(file["iterations"] == 0);
    // Another penalty is some steps away, and no more than from 0.
    CHECK(result_of(folder, "near",
                    with(kLasso, with(more, {"start.from=cold", "penalty.lambda=0.04"})))["iterations"]
              .get<int>() > 0);
  }
  folder.put("point.csv", "1,2,3\n");
  CHECK(result_of(folder, "csv", with(kLasso, {"start.from=point.csv", "stop.iterations=1"}))["iterations"] ==
        1);
}

TEST_CASE("start.from: factors of a matrix, and a solution that is 0") {
  const TestFolder folder;
  put_problem(folder);
  const Json cold = result_of(folder, "cold", {"run", "spec.ini", "--quiet"});
  const Json warm = result_of(folder, "warm",
                              {"run", "spec.ini", "--quiet", "start.from=cold",
                               "stop.value=" + std::to_string(1.001 * cold["value"].get<double>())});
  CHECK(warm["iterations"] == 0);
  CHECK(warm["value"].get<double>() == doctest::Approx(cold["value"].get<double>()));
  put_rows(folder);
  const Words zero = with(kLasso, {"penalty.lambda=1e3"});
  CHECK(result_of(folder, "nought", zero)["rank_or_support"] == 0);
  CHECK(result_of(folder, "again", with(zero, {"start.from=nought"}))["iterations"] == 0);
}

TEST_CASE("start.from: what does not fit is refused, and both are named") {
  const TestFolder folder;
  put_rows(folder);
  (void)result_of(folder, "cold", kLasso);
  check_mentions(refused(folder, with(kLasso, {"objective.data=wide.csv", "start.from=cold"}), 4),
                 {"cold", "is 3 x 1; the variable is 4 x 1"});
  check_mentions(refused(folder, with(kLasso, {"objective.data=other.csv", "start.from=cold"}), 4),
                 {"cold", "another problem", "columns number 3 is 'c'", "'d'"});
  check_mentions(refused(folder, with(kLasso, {"objective.intercept=true", "start.from=cold"}), 4),
                 {"cold", "is 3 x 1; the variable is 4 x 1"});
  check_mentions(refused(folder, with(kLasso, {"start.from=absent"}), 2),
                 {"start.from", "'absent' is neither auto nor zero, and there is no", "/absent"});
  folder.put("point.csv", "1,2\n");
  check_mentions(refused(folder, with(kLasso, {"start.from=point.csv"}), 4),
                 {"point.csv", "is 2 x 1; the variable is 3 x 1"});
  fs::create_directory(folder / "bare");
  check_mentions(refused(folder, with(kLasso, {"start.from=bare"}), 4), {"bare", "holds no result of a run"});
  folder.put("cold/solution/x.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n");
  check_mentions(refused(folder, with(kLasso, {"start.from=cold"}), 4),
                 {"x.mtx", "is not the file that was written with result.json"});
}

TEST_CASE("start.from: another model of the same shape is refused by what it says of itself") {
  const TestFolder folder;
  // Without names 3 columns and an intercept are 4 numbers, as 4 columns are.
  folder.put("three.csv", "1,2,0,1\n0,1,3,-1\n2,-1,1,0.5\n1,1,1,2\n");
  folder.put("four.csv", "1,2,0,1,1\n0,1,3,2,-1\n2,-1,1,0,0.5\n1,1,1,5,2\n");
  const Words three{"objective.data=three.csv", "objective.intercept=true"}, four{"objective.data=four.csv"};
  (void)result_of(folder, "with", with(kLasso, three));
  (void)result_of(folder, "without", with(kLasso, four));
  check_mentions(refused(folder, with(kLasso, with(four, {"start.from=with"})), 4), {"it has an intercept"});
  check_mentions(refused(folder, with(kLasso, with(three, {"start.from=without"})), 4),
                 {"it has no intercept"});
  // The same columns, other classes.
  folder.put("cats.csv", "a,b,y\n1,2,cat\n0,1,dog\n2,-1,eel\n1,1,cat\n0,3,dog\n5,1,eel\n");
  folder.put("cows.csv", "a,b,y\n1,2,cat\n0,1,cow\n2,-1,eel\n1,1,cat\n0,3,cow\n5,1,eel\n");
  const Words classes{"objective.loss=multinomial", "penalty.use=group", "penalty.groups=rows"};
  (void)result_of(folder, "cats", with(kLasso, with(classes, {"objective.data=cats.csv"})));
  check_mentions(
      refused(folder, with(kLasso, with(classes, {"objective.data=cows.csv", "start.from=cats"})), 4),
      {"classes number 2 is 'dog'", "'cow'"});
  // The same size, other rows, or other columns.
  const std::string films = "ann,alien,3\nann,brazil,4\nbob,alien,1\nbob,brazil,5\ncat,alien,2\n";
  folder.put("films", films);
  for (const auto& [was, is, side] :
       std::vector<std::array<std::string, 3>>{{"bob", "bea", "row"}, {"brazil", "dune", "column"}}) {
    std::string others = films;
    for (std::size_t at = others.find(was); at != others.npos; at = others.find(was))
      others.replace(at, was.size(), is);
    folder.put("others", others);
    const Words ratings{"run",
                        "--quiet",
                        "objective.use=matrix-completion",
                        "penalty.use=nuclear",
                        "penalty.lambda=0.1",
                        "stop.iterations=5"};
    (void)result_of(folder, "films-run", with(ratings, {"objective.data=films"}));
    const std::string said =
        refused(folder, with(ratings, {"objective.data=others", "start.from=films-run"}), 4);
    CHECK(contains(said, "it has the " + side + " '" + was + "', and the objective has not"));
  }
  put_rows(folder);
  for (const std::string number : {"inf", "-inf", "nan"}) {
    folder.put("point.csv", "1\n" + number + "\n3\n");
    CHECK(contains(refused(folder, with(kLasso, {"start.from=point.csv"}), 4), "finite"));
  }
  folder.put("point.csv", "1,2,3\n");  // a start may lie on a line, a truth has the shape of the variable
  CHECK(ask(folder.path(), with(kLasso, {"start.from=point.csv"})).code == 0);
  check_mentions(refused(folder, with(kLasso, {"trace.truth=point.csv"}), 4),
                 {"is 1 x 3; the variable is 3 x 1"});
}

TEST_CASE(
    "start.from: rows and columns of ratings are found by their ids, in any order, and new ones are 0") {
  const TestFolder folder;
  std::string old, more, reordered;
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 6; ++j) {
      if ((3 * i + 5 * j) % 4 == 0) continue;
      const std::string line = "u" + std::to_string(i) + ",f" + std::to_string(j) + ',' +
                               std::to_string(1.0 + (i * 7 + j * j) % 5) + '\n';
      old += line;
      reordered = line + reordered;
    }
  more = "new,f3,4\nu2,film,1\n" + reordered;
  folder.put("old.csv", old);
  folder.put("reordered.csv", reordered);
  folder.put("more.csv", more);
  const double count = static_cast<double>(std::ranges::count(old, '\n'));
  for (const double lambda : {0.0, 0.02}) {
    Words words{"run", "--quiet", "objective.use=matrix-completion", "algorithm.use=proximal-gradient"};
    words = with(words, lambda > 0.0 ? Words{"penalty.use=nuclear", "penalty.lambda=0.02"}
                                     : Words{"set.use=nuclear-ball", "set.radius=20"});
    const Json cold =
        result_of(folder, "cold", with(words, {"objective.data=old.csv", "stop.relative_gap=1e-8"}));
    CHECK(cold["iterations"].get<int>() > 3);
    const Json same =
        result_of(folder, "same",
                  with(words, {"objective.data=reordered.csv", "start.from=cold", "stop.relative_gap=1e-7"}));
    CHECK(same["iterations"] == 0);
    CHECK(same["value"].get<double>() == doctest::Approx(cold["value"].get<double>()).epsilon(1e-9));
    (void)result_of(folder, "grown",
                    with(words, {"objective.data=more.csv", "start.from=cold", "stop.iterations=1"}));
    std::istringstream values(folder.get("cold/solution/s.mtx")), rows(folder.get("grown/trace.csv"));
    std::string line;
    double norm = 0.0;
    for (bool sized = false; std::getline(values, line);) {
      if (line.starts_with('%')) continue;
      if (std::exchange(sized, true)) norm += std::stod(line);
    }
    REQUIRE(std::getline(rows, line));
    const auto place = std::ranges::count(line.substr(0, line.find("value")), ',');
    REQUIRE(std::getline(rows, line));
    for (int k = 0; k < place; ++k) line = line.substr(line.find(',') + 1);
    const double loss = cold["value"].get<double>() - lambda * norm;
    CHECK(std::stod(line) ==
          doctest::Approx((count * loss + 0.5 * (16.0 + 1.0)) / (count + 2.0) + lambda * norm).epsilon(1e-9));
    CHECK(contains(
        refused(folder, with(words, {"objective.data=old.csv", "start.from=grown", "--out", "back"}), 4),
        "and the objective has not"));
  }
}

TEST_CASE("start.from: a checkpoint knows the contents of the point, and a resumed run has the same bits") {
  const TestFolder folder;
  put_rows(folder);
  folder.put("point.csv", "1\n2\n3\n");
  const Words words = with(kLasso, {"start.from=point.csv", "stop.gap=1e-30"});
  (void)result_of(folder, "whole", with(words, {"stop.iterations=40"}));
  const Words half = with(words, {"stop.iterations=20"});
  (void)result_of(folder, "half", half);
  CHECK(ask(folder.path(), {"resume", "half", "stop.iterations=40", "--quiet"}).code == 0);
  CHECK(folder.get("half/solution/x.mtx") == folder.get("whole/solution/x.mtx"));
  (void)result_of(folder, "other", half);
  folder.put("point.csv", "1\n2\n4\n");
  const auto changed = ask(folder.path(), {"resume", "other", "stop.iterations=40", "--quiet"});
  CHECK(changed.code == 2);
  check_mentions(changed.err, {"contents of start.from was"});
}
