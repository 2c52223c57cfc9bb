// SPDX-License-Identifier: BSD-3-Clause
// What a run leaves on disk.
#include <claros/io/matrix_market.hpp>

#include <nlohmann/json.hpp>

#include <sstream>

#include "scripted.hpp"

using namespace claros;
using namespace claros::test;

namespace {

const SmallProblem& written_problem() {
  static const SmallProblem made(601, 12, 9, 2, 60);
  return made;
}

struct Written {
  Composition composition;
  RunResult result;

  explicit Written(const fs::path& folder, const Words& more = {"stop.iterations=40"})
      : composition(compose(build_catalog(), spec_of(written_problem().words(6.0, more)))),
        result(run_composition(composition)) {
    write_run_folder(folder, composition, result);
  }
};

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream in(line + ",");
  for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
  return fields;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("run folder: trace.csv reads back to the rows, bit for bit") {
  const TestFolder folder;
  const Written w(folder.path(), {"stop.iterations=40", "trace.every=3"});
  const std::string text = folder.get("trace.csv");
  const auto lines = lines_of(text);
  REQUIRE(lines.size() == w.result.trace.size() + 1);
  CHECK(lines[0] ==
        "iteration,epoch,passes,seconds,value,gap,residual,estimator_error,rmse_truth,test_rmse,step,rank_or_"
        "support,sfo,sfo_indices,sso,"
        "hessian_products,hvp,lo,po,"
        "svd,matvec,partial_sfo,coordinate_steps,partial_lo,smoother_calls");
  CHECK(text.back() == '\n');
  for (std::size_t k = 0; k < w.result.trace.size(); ++k) {
    const auto fields = split(lines[k + 1]);
    const TraceRow& row = w.result.trace[k];
    REQUIRE(fields.size() == 25);
    CHECK(parse_integer(fields[0]) == row.iteration);
    CHECK(parse_integer(fields[1]) == row.epoch);
    CHECK(parse_real(fields[2]) == row.passes);
    CHECK(parse_real(fields[3]) == row.seconds);
    CHECK(parse_real(fields[4]) == row.value);
    CHECK(parse_real(fields[5]) == row.gap);
    CHECK((fields[10].empty() ? std::isnan(row.step) : parse_real(fields[10]) == row.step));
    CHECK(parse_integer(fields[11]) == row.rank_or_support);
    CHECK(parse_integer(fields[12]) == row.counts.sfo);
    CHECK(parse_integer(fields[16]) == row.counts.hvp);
    CHECK(parse_integer(fields[17]) == row.counts.lo);
    CHECK(parse_integer(fields[20]) == row.counts.matvec);
  }
}

TEST_CASE("run folder: what does not apply is an empty field") {
  TraceRow row;
  row.value = std::numeric_limits<double>::infinity();
  const auto lines = lines_of(trace_csv({row}));
  REQUIRE(lines.size() == 2);
  const auto fields = split(lines[1]);
  CHECK(fields[4] == "inf");
  CHECK(fields[5].empty());
  for (const std::size_t column : {6, 7, 8, 9, 10}) CHECK(fields[column].empty());
}

TEST_CASE("run folder: result.json holds what the design asks for, and agrees with the result") {
  const TestFolder folder;
  const Written w(folder.path(), {"stop.relative_gap=1e-2", "stop.iterations=4000", "run.seed=5"});
  const auto json = nlohmann::json::parse(folder.get("result.json"));
  for (const char* key : {"status", "value", "gap", "gap_kind", "confirmed", "iterations", "epochs", "counts",
                          "seconds", "seed", "rank_or_support", "certificate", "versions"})
    CHECK_MESSAGE(json.contains(key), key);
  for (const char* key :
       {"sfo", "sso", "hessian_products", "hvp", "lo", "po", "svd", "matvec", "smoother_calls"})
    CHECK_MESSAGE(json["counts"].contains(key), key);
  CHECK(json["status"] == "relative-gap");
  CHECK(json["value"].get<double>() == w.result.measurement.value);
  CHECK(json["gap"].get<double>() == w.result.measurement.gap);
  CHECK(json["gap_kind"] == "frank-wolfe");
  CHECK(json["confirmed"] == true);
  CHECK(json["lower_bound"].get<double>() == w.result.lower_bound);
  CHECK(json["counts"]["lo"].get<Index>() == w.result.counts.lo);
  CHECK(json["seed"] == 5);
  CHECK(json["rank_or_support"].get<Index>() == rank_or_support(w.result.answer));
  CHECK(json["versions"]["set/nuclear-ball"] == "1.0.0");
  CHECK(json["versions"]["claros"] == version());
  CHECK_FALSE(json.contains("failure"));
}

TEST_CASE("run folder: numbers that do not apply are null, never NaN") {
  RunResult r;
  r.answer = Element(Shape::matrix(12, 9));
  const Composition c =
      compose(build_catalog(), spec_of(written_problem().words(6.0, {"stop.iterations=1"})));
  const auto json = nlohmann::json::parse(result_json(c, r));
  CHECK(json["value"].is_null());
  CHECK(json["gap"].is_null());
  CHECK(json["lower_bound"].is_null());
}

TEST_CASE("run folder: the factors are an SVD of the solution") {
  const TestFolder folder;
  const Written w(folder.path());
  const DenseTable U = read_matrix_market_array(folder / "solution/U.mtx"),
                   s = read_matrix_market_array(folder / "solution/s.mtx"),
                   V = read_matrix_market_array(folder / "solution/V.mtx");
  REQUIRE(U.rows == 12);
  REQUIRE(V.rows == 9);
  REQUIRE(s.cols == 1);
  REQUIRE(U.cols == s.rows);
  REQUIRE(V.cols == s.rows);
  CHECK(std::is_sorted(s.values.rbegin(), s.values.rend()));
  CHECK(s.values.back() > 0);
  std::vector<double> x(12 * 9, 0.0);
  for (std::size_t k = 0; k < s.values.size(); ++k)
    for (std::size_t j = 0; j < 9; ++j)
      for (std::size_t i = 0; i < 12; ++i)
        x[j * 12 + i] += s.values[k] * U.values[k * 12 + i] * V.values[k * 9 + j];
  const std::vector<double> answer = w.result.answer.to_dense();
  for (std::size_t e = 0; e < x.size(); ++e) CHECK(std::abs(x[e] - answer[e]) < 1e-13 * s.values[0]);
  double sum = 0.0;
  for (const double value : s.values) sum += value;
  CHECK(sum <= 6.0 * (1 + 1e-12));
  CHECK_FALSE(fs::exists(folder / "solution/x.mtx"));
}

TEST_CASE("run folder: spec.ini runs again, from anywhere, to the same bits") {
  const TestFolder folder;
  const Written w(folder.path(), {"stop.iterations=25", "run.seed=3", "algorithm.step=short"});
  const RunResult again = run_composition(compose(build_catalog(), Spec::read(folder / "spec.ini")));
  CHECK(same_bits(again.answer, w.result.answer));
  CHECK(again.counts == w.result.counts);
}

TEST_CASE("run folder: a zero solution is written without its entries, however large") {
  const TestFolder folder;
  const Index huge = 1'000'000;
  write_solution(folder / "solution", Element(Shape::matrix(huge, huge)));
  const Ratings entries = read_matrix_market_coordinate(folder / "solution/x.mtx");
  CHECK(entries.rows == huge);
  CHECK(entries.cols == huge);
  CHECK(entries.value.empty());
}

TEST_CASE("run folder: a dense solution is one array") {
  const TestFolder folder;
  const Element x = Element::dense(Shape::matrix(2, 3), {1, 2, 3, 4, 5, 6});
  write_solution(folder / "solution", x);
  CHECK(read_matrix_market_array(folder / "solution/x.mtx").values == x.to_dense());
  CHECK(rank_or_support(x) == 6);
}

TEST_CASE("run folder: result.json comes last, so that a folder that could not be finished has none") {
  const TestFolder folder;
  {
    const Written whole(folder.path());
    CHECK(fs::exists(folder / "result.json"));
    for (const char* earlier :
         {"spec.ini", "trace.csv", "solution/U.mtx", "solution/s.mtx", "solution/V.mtx"})
      CHECK(fs::last_write_time(folder / earlier) <= fs::last_write_time(folder / "result.json"));
  }
  const std::string before = folder.get("result.json");
  const Composition composition = compose(build_catalog(), Spec::read(folder / "spec.ini"));
  const RunResult result = run_composition(composition);
  for (const std::string obstacle : {"trace.csv", "solution"}) {
    {
      RunFolder run(folder.path(), RunFolder::For::new_run);
      run.begin(composition);
      CHECK_FALSE(fs::exists(folder / "result.json"));
      CHECK(folder.get(".claros-earlier/result.json") == before);
      // A folder where a file should be, and a file where a folder should be.
      if (obstacle == "trace.csv")
        fs::create_directories(folder / obstacle / "x");
      else
        folder.put(obstacle, "");
      check_mentions(complaint([&] { (void)run.write(composition, result, folding_of(composition, result)); },
                               ErrorKind::data),
                     {obstacle.c_str()});
      CHECK_FALSE(fs::exists(folder / "result.json"));
    }
    CHECK(folder.get("result.json") == before);
    CHECK(fs::exists(folder / "solution/U.mtx"));
  }
  // And nothing half-written is left.
  for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
    CHECK(entry.path().extension() != ".tmp");
}

TEST_CASE("run folder: no solution of an earlier run stays beside a new one") {
  const TestFolder folder;
  { const Written low_rank(folder.path()); }
  { const Written zero(folder.path(), {"stop.gap=1e9"}); }
  CHECK(fs::exists(folder / "solution/x.mtx"));
  CHECK_FALSE(fs::exists(folder / "solution/U.mtx"));
  { const Written none(folder.path(), {"stop.iterations=3", "output.solution=no"}); }
  CHECK_FALSE(fs::exists(folder / "solution/x.mtx"));
}
