// SPDX-License-Identifier: BSD-3-Clause
#include "compose_for_test.hpp"

#include <claros/sampler.hpp>

#include <numeric>

using namespace claros;
using namespace claros::test;

namespace {

using Vector = std::vector<double>;

/// y = X theta + noise with a sparse theta; rows of X are independent normals.
struct Regression {
  Index n, p;
  std::vector<Vector> X;
  Vector y;
  TestFolder folder;

  Regression(Index n_, Index p_, std::uint64_t seed = 1, double shift = 0.0) : n(n_), p(p_) {
    RandomStream random(seed, Purpose::test);
    std::string text;
    for (Index i = 0; i < n; ++i) {
      Vector& row = X.emplace_back(static_cast<std::size_t>(p));
      random.fill_normal(row);
      for (double& entry : row) entry += shift;
      y.push_back(row[0] - row[static_cast<std::size_t>(p) - 1] + 2.0 + 0.1 * random.normal());
      for (const double entry : row) text += print_real(entry) + ',';
      text += print_real(y.back()) + '\n';
    }
    folder.put("data.csv", text);
  }

  Words words(const Words& more) const {
    return Words{"objective.use=linear-model", "objective.data=" + (folder / "data.csv").string(),
                 "algorithm.use=proximal-gradient"} +
           more;
  }
  Vector gradient(const Vector& x) const {
    Vector g(x.size(), 0.0);
    for (std::size_t i = 0; i < X.size(); ++i) add(i, residual(i, x) / static_cast<double>(n), g);
    return g;
  }
  double residual(std::size_t i, const Vector& x) const {
    double sum = -y[i];
    for (std::size_t j = 0; j < x.size(); ++j) sum += X[i][j] * x[j];
    return sum;
  }
  void add(std::size_t i, double c, Vector& g) const {
    for (std::size_t j = 0; j < g.size(); ++j) g[j] += c * X[i][j];
  }
  double value(const Vector& x, double lambda) const {
    double sum = 0.0, norm1 = 0.0;
    for (std::size_t i = 0; i < X.size(); ++i) sum += std::pow(residual(i, x), 2);
    for (const double entry : x) norm1 += std::abs(entry);
    return 0.5 * sum / static_cast<double>(n) + lambda * norm1;
  }
  /// Cyclic coordinate descent on the Lasso, to rounding.
  Vector lasso(double lambda) const {
    Vector x(static_cast<std::size_t>(p), 0.0);
    for (int sweep = 0; sweep < 3000; ++sweep)
      for (std::size_t j = 0; j < x.size(); ++j) {
        double a = 0.0, b = 0.0;
        for (std::size_t i = 0; i < X.size(); ++i)
          a += X[i][j] * X[i][j], b -= X[i][j] * (residual(i, x) - X[i][j] * x[j]);
        x[j] = soft(b / static_cast<double>(n), lambda) / (a / static_cast<double>(n));
      }
    return x;
  }
  static double soft(double v, double t) { return std::copysign(std::max(std::abs(v) - t, 0.0), v); }
};

Vector dense(const Element& x) { return x.to_dense(); }

double largest_difference(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) sum = std::max(sum, std::abs(a[j] - b[j]));
  return sum;
}

const Words kLasso{"penalty.use=l1", "penalty.lambda=0.1"};
const Words kScad{"penalty.use=scad", "penalty.lambda=0.3", "penalty.zeta=4.5"};

}  // namespace

TEST_CASE("proximal-gradient: the full gradient is the plain loop of ISTA") {
  const Regression r(30, 8);
  const RunResult result = solve(r.words(kLasso + Words{"algorithm.step=0.05", "stop.iterations=25"}));
  Vector x(8, 0.0);
  for (int t = 0; t < 25; ++t) {
    const Vector g = r.gradient(x);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = Regression::soft(x[j] - 0.05 * g[j], 0.05 * 0.1);
  }
  CHECK(largest_difference(dense(result.answer), x) < 1e-13);
  CHECK(result.counts.sfo == 25 * 30);
  CHECK(result.counts.po == 25);
}

