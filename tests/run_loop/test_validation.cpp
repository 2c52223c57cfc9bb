// SPDX-License-Identifier: BSD-3-Clause
// stop.patience: a run ends when the error on held-out ratings has stopped falling, with the best point.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <claros/abilities.hpp>

#include "compose_for_test.hpp"
#include "trace_for_test.hpp"

using namespace claros;
using namespace claros::test;

namespace {

/// Noisy ratings, whose minimum in a large ball, or at a small lambda, predicts worse than an earlier point.
Words noisy(const Words& more) {
  return Words{"objective.use=matrix-completion",
               "data.use=synthetic",
               "data.rows=40",
               "data.cols=30",
               "data.rank=2",
               "data.largest=100",
               "data.observed=0.4",
               "data.corrupted=1",
               "data.noise=4",
               "objective.held_out=0.2",
               "trace.every=1"} +
         more;
}

const std::vector<Words>& methods() {
  static const std::vector<Words> all{
      {"set.use=nuclear-ball", "set.radius=1000", "algorithm.use=frank-wolfe"},
      {"set.use=nuclear-ball", "set.radius=1000", "algorithm.use=proximal-gradient"},
      {"set.use=nuclear-ball", "set.radius=1000", "algorithm.use=factored"},
      {"penalty.use=nuclear", "penalty.lambda=1e-4", "algorithm.use=proximal-gradient"},
      {"penalty.use=nuclear", "penalty.lambda=1e-4", "algorithm.use=factored"}};
  return all;
}

constexpr double kNearly = 1.0 + 1.1e-4;  // what counts as a fall

/// The steps after which a run of these errors, one a step from the first on, ends with that patience.
Index expected_end(const std::vector<TraceRow>& rows, Index patience) {
  double fallen = 0.0;
  Index fell = 0;
  for (const TraceRow& row : rows) {
    if (row.iteration == 0) continue;
    if (fallen == 0.0 || row.test_rmse < (1.0 - 1e-4) * fallen) {
      fallen = row.test_rmse;
      fell = row.iteration;
    }
    if (row.iteration - fell >= patience) return row.iteration;
  }
  return -1;
}

double least_error(const std::vector<TraceRow>& rows) {
  double least = rows.back().test_rmse;
  for (const TraceRow& row : rows)
    if (row.iteration > 0) least = std::min(least, row.test_rmse);
  return least;
}

}  // namespace

TEST_CASE("patience: a run ends that many steps after the error fell, and returns the point of the least") {
  for (const Words& method : methods()) {
    CAPTURE(method[0] + ' ' + method.back());
    const RunResult all = solve(noisy(method + Words{"stop.iterations=300"}));
    for (const Index patience : {1, 3, 8}) {
      CAPTURE(patience);
      const Index end = expected_end(all.trace, patience);
      REQUIRE(end > 0);
      const RunResult r = solve(noisy(method + Words{"stop.patience=" + std::to_string(patience)}));
      CHECK(r.status == Status::validation);
      CHECK_FALSE(is_target(r.status));
      CHECK_FALSE(is_trouble(r.status));
      CHECK(r.iterations == end);
      CHECK(r.measurement.test_rmse <= kNearly * least_error(r.trace));
      CHECK(std::isfinite(r.measurement.value));
      CHECK(r.measurement.gap >= 0.0);  // of the point that is returned
      const RunResult untraced =
          solve(noisy(method + Words{"stop.patience=" + std::to_string(patience), "trace.on=no"}));
      CHECK(untraced.iterations == end);
      CHECK(same_bits(untraced.answer, r.answer));
    }
  }
}

TEST_CASE(
    "patience: a run resumed from any checkpoint has the same bits, and one that had ended ends again") {
  for (const Words& method : methods()) {
    CAPTURE(method[0] + ' ' + method.back());
    const Words words = noisy(method + Words{"stop.patience=4"});
    const Saved saved = solve_and_save(words);
    REQUIRE(saved.result.status == Status::validation);
    REQUIRE_FALSE(saved.states.empty());
    for (const std::string& state : saved.states) {
      const RunResult r = resumed(words, state);
      CHECK(r.status == Status::validation);
      CHECK(r.iterations == saved.result.iterations);
      CHECK(same_bits(r.answer, saved.result.answer));
      CHECK(r.measurement.test_rmse == saved.result.measurement.test_rmse);
    }
  }
}

TEST_CASE(
    "patience: a budget ends with the best point too and says so, a target with the point that meets it") {
  const Words& method = methods()[3];
  const Index end = expected_end(solve(noisy(method + Words{"stop.iterations=300"})).trace, 8);
  REQUIRE(end > 2);
  const RunResult r =
      solve(noisy(method + Words{"stop.patience=8", "stop.iterations=" + std::to_string(end - 1)}));
  CHECK(r.status == Status::iterations);
  CHECK(r.measurement.test_rmse <= kNearly * least_error(r.trace));
  CHECK(r.measurement.test_rmse < r.trace.back().test_rmse);
  CHECK(r.note.find("held-out") != std::string::npos);
  const RunResult target = solve(noisy(method + Words{"stop.patience=1000", "stop.relative_gap=1e-4"}));
  CHECK(target.status == Status::relative_gap);
  CHECK(target.measurement.confirmed);
  CHECK(target.measurement.test_rmse > r.measurement.test_rmse);
}

TEST_CASE("patience: it is refused if nothing is held out") {
  const Words few{"stop.patience=3"};
  const auto refused = [&](const Words& words) { return composing_refused(words + few); };
  const Words without{"objective.use=matrix-completion", "data.use=synthetic", "set.use=nuclear-ball",
                      "set.radius=5"};
  check_mentions(refused(without), {"stop.patience", "held-out", "objective.test", "objective.held_out"});
  check_mentions(refused({"objective.use=linear-model", "data.use=synthetic-regression", "penalty.use=l1",
                          "penalty.lambda=0.1"}),
                 {"stop.patience", "held-out"});
}

TEST_CASE("held_out: a share is drawn by the seed, fitted by no step, and refused beside a test file") {
  const auto count = [](const std::string& share, const std::string& seed) {
    const Composition c = compose(
        build_catalog(), spec_of({"objective.use=matrix-completion", "data.use=synthetic", "data.rows=20",
                                  "data.cols=10", "data.seed=4", "data.observed=0.5", "set.use=nuclear-ball",
                                  "set.radius=5", "objective.held_out=" + share, "run.seed=" + seed}));
    auto* held_out = query<HeldOut>(*c.objective);
    REQUIRE(held_out);
    return std::pair(c.objective->terms(), held_out->test_rmse(Element(c.objective->shape())));
  };
  const auto [all, none] = count("0", "1");
  CHECK(std::isnan(none));
  const auto [most, error] = count("0.1", "1");
  CHECK(most == all - std::llround(0.1 * static_cast<double>(all)));
  CHECK(count("0.1", "1") == std::pair(most, error));
  CHECK(count("0.1", "2").second != error);
  CHECK(count("1e-9", "1").first == all - 1);
  check_mentions(
      composing_refused({"objective.use=matrix-completion", "data.use=synthetic", "set.use=nuclear-ball",
                         "set.radius=5", "objective.held_out=0.1", "objective.test=some.csv"}),
      {"held_out", "test"});
}
