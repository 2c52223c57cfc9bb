// SPDX-License-Identifier: BSD-3-Clause
// admm beside its steps by hand, and beside the minima of proximal gradient.
#include "convex_cases.hpp"
#include "trace_for_test.hpp"

#include <claros/io/memory_data.hpp>

#include <cmath>

namespace claros::test::admm {

namespace {

using Values = std::vector<double>;

const Words kMethod{"algorithm.use=admm"}, kOther{"algorithm.use=proximal-gradient"};
const Words kStationary{"stop.residual=1e-10", "stop.iterations=50000"},
    kStop = kStationary + Words{"stop.relative_gap=1e-10"};
const Words kVector{"data.use=synthetic-regression",
                    "data.rows=40",
                    "data.cols=12",
                    "data.nonzero=4",
                    "data.noise=0.1",
                    "data.seed=3",
                    "objective.use=linear-model"};

/// Rows of side^2 normal columns, the first of that variance, and responses of a matrix of rank 1 and noise.
HostParts matrix_parts(Index side, Index rows, double variance) {
  RandomStream stream(7, Purpose::data);
  const auto p = static_cast<std::size_t>(side * side), n = static_cast<std::size_t>(rows);
  Values a(n * p), y(n, 0.0);
  for (double& value : a) value = stream.normal();
  for (std::size_t i = 0; i < n; ++i) {
    a[i * p] *= std::sqrt(variance);
    for (std::size_t j = 0; j < p; ++j) y[i] += a[i * p + j] / static_cast<double>(side);
    y[i] += stream.normal();
  }
  HostParts parts;
  parts.data = data_from_rows(a, rows, static_cast<Index>(p), y);
  return parts;
}
RunResult run_on(const HostParts& parts, const Words& words) {
  return run_composition(compose(build_catalog(), spec_of(words), parts));
}
Words matrix_words(Index side) {
  return {"objective.use=linear-model",
          "objective.shape=" + std::to_string(side) + "x" + std::to_string(side)};
}

/// The file of a table with three responses a row.
std::string three_responses(const TestFolder& folder) {
  RandomStream stream(5, Purpose::data);
  std::string text = "x1,x2,x3,x4,y1,y2,y3\n";
  for (int i = 0; i < 25; ++i) {
    double sum = 0.0;
    for (int j = 0; j < 4; ++j) {
      const double value = (j + 1.0) * stream.normal();
      sum += value;
      text += print_real(value) + ",";
    }
    for (int k = 0; k < 3; ++k) text += print_real(k * sum + stream.normal()) + (k < 2 ? "," : "\n");
  }
  folder.put("rows.csv", text);
  return (folder / "rows.csv").string();
}

void check_same_minimum(const RunResult& ours, const RunResult& other) {
  CHECK_MESSAGE(ours.failure.empty(), ours.failure);
  CHECK((ours.status == Status::relative_gap || ours.status == Status::residual));
  CHECK(ours.measurement.value == doctest::Approx(other.measurement.value).epsilon(1e-8));
  const Values x = ours.answer.to_dense(), y = other.answer.to_dense();
  for (std::size_t j = 0; j < x.size(); ++j) CHECK(x[j] == doctest::Approx(y[j]).epsilon(1e-3).scale(0.1));
}

}  // namespace

TEST_CASE("admm: the steps are those of the paper") {
  // f = mean of squares over 2 of the rows (2, 0) and (0, 1): H = diag(2, 1/2), b = -(1, 1).
  const Values a{2.0, 0.0, 0.0, 1.0}, y{1.0, 2.0};
  HostParts parts;
  parts.data = data_from_rows(a, 2, 2, y);
  const double rho = 0.7, relaxation = 1.3, H[2] = {2.0, 0.5};
  double z[2] = {0.0, 0.0}, u[2] = {1.0 / rho, 1.0 / rho};  // u = -grad f(0) / rho
  for (int steps = 1; steps <= 5; ++steps) {
    for (int j = 0; j < 2; ++j) {
      const double x = (rho * (z[j] - u[j]) + 1.0) / (H[j] + rho);
      const double v = relaxation * x + (1.0 - relaxation) * z[j] + u[j];
      z[j] = std::clamp(v, -0.3, 0.3);
      u[j] = v - z[j];
    }
    const RunResult r =
        run_on(parts, kMethod + Words{"objective.use=linear-model", "set.use=box", "set.lower=-0.3",
                                      "set.upper=0.3", "algorithm.rho=0.7", "algorithm.relaxation=1.3",
                                      "stop.relative_gap=0", "stop.iterations=" + std::to_string(steps)});
    const Values x = r.answer.to_dense();
    for (int j = 0; j < 2; ++j) CHECK(x[static_cast<std::size_t>(j)] == doctest::Approx(z[j]).epsilon(1e-12));
  }
}

TEST_CASE("admm: minima of vectors are those of proximal gradient") {
  for (const Words& more :
       {Words{"penalty.use=l1", "penalty.lambda=0.1"},
        Words{"penalty.use=l1", "penalty.lambda=0.1", "objective.intercept=true"},
        Words{"penalty.use=elastic-net", "penalty.lambda=0.1", "penalty.ratio=0.5"},
        Words{"penalty.use=tv", "penalty.lambda=0.05"},
        Words{"set.use=box", "set.lower=-0.2", "set.upper=0.4"}, Words{"set.use=simplex", "set.radius=1"},
        Words{"set.use=l1-ball", "set.radius=1"},
        Words{"set.use=l2-ball", "set.radius=0.7", "objective.intercept=true"}}) {
    CAPTURE(more[0] + " " + more.back());
    check_same_minimum(solve(kVector + more + kStop + kMethod), solve(kVector + more + kStop + kOther));
  }
}

TEST_CASE("admm: minima of matrices are those of proximal gradient, and several outputs share the columns") {
  const HostParts parts = matrix_parts(4, 60, 100.0);
  const TestFolder folder;
  const Words outputs{"objective.use=linear-model", "objective.data=" + three_responses(folder),
                      "objective.responses=y1,y2,y3"};
  for (const Words& more :
       {Words{"set.use=nuclear-ball", "set.radius=2"}, Words{"penalty.use=nuclear", "penalty.lambda=0.1*max"},
        Words{"penalty.use=group", "penalty.lambda=0.2", "penalty.groups=rows"}}) {
    CAPTURE(more[0]);
    const Words words = matrix_words(4) + more + kStop;
    check_same_minimum(run_on(parts, words + kMethod), run_on(parts, words + kOther));
    for (const std::string intercept : {"false", "true"}) {
      const Words table = outputs + more + (intercept == "true" ? kStationary : kStop) +
                          Words{"objective.intercept=" + intercept};
      check_same_minimum(solve(table + kMethod), solve(table + kOther));
    }
  }
}

TEST_CASE("admm: a column of a thousand times the variance takes few steps, and auto takes admm there") {
  const Words words = matrix_words(12) + Words{"set.use=nuclear-ball", "set.radius=10",
                                               "stop.relative_gap=1e-6", "stop.iterations=300"};
  const auto chosen = [&](const HostParts& parts, const Words& more) {
    return compose(build_catalog(), spec_of(words + more), parts).effective.get("algorithm", "use")->value;
  };
  const HostParts bad = matrix_parts(12, 120, 1000.0), good = matrix_parts(12, 120, 1.0);
  const RunResult ours = run_on(bad, words);
  CHECK_MESSAGE(ours.status == Status::relative_gap, ours.failure);
  CHECK(run_on(bad, words + kOther).status == Status::iterations);
  CHECK(chosen(bad, {}) == "admm");
  CHECK(chosen(good, {}) == "proximal-gradient");
  CHECK(chosen(bad, {"objective.loss=huber"}) == "proximal-gradient");
  CHECK(chosen(bad, {"estimator.use=svrg"}) == "proximal-gradient");
}

TEST_CASE("admm: a run that is resumed is the same run") {
  for (const Words& more :
       {Words{"set.use=nuclear-ball", "set.radius=3", "data.use=synthetic-matrix-regression", "data.rows=5",
              "data.rank=2", "data.count=60", "objective.use=linear-model"},
        kVector + Words{"penalty.use=l1", "penalty.lambda=0.1", "data.correlation=0.9"}}) {
    const Words words = more + kMethod + Words{"stop.iterations=20", "stop.relative_gap=0"};
    const Saved saved = solve_and_save(words, 3);
    REQUIRE_MESSAGE(saved.result.failure.empty(), saved.result.failure);
    for (const std::string& state : saved.states) check_same(resumed(words, state), saved.result);
  }
}

TEST_CASE("admm: a problem without a Gram matrix is refused with its reason") {
  const auto refused = [](const Words& words) {
    return refusal(ErrorKind::usage, [&] { (void)solve(words + kMethod + Words{"stop.iterations=2"}); });
  };
  const Words l1{"penalty.use=l1", "penalty.lambda=0.1"};
  check_mentions(refused(kVector + l1 + Words{"objective.loss=huber"}), {"quadratic loss"});
  check_mentions(refused(kVector + Words{"penalty.use=mcp", "penalty.lambda=0.1"}), {"convex penalty"});
  check_mentions(refused(kVector + l1 + Words{"data.cols=4097"}), {"4096", "4097", "proximal-gradient"});
  check_mentions(refused(kVector + l1 + Words{"estimator.use=svrg"}), {"the whole of f"});
  check_mentions(refused(kVector + l1 + Words{"set.use=l2-ball", "set.radius=1"}), {"at once"});
  check_mentions(refused({"objective.use=matrix-completion", "data.use=synthetic", "data.rows=30",
                          "data.cols=20", "data.rank=2", "data.observed=0.6", "data.corrupted=0",
                          "penalty.use=nuclear", "penalty.lambda=0.1"}),
                 {"columns of A"});
}

}  // namespace claros::test::admm