TEST_CASE("proximal-gradient: Algorithm 1 is the plain loop of Prox-SVRG, for each choice of the snapshot") {
  const Regression r(20, 6);
  constexpr double kStep = 0.01, kLambda = 0.1;
  for (const std::string snapshot : {"last", "average"}) {
    CAPTURE(snapshot);
    const RunResult result =
        solve(r.words(kLasso + Words{"estimator.use=svrg", "estimator.batch=3", "estimator.epoch=7",
                                     "run.seed=5", "trace.on=no", "algorithm.step=0.01",
                                     "algorithm.snapshot=" + snapshot, "stop.epochs=4"}));
    Sampler sampler(RandomStream(5, Purpose::sampling), r.n);
    Vector theta(6, 0.0);
    for (int epoch = 0; epoch < 4; ++epoch) {
      const Vector v = r.gradient(theta);
      Vector x = theta, sum(6, 0.0);
      for (int k = 0; k < 7; ++k) {
        const Batch S = sampler.draw(3, true);
        Vector g = v;
        for (Index j = 0; j < 3; ++j) {
          const auto i = static_cast<std::size_t>(S[j]);
          r.add(i, (r.residual(i, x) - r.residual(i, theta)) / 3.0, g);
        }
        for (std::size_t j = 0; j < x.size(); ++j)
          x[j] = Regression::soft(x[j] - kStep * g[j], kStep * kLambda), sum[j] += x[j];
      }
      for (std::size_t j = 0; j < x.size(); ++j) theta[j] = snapshot == "last" ? x[j] : sum[j] / 7.0;
    }
    CHECK(largest_difference(dense(result.answer), theta) < 1e-12);
  }
}

TEST_CASE("proximal-gradient: a random snapshot is one of the inner points, and each may be it") {
  const Regression r(15, 4);
  const auto answer = [&](const std::string& snapshot, int epoch, int seed) {
    return dense(solve(r.words(kLasso + Words{"estimator.use=svrg", "estimator.batch=2",
                                              "algorithm.step=0.01", "algorithm.snapshot=" + snapshot,
                                              "estimator.epoch=" + std::to_string(epoch),
                                              "run.seed=" + std::to_string(seed), "stop.epochs=1"}))
                     .answer);
  };
  std::vector<int> times(5, 0);
  for (int seed = 0; seed < 60; ++seed) {
    const Vector drawn = answer("random", 5, seed);
    int found = 0;
    for (int k = 1; k <= 5; ++k)
      if (largest_difference(drawn, answer("last", k, seed)) < 1e-14) found = k;
    REQUIRE(found > 0);
    ++times[static_cast<std::size_t>(found) - 1];
  }
  for (const int count : times) CHECK(count >= 3);  // of 60, 12 expected: below 3 once in 10^4
}

TEST_CASE("proximal-gradient: every estimator and FISTA reach the optimum of an independent solver") {
  const Regression r(60, 12);
  const Vector best = r.lasso(0.1);
  const double least = r.value(best, 0.1);
  const std::vector<Words> ways{{"estimator.use=full"},
                                {"estimator.use=full", "algorithm.accelerate=yes"},
                                {"estimator.use=svrg", "estimator.batch=5"},
                                {"estimator.use=casvrg", "estimator.batch=5"},
                                {"estimator.use=spider", "estimator.batch=5"}};
  for (const Words& way : ways) {
    CAPTURE(way.back());
    const RunResult result =
        solve(r.words(kLasso + way + Words{"stop.relative_gap=1e-9", "stop.iterations=60000"}));
    CHECK(result.status == Status::relative_gap);
    CHECK(result.measurement.gap_kind == "duality");
    CHECK(result.measurement.value - least <= 1e-9 * least);
    CHECK(result.lower_bound <= least * (1 + 1e-12));
    CHECK(largest_difference(dense(result.answer), best) < 1e-3);
  }
}

TEST_CASE("proximal-gradient: the duality gap bounds the suboptimality at every point of a run") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Regression r(25, 10, seed);
    const double least = r.value(r.lasso(0.1), 0.1);
    const RunResult result = solve(r.words(kLasso + Words{"stop.iterations=40", "trace.every=1"}));
    REQUIRE(result.trace.size() == 41);
    for (const TraceRow& row : result.trace) {
      CHECK(row.gap >= row.value - least - 1e-12 * least);
      CHECK(row.gap >= 0.0);
    }
    CHECK(result.trace.back().gap < 0.1 * result.trace.front().gap);
  }
}

