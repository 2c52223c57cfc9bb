// SPDX-License-Identifier: BSD-3-Clause
// start.from: a run that starts at the solution of another, or at a point in a file.
#include "program.hpp"

using namespace claros::test;
using Json = nlohmann::json;

namespace {

const Words kLasso{"run",
                   "--quiet",
                   "objective.use=linear-model",
                   "objective.data=train.csv",
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
