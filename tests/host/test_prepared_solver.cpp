// SPDX-License-Identifier: BSD-3-Clause
// A prepared solver makes the runs that a fresh one makes.
#include "small_host.hpp"

#include <bit>
#include <cmath>
#include <thread>

namespace claros::test::prepared {

namespace {

constexpr Index kRows = 50, kCols = 20;

std::shared_ptr<const Dataset> regression(std::uint64_t seed, Index rows = kRows, Index cols = kCols) {
  const auto a = normals(seed, static_cast<std::size_t>(rows * cols));
  auto y = normals(seed + 1000, static_cast<std::size_t>(rows));
  for (Index i = 0; i < rows; ++i)
    y[static_cast<std::size_t>(i)] += 2.0 * a[static_cast<std::size_t>(i * cols)];
  return data_from_rows(a, rows, cols, y);
}

Solver lasso() {
  Solver solver(build_catalog());
  solver.objective("linear-model", {{"loss", "squared"}})
      .data(regression(1))
      .penalty("l1", {{"lambda", 0.1}})
      .algorithm("proximal-gradient", {{"accelerate", true}})
      .stop_when({{"relative_gap", 1e-6}, {"iterations", 500}});
  return solver;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

void check_same(const RunResult& a, const RunResult& b) {
  CHECK(a.status == b.status);
  CHECK(a.iterations == b.iterations);
  CHECK(same_bits(a.measurement.value, b.measurement.value));
  CHECK(same_bits(a.measurement.gap, b.measurement.gap));
  CHECK(same_bits(a.lower_bound, b.lower_bound));
  CHECK(a.trace.size() == b.trace.size());
  const auto x = a.answer.to_dense(), y = b.answer.to_dense();
  REQUIRE(x.size() == y.size());
  for (std::size_t j = 0; j < x.size(); ++j) CHECK(same_bits(x[j], y[j]));
}

std::string complaint_of(const Expected<RunResult>& result) {
  if (result) return "none";
  std::string all;
  for (const Complaint& complaint : result.error().complaints()) all += complaint.sentence() + '\n';
  return all;
}

}  // namespace

TEST_CASE("data, start and numbers of a prepared solver give the bits of a fresh one") {
  Solver fresh = lasso();
  PreparedSolver kept = lasso().prepare();
  check_same(kept.solve(), fresh.solve());
  check_same(kept.solve(), fresh.solve());
  for (std::uint64_t seed = 2; seed < 8; ++seed) {
    CAPTURE(seed);
    const double lambda = 0.02 * static_cast<double>(seed);
    const Element start = Element::dense(Shape::vector(kCols), normals(seed, kCols));
    check_same(kept.data(regression(seed)).solve(), fresh.data(regression(seed)).solve());
    check_same(kept.set("penalty.lambda", lambda).solve(), fresh.penalty("l1", {{"lambda", lambda}}).solve());
    check_same(kept.start_from(start).solve(), fresh.start_from(start).solve());
    check_same(kept.set("stop.relative_gap", 1e-3 / lambda).solve(),
               fresh.stop_when({{"relative_gap", 1e-3 / lambda}}).solve());
  }
}

TEST_CASE("a prepared solver keeps its components where it can, and composes again where it must") {
  PreparedSolver kept = lasso().prepare();
  const auto objective = [&] { return kept.composition().objective.get(); };
  const auto algorithm = [&] { return kept.composition().algorithm.get(); };
  const auto* const first = algorithm();
  const auto* const on_first = objective();
  kept.set("penalty.lambda", 0.2)
      .set("stop.relative_gap", 1e-7)
      .start_from(Element(Shape::vector(kCols)))
      .solve();
  CHECK(objective() == on_first);
  kept.data(regression(3)).solve();
  CHECK(algorithm() == first);
  CHECK(kept.solve().answer.shape() == Shape::vector(kCols));
  CHECK(algorithm() == first);
  kept.data(regression(3, 30, 10)).start_from(Element(Shape::vector(10)));
  Solver other = lasso();
  other.data(regression(3, 30, 10)).penalty("l1", {{"lambda", 0.2}}).start_from(Element(Shape::vector(10)));
  check_same(kept.solve(), other.stop_when({{"relative_gap", 1e-7}}).solve());
}

TEST_CASE("a fraction of max follows the data, and a number takes its place") {
  for (const auto& [penalty, more] : {std::pair<const char*, Values>{"l1", {}},
                                      {"elastic-net", {{"ratio", 0.7}}},
                                      {"group", {{"groups", 4}}},
                                      {"mcp", {{"b", 3}}}}) {
    CAPTURE(penalty);
    Values values = more;
    values.emplace_back("lambda", "0.3*max");
    Solver fresh = lasso();
    fresh.penalty(penalty, values).stop_when({{"relative_gap", 0}, {"iterations", 60}});
    PreparedSolver kept = fresh.prepare();
    for (std::uint64_t seed = 1; seed < 4; ++seed)
      check_same(kept.data(regression(seed)).solve(), fresh.data(regression(seed)).solve());
    values.back().second = 0.05;
    fresh.penalty(penalty, values);
    check_same(kept.set("penalty.lambda", 0.05).solve(), fresh.solve());
    check_same(kept.data(regression(9)).solve(), fresh.data(regression(9)).solve());
    values.back().second = "0.1*max";
    fresh.penalty(penalty, values);
    check_same(kept.set("penalty.lambda", "0.1*max").solve(), fresh.solve());
  }
}

TEST_CASE("every algorithm makes the same run again, alone and after other data") {
  int runs = 0;
  for (const std::string& name : build_catalog().names(Kind::algorithm))
    for (const char* set : {"", "l1-ball", "simplex"}) {
      CAPTURE(name);
      CAPTURE(set);
      Solver fresh(build_catalog());
      fresh.objective("linear-model", {{"loss", "squared"}}).data(regression(1)).algorithm(name);
      fresh.stop_when({{"iterations", 12}}).options({{"seed", 7}});
      if (*set) fresh.constraint(set, {{"radius", 1}});
      if (!*set) fresh.penalty("l1", {{"lambda", 0.1}});
      const auto first = fresh.try_solve();
      if (!first || is_trouble(first->status)) continue;
      ++runs;
      PreparedSolver kept = fresh.prepare();
      check_same(kept.solve(), *first);
      check_same(kept.solve(), *first);
      (void)kept.data(regression(2)).solve();
      check_same(kept.data(regression(1)).solve(), *first);
    }
  CHECK(runs > 20);
}

TEST_CASE("sets that remember, auto, smoothers and objects of the program") {
  const auto agree = [](Solver& fresh) {
    PreparedSolver kept = fresh.prepare();
    for (std::uint64_t seed = 1; seed < 4; ++seed) {
      fresh.data(regression(seed));
      kept.data(regression(seed));
      check_same(kept.solve(), fresh.solve());
      check_same(kept.solve(), fresh.solve());
    }
  };
  Solver spectral = lasso();
  spectral.objective("linear-model", {{"loss", "squared"}, {"shape", "5x4"}})
      .constraint("nuclear-ball", {{"radius", 1}});
  spectral.algorithm("proximal-gradient").stop_when({{"relative_gap", 0}, {"iterations", 15}});
  agree(spectral.part("penalty", std::shared_ptr<Component>()));
  Solver chosen = lasso();
  chosen.algorithm("auto");
  agree(chosen);
  Solver smooth = lasso();
  smooth.smoother("squared-norm", {{"lambda", 0.5}}).stop_when({{"relative_gap", 0}, {"iterations", 15}});
  agree(smooth);
  Solver standardized = lasso();
  standardized.objective("linear-model", {{"loss", "squared"}, {"standardize", true}, {"intercept", true}});
  agree(standardized);
  Solver stochastic = lasso();
  stochastic.algorithm("proximal-gradient").estimator("svrg", {{"batch", 5}}).options({{"seed", 3}});
  agree(stochastic.stop_when({{"relative_gap", 0}, {"iterations", 40}}));
}

TEST_CASE("errors of a prepared solver are those of a fresh one, and pass") {
  Solver fresh = lasso();
  PreparedSolver kept = lasso().prepare();
  (void)kept.solve();
  const auto agree = [&](const std::string& name, const Value& wrong, const Value& right) {
    CAPTURE(name);
    kept.set(name, wrong);
    const auto dot = name.find('.');
    Solver other = fresh;
    const Values value{{name.substr(dot + 1), wrong}};
    if (name.starts_with("stop")) other.stop_when(value);
    if (name.starts_with("penalty")) other.penalty("l1", value);
    CHECK(complaint_of(kept.try_solve()) == complaint_of(other.try_solve()));
    CHECK(complaint_of(kept.try_solve()) == complaint_of(other.try_solve()));
    check_same(kept.set(name, right).solve(), fresh.solve());
  };
  agree("penalty.lambda", -1.0, 0.1);
  agree("penalty.lambda", "much", 0.1);
  agree("stop.relative_gap", -1.0, 1e-6);
  CHECK_THROWS_WITH_AS(kept.set("lambda", 1), doctest::Contains("names no section"), Error);
  CHECK_THROWS_WITH_AS(kept.set("penalties.lambda", 1), doctest::Contains("penalties"), Error);
  check_same(kept.solve(), fresh.solve());

  const Element wrong_start(Shape::vector(3));
  CHECK(complaint_of(kept.start_from(wrong_start).try_solve()) ==
        complaint_of(Solver(fresh).start_from(wrong_start).try_solve()));
  const Element start(Shape::vector(kCols));
  check_same(kept.start_from(start).solve(), fresh.start_from(start).solve());
  CHECK(complaint_of(kept.data(nullptr).try_solve()) ==
        complaint_of(Solver(fresh).data(std::shared_ptr<const Dataset>()).try_solve()));
  CHECK_THROWS_AS(kept.composition(), Error);
  check_same(kept.data(regression(5)).solve(), fresh.data(regression(5)).solve());
  Solver unsound = lasso();
  CHECK_THROWS_AS(unsound.penalty("l1", {{"lambda", -1}}).prepare(), Error);
}

TEST_CASE("prepared solvers run in threads at once") {
  Solver fresh = lasso();
  std::vector<RunResult> expected;
  for (std::uint64_t seed = 0; seed < 4; ++seed) expected.push_back(fresh.data(regression(seed)).solve());
  std::vector<std::vector<RunResult>> found(4);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < found.size(); ++k)
    threads.emplace_back([&, k] {
      PreparedSolver kept = lasso().prepare();
      for (int round = 0; round < 20; ++round) found[k].push_back(kept.data(regression(k)).solve());
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 0; k < found.size(); ++k)
    for (const RunResult& result : found[k]) check_same(result, expected[k]);
}

}  // namespace claros::test::prepared