TEST_CASE("proximal-gradient: Algorithm 2 reaches a certified stationary point from ten starts") {
  const Regression r(60, 12);
  const Composition c = compose(
      build_catalog(), spec_of(r.words(kScad + Words{"estimator.use=svrg", "estimator.batch=6",
                                                     "stop.residual=1e-9", "stop.iterations=100000"})));
  RandomStream random(3, Purpose::test);
  for (std::uint32_t start = 0; start < 10; ++start) {
    const Composition trial = c.trial(start);
    Vector x0(12);
    random.fill_normal(x0);
    for (double& entry : x0) entry *= 3.0;
    const RunResult result = run(trial.problem(), *trial.algorithm, Element::dense(Shape::vector(12), x0),
                                 run_settings(trial), trial.names);
    CHECK(result.status == Status::residual);
    CHECK(result.measurement.gap_kind == "none");
    CHECK(std::isnan(result.measurement.gap));
    CHECK_FALSE(result.measurement.confirmed);
    CHECK(std::isinf(result.lower_bound));
    // -grad F(x) lies in the subdifferential of the penalty.
    const Vector x = dense(result.answer), g = r.gradient(x);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double a = std::abs(x[j]), slope = a <= 0.3 ? 0.3 : std::max(4.5 * 0.3 - a, 0.0) / 3.5;
      if (a > 1e-6) CHECK(std::abs(g[j] + std::copysign(slope, x[j])) < 1e-7);
      if (a <= 1e-6) CHECK(std::abs(g[j]) <= 0.3 + 1e-7);
    }
  }
}

TEST_CASE("proximal-gradient: a projection gives the point of the penalised problem with the same norm") {
  const Regression r(40, 6);
  const Vector best = r.lasso(0.2);
  double radius = 0.0;
  for (const double entry : best) radius += std::abs(entry);
  const RunResult result = solve(r.words({"set.use=l1-ball", "set.radius=" + print_real(radius),
                                          "stop.relative_gap=1e-10", "stop.iterations=20000"}));
  CHECK(result.measurement.gap_kind == "frank-wolfe");
  CHECK(result.status == Status::relative_gap);
  CHECK(largest_difference(dense(result.answer), best) < 1e-4);
}

TEST_CASE(
    "proximal-gradient: an intercept is not penalised, and standardised columns are undone in the answer") {
  const Regression r(50, 4, 2, 3.0);
  const RunResult heavy = solve(r.words({"objective.intercept=yes", "penalty.use=l1", "penalty.lambda=100",
                                         "stop.relative_gap=1e-10", "stop.iterations=20000"}));
  const Vector x = dense(heavy.answer);
  double mean = 0.0;
  for (const double value : r.y) mean += value / 50.0;
  CHECK(largest_difference(x, {0.0, 0.0, 0.0, 0.0, mean}) < 1e-5);
  const Composition c =
      compose(build_catalog(),
              spec_of(r.words({"objective.intercept=yes", "objective.standardize=yes", "penalty.use=ridge",
                               "penalty.lambda=1e-9", "stop.gap=1e-11", "stop.iterations=20000"})));
  const RunResult result = run(c, run_settings(c));
  const Vector original = dense(query<Rescaled>(*c.objective)->original(result.answer));
  CHECK(original[0] == doctest::Approx(1.0).epsilon(0.1));
  CHECK(original[4] == doctest::Approx(2.0).epsilon(0.2));
}

TEST_CASE(
    "proximal-gradient: a step that is too long ends the run as diverged, with the step and the bound") {
  const Regression r(40, 10);
  for (const Words& way : {Words{"estimator.use=full"}, Words{"estimator.use=svrg", "estimator.batch=2"}}) {
    for (const std::string trace : {"yes", "no"}) {
      const RunResult result = solve(
          r.words(kLasso + way + Words{"algorithm.step=3", "stop.iterations=100", "trace.on=" + trace}));
      CHECK(result.status == Status::diverged);
      CHECK(result.failure.find("steps of 3") != std::string::npos);
      CHECK(result.failure.find("2/L = ") != std::string::npos);
    }
  }
}

TEST_CASE("proximal-gradient: what cannot be is refused with the reason") {
  const Regression r(20, 5);
  const auto refusal = [&](const Words& words) {
    try {
      (void)solve(r.words(words + Words{"stop.iterations=5"}));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(contains(refusal(kLasso + Words{"set.use=l1-ball", "set.radius=1"}), "no closed form"));
  CHECK(contains(refusal(kLasso + Words{"algorithm.accelerate=yes", "estimator.use=sg"}),
                 "stochastic gradient"));
  CHECK(contains(refusal(kLasso + Words{"algorithm.step=theory", "estimator.use=svrg"}),
                 "objective.strong_convexity"));
  r.folder.put("counts.csv", "0.5,1,2\n-1,0.3,0\n2,1,5\n");
  const Words counts{"objective.loss=poisson", "objective.data=" + (r.folder / "counts.csv").string()};
  CHECK(contains(refusal(kLasso + counts + Words{"algorithm.step=1/L"}), "smoothness"));
  CHECK(contains(refusal(kLasso + Words{"algorithm.decay=sqrt"}), "finds the lengths"));
  CHECK(contains(refusal({"set.use=nuclear-ball", "set.radius=1", "algorithm.rank=2"}),
                 "algorithm.rank"));  // of a vector
  CHECK(contains(refusal({"penalty.use=group", "penalty.lambda=0.1", "penalty.groups=3"}),
                 "do not make groups of 3"));
  CHECK(contains(refusal({"set.use=group-ball", "set.radius=1", "set.groups=3"}), "do not make groups of 3"));
}

TEST_CASE(
    "proximal-gradient: steps that follow the curvature need fewer gradients than 1/L, and end at the same "
    "point") {
  const Regression r(60, 40, 4, 1.0);  // columns of a common mean: one eigenvalue is far above the others
  const double least = r.value(r.lasso(0.3), 0.3);
  for (const std::string accelerate : {"yes", "no"}) {
    CAPTURE(accelerate);
    const auto gradients = [&](const std::string& step) {
      const RunResult result =
          solve(r.words({"penalty.use=l1", "penalty.lambda=0.3", "algorithm.accelerate=" + accelerate,
                         "algorithm.step=" + step, "stop.relative_gap=1e-8", "stop.iterations=100000"}));
      CHECK(result.status == Status::relative_gap);
      CHECK(result.measurement.value - least <= 1e-8 * least);
      return result.counts.sfo;
    };
    CHECK(gradients("auto") < gradients("1/L"));
  }
}

TEST_CASE("proximal-gradient: where no smoothness is known the first step is cut until it is good") {
  const Regression r(3, 2);
  r.folder.put("counts.csv", "5,10,200\n-10,3,0\n20,1,5000\n");
  for (const std::string accelerate : {"yes", "no"}) {
    const RunResult result =
        solve({"objective.use=linear-model", "objective.loss=poisson",
               "objective.data=" + (r.folder / "counts.csv").string(), "algorithm.use=proximal-gradient",
               "algorithm.accelerate=" + accelerate, "penalty.use=l1", "penalty.lambda=0.1",
               "stop.relative_gap=1e-7", "stop.iterations=200000"});
    CHECK(result.status == Status::relative_gap);
  }
}

TEST_CASE(
    "proximal-gradient: accelerate = auto is on with the full gradient where momentum is known to help") {
  const Regression r(60, 40, 4, 1.0);
  const auto answer = [&](const Words& words, const std::string& accelerate) {
    Words all = r.words(words + Words{"stop.iterations=60", "trace.on=no"});
    if (!accelerate.empty()) all.push_back("algorithm.accelerate=" + accelerate);
    return dense(solve(all).answer);
  };
  const auto is_on = [&](const Words& words) {
    const Vector chosen = answer(words, ""), on = answer(words, "on"), off = answer(words, "off");
    CHECK(largest_difference(on, off) > 0.0);
    CHECK(largest_difference(chosen, answer(words, "auto")) == 0.0);
    const bool result = largest_difference(chosen, on) == 0.0;
    CHECK(largest_difference(chosen, result ? on : off) == 0.0);
    return result;
  };
  CHECK(is_on(kLasso));
  CHECK(is_on(kLasso + Words{"algorithm.step=1/L"}));
  CHECK(is_on({"set.use=l1-ball", "set.radius=2"}));
  CHECK(is_on(kLasso + Words{"objective.loss=huber"}));
  CHECK_FALSE(is_on(kLasso + Words{"algorithm.step=0.002"}));  // may be beyond 1/L
  CHECK_FALSE(is_on({"penalty.use=scad", "penalty.lambda=0.1"}));
  CHECK_FALSE(is_on({"penalty.use=mcp", "penalty.lambda=0.1"}));
  // Not convex and bounded below: momentum, of which steps that do not fall are taken back.
  const Words robust = kLasso + Words{"objective.loss=robust"};
  CHECK(largest_difference(answer(robust, ""), answer(robust, "off")) > 0.0);
  CHECK_FALSE(is_on(kLasso + Words{"objective.errors_in_variables=0.01"}));
  const Words svrg = kLasso + Words{"estimator.use=svrg", "estimator.batch=5"};
  CHECK(largest_difference(answer(svrg, ""), answer(svrg, "no")) == 0.0);
}

TEST_CASE("proximal-gradient: by default a correlated group lasso takes a fraction of the plain steps") {
  const auto iterations = [](const Words& more) {
    const RunResult result =
        solve(Words{"data.use=synthetic-regression", "data.rows=120", "data.cols=200", "data.nonzero=5",
                    "data.group_size=5", "data.correlation=0.1", "data.seed=1", "objective.use=linear-model",
                    "penalty.use=group", "penalty.groups=5", "penalty.lambda=0.1",
                    "algorithm.use=proximal-gradient", "stop.relative_gap=1e-8", "stop.iterations=50000",
                    "trace.on=no"} +
              more);
    CHECK(result.status == Status::relative_gap);
    return result.iterations;
  };
  CHECK(2 * iterations({}) <
        iterations({"algorithm.accelerate=off"}));  // a third as a rule; both move by a fifth with the
                                                    // rounding of a judged step
}

TEST_CASE("proximal-gradient: the length of the next step survives a resume") {
  const Regression r(30, 20, 4, 1.0);
  const Words words = kLasso + Words{"algorithm.accelerate=yes", "stop.iterations=60", "trace.on=no"};
  const Composition c = compose(build_catalog(), spec_of(r.words(words)));
  std::vector<std::string> states;
  RunSettings settings = run_settings(c);
  settings.checkpoint_every = 7;
  settings.on_checkpoint = [&](const StateStream& state, bool) { states.push_back(collected(state)); };
  const RunResult whole = run(c, settings);
  REQUIRE(states.size() > 8);
  for (const std::string& state : states) {
    const Composition again = compose(build_catalog(), spec_of(r.words(words)));
    RunSettings rest = run_settings(again);
    rest.resume = state;
    CHECK(largest_difference(dense(run(again, rest).answer), dense(whole.answer)) == 0.0);
  }
}

TEST_CASE(
    "proximal-gradient: momentum lasts to the end on points of low rank, one column of large variance") {
  constexpr Index kSide = 12, kRows = 300, kRank = 2;
  constexpr double kDeviation = 30.0;
  RandomStream random(3, Purpose::test);
  Vector factors(2 * kSide * kRank), truth(kSide * kSide, 0.0), row(kSide * kSide);
  random.fill_normal(factors);
  for (std::size_t j = 0; j < kSide; ++j)
    for (std::size_t i = 0; i < kSide; ++i)
      for (std::size_t k = 0; k < kRank; ++k)
        truth[j * kSide + i] += 0.4 * factors[k * kSide + i] * factors[(kRank + k) * kSide + j];
  TestFolder folder;
  std::string text;
  for (Index n = 0; n < kRows; ++n) {
    random.fill_normal(row);
    row[0] *= kDeviation;
    double y = random.normal();
    for (std::size_t j = 0; j < row.size(); ++j) y += row[j] * truth[j];
    for (const double entry : row) text += print_real(entry) + ',';
    text += print_real(y) + '\n';
  }
  folder.put("data.csv", text);
  const RunResult result = solve({"objective.use=linear-model",
                                  "objective.data=" + (folder / "data.csv").string(), "objective.shape=12x12",
                                  "set.use=nuclear-ball", "set.radius=8", "algorithm.use=proximal-gradient",
                                  "stop.relative_gap=1e-7", "stop.iterations=4000", "trace.on=no"});
  CHECK(result.status == Status::relative_gap);
  CHECK(only_low_rank(result.answer) != nullptr);
}

TEST_CASE("proximal-gradient: any number of threads, the same bits") {
  const Regression r(500, 9);
  const auto answer = [&](const std::string& threads) {
    return dense(
        solve(r.words(kLasso + Words{"estimator.use=svrg", "run.threads=" + threads, "stop.epochs=3"}))
            .answer);
  };
  CHECK(answer("1") == answer("3"));
}
