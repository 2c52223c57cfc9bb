// SPDX-License-Identifier: BSD-3-Clause
// Generalized conditional gradient by its box written anew over dense arrays, by what its theorems promise,
// and by what it refuses.
#include "linear_problem.hpp"
#include "projected_gradient.hpp"
#include "trace_for_test.hpp"

#include <claros/run/run_loop.hpp>

#include <cmath>

using namespace claros;
using namespace claros::test;

namespace {

constexpr double kLambda = 0.05, kMu = 0.1, kPenalty = 0.08;

/// One composition without the composer: a linear model, Huber's smoother and an l1 penalty.
struct Gcg {
  std::shared_ptr<Objective> f, R;
  std::shared_ptr<GradientEstimator> g;
  std::shared_ptr<Component> h;
  std::shared_ptr<Algorithm> algorithm;
  Sampler sampler;
  Problem problem;

  Gcg(const std::string& name, const Numbers& numbers, const Numbers& options, bool penalised = true,
      const Numbers& model = {})
      : f(linear_model(make_design(entries(), kCols, responses("squared")), model)),
        R(std::static_pointer_cast<Objective>(
            part(Kind::smoother, "huber-l1", {{"lambda", print_real(kLambda)}, {"mu", print_real(kMu)}}))),
        g(estimator(name, numbers)),
        h(part(Kind::penalty, "l1", {{"lambda", print_real(kPenalty)}})),
        algorithm(std::static_pointer_cast<Algorithm>(part(Kind::algorithm, "gcg", options))),
        sampler(RandomStream(3, Purpose::test), f->terms()) {
    problem.objective = f.get();
    problem.smoother = R.get();
    problem.estimator = g.get();
    problem.penalty = penalised ? query<ProximalOracle>(*h) : nullptr;
  }
  void start() {
    g->start(*f, sampler);
    algorithm->start(problem, point(f->shape(), 6, 0.4));
  }
  double value() {
    const Element& x = algorithm->iterate();
    return f->value(x) + R->value(x) + (problem.penalty ? problem.penalty->value(x) : 0.0);
  }
};

double huber_slope(double t) { return kLambda * std::clamp(t / kMu, -1.0, 1.0); }

/// The box over dense arrays, with the same kind of estimator on the same indices.
void check_against_loop(const std::string& name, const Numbers& numbers, const Numbers& options, double c,
                        double beta, const std::function<double(double)>& eta, Index length) {
  Gcg one(name, numbers, options);
  one.start();
  const auto g = estimator(name, numbers);
  Sampler sampler(RandomStream(3, Purpose::test), one.f->terms());
  g->start(*one.f, sampler);
  Dense x = point(one.f->shape(), 6, 0.4).to_dense();
  for (int t = 0; t < 40; ++t) {
    const Element at = Element::dense(one.f->shape(), x);
    if (g->epoch_due()) g->begin_epoch(at, {.length = length});
    const Dense estimate = g->estimate(at).to_dense();
    const double weight = eta(t), s = 1.0 / (c * beta * weight);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double a = x[j] - s * (estimate[j] + huber_slope(x[j]));
      const double v = std::copysign(std::max(std::abs(a) - s * kPenalty, 0.0), a);
      x[j] = (1.0 - weight) * x[j] + weight * v;
    }
    one.algorithm->step();
    REQUIRE(distance(one.algorithm->iterate().to_dense(), x) <= 1e-10);
    CHECK(one.algorithm->report().weight == weight);
  }
}

/// 40 samples of 12 numbers, whose covariance is to be of low rank and sparse: alpha = beta_G = 1 and beta =
/// 1 + lambda/mu.
const Words kMatrix{
    "data.use=synthetic-regression", "data.rows=40",         "data.cols=12", "data.nonzero=3", "data.seed=5",
    "objective.use=covariance",      "set.use=nuclear-ball", "set.radius=4"};
const Words kHuber{"smoother.use=huber-l1", "smoother.lambda=0.1", "smoother.mu=0.05"};
const Words kGcg{"algorithm.use=gcg"};

/// By means that share no line with the algorithm.
RunResult least(const Words& problem) {
  const RunResult r = solve(problem + Words{"algorithm.use=proximal-gradient", "stop.relative_gap=1e-12",
                                            "stop.residual=1e-12", "stop.iterations=20000"});
  REQUIRE(r.measurement.residual < 1e-7);
  return r;
}

double apart(const Element& a, const Element& b) {
  Element d(a);
  d.add(-1.0, b);
  return norm(d);
}

}  // namespace

TEST_CASE(
    "generalized conditional gradient is its box: along estimates, along full gradients, with numbers given "
    "and without a strong convexity") {
  const Gcg any("full", {}, {});
  const double beta = *any.f->constants().smoothness + kLambda / kMu, alpha = 0.3 * beta;
  const Numbers strong{{"strong_convexity", print_real(alpha)}, {"eta", "theory"}},
      by_hand{{"eta", "0.35"}, {"beta", "9"}, {"length", "5"}};
  for (const std::string name : {"full", "svrg", "sg", "spider", "casvrg", "saga"}) {
    CAPTURE(name);
    const double c = name == "full" ? 1.0 : 2.0;
    const Numbers numbers = name == "full" ? Numbers{} : Numbers{{"batch", "4"}, {"epoch", "7"}};
    check_against_loop(
        name, numbers, strong, c, beta, [=](double) { return alpha / (c * beta); }, 0);
    check_against_loop(
        name, numbers, by_hand, c, 9.0, [](double) { return 0.35; }, 5);
    check_against_loop(
        name, numbers, {}, c, beta, [](double t) { return 2.0 / (t + 2.0); }, 0);
  }
}

TEST_CASE("generalized conditional gradient with a rank projects the truncation of that rank") {
  const Words words = kMatrix + kHuber + kGcg + Words{"algorithm.rank=2"};
  const Composition c = compose(build_catalog(), spec_of(words + Words{"stop.iterations=1"}));
  const double beta = 3.0, eta = 1.0 / 3.0;
  Dense x(144, 0.0);
  for (int t = 1; t <= 6; ++t) {
    const Element at = Element::dense(Shape::matrix(12, 12), x);
    Element g(at.shape());
    c.objective->add_gradient(at, Batch::all(), 1.0, g);
    Dense a = plus(x, -1.0 / (beta * eta), g.to_dense());
    for (std::size_t j = 0; j < a.size(); ++j)
      a[j] -= 1.0 / (beta * eta) * 0.1 * std::clamp(x[j] / 0.05, -1.0, 1.0);
    TruncatedSvd svd = dense_svd(12, 12, a);
    Dense two(144, 0.0);
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t i = 0; i < 12; ++i)
        for (std::size_t j = 0; j < 12; ++j)
          two[12 * j + i] += svd.s[k] * svd.u[12 * k + i] * svd.v[12 * k + j];
    const Dense v = project_to_ball(12, 12, two, 4.0);
    for (std::size_t j = 0; j < x.size(); ++j) x[j] += eta * (v[j] - x[j]);
    const RunResult r = solve(words + Words{"stop.iterations=" + std::to_string(t)});
    CHECK(distance(r.answer.to_dense(), x) <= 1e-9);
  }
}

TEST_CASE(
    "generalized conditional gradient: weak and exact oracles contract as the theorem says, to one limit, "
    "that of projected gradients") {
  for (const Words& set :
       {Words{"set.use=nuclear-ball", "set.radius=2"}, Words{"set.use=psd-trace", "set.radius=2"}}) {
    const Words problem = kMatrix + kHuber + set;
    const RunResult best = least(problem);
    const auto rank = static_cast<Index>([&] {
      const TruncatedSvd svd = dense_svd(12, 12, best.answer.to_dense());
      return std::ranges::count_if(svd.s, [](double s) { return s > 1e-8; });
    }());
    REQUIRE(rank < 12);
    const double first =
        solve(problem + kGcg + Words{"stop.iterations=1", "trace.every=1"}).trace.front().value -
        best.measurement.value;
    for (const Index r : {Index{0}, rank, rank + 2}) {
      CAPTURE(r);
      const RunResult run = solve(problem + kGcg +
                                  Words{"algorithm.rank=" + std::to_string(r), "stop.iterations=80",
                                        "trace.every=1", "trace.certificate=yes"});
      for (const TraceRow& row : run.trace)
        CHECK(row.value - best.measurement.value <=
              first * std::pow(2.0 / 3.0, static_cast<double>(row.iteration)) + 1e-10);
      CHECK(apart(run.answer, best.answer) <= 1e-5);
      CHECK(run.certification.exact <= run.counts.po);
      if (r == 0 || r == rank + 2) CHECK(run.certification.exact > 0);
    }
    // One rank too few is another limit, and its certificate says that oracles were weak.
    const RunResult few =
        solve(problem + kGcg + Words{"algorithm.rank=1", "stop.iterations=80", "trace.certificate=yes"});
    CHECK(apart(few.answer, best.answer) > 1e-3);
    CHECK(few.certification.exact < few.counts.po);
  }
}

TEST_CASE(
    "generalized conditional gradient without a strong convexity is as fast as Frank-Wolfe's theorem says, "
    "with a weak oracle too") {
  const SmallProblem ratings(5, 14, 11, 2, 110);
  const Words problem = ratings.objective() + Words{"set.use=nuclear-ball", "set.radius=8"};
  const Optimum best = optimum(ratings, 8.0);
  Index rank = 0;
  for (const double s : dense_svd(14, 11, best.point).s) rank += s > 1e-6;
  const double distance2 = std::pow(size(best.point) + 8.0, 2), beta = 1.0 / 110.0;
  for (const Words& how : {Words{}, Words{"algorithm.rank=" + std::to_string(rank)}}) {
    const RunResult r = solve(problem + kGcg + how + Words{"stop.iterations=300", "trace.every=1"});
    for (const TraceRow& row : r.trace)
      if (row.iteration > 0)
        CHECK(row.value - best.value <=
              2.0 * beta * distance2 / static_cast<double>(row.iteration + 2) + 1e-9);
    CHECK(r.measurement.gap_kind == "frank-wolfe");
  }
}

TEST_CASE("SVRGCG by its theory: component gradients, steps of an epoch, and the rate of an epoch") {
  const Words svrgcg =
      kMatrix + kHuber + kGcg +
      Words{"estimator.use=svrg", "algorithm.batch=theory", "algorithm.length=theory", "algorithm.rank=6"};
  const Index steps = static_cast<Index>(std::ceil(8.0 / 3.0 * std::log(8.0) * 3.0));  // beta/alpha = 3
  const RunResult two = solve(svrgcg + Words{"stop.iterations=" + std::to_string(2 * steps), "trace.on=no"});
  CHECK(two.counts.sfo == 2 * 40 + 2 * steps * 2 * 32);
  CHECK(two.epochs == 2);
  CHECK(two.counts.smoother_calls == 2 * steps);  // R apart: once a step, whatever the batch
  CHECK(two.counts.po == 2 * steps);
  const RunResult best = least(kMatrix + kHuber);
  const double first = solve(svrgcg + Words{"stop.iterations=1", "trace.every=1"}).trace.front().value -
                       best.measurement.value;
  const RunResult eight =
      solve(svrgcg + Words{"algorithm.rank=0", "stop.iterations=" + std::to_string(8 * steps),
                           "trace.every=" + std::to_string(steps)});
  for (const TraceRow& row : eight.trace)
    CHECK(row.value - best.measurement.value <=
          first * std::pow(5.0 / 12.0, static_cast<double>(row.iteration) / static_cast<double>(steps)) +
              1e-10);
  CHECK(apart(eight.answer, best.answer) < 1e-5);
  // Snapshots of (32 sigma^2/(alpha C_0)) 2^(s-1) draws, then all components.
  const Words sampled = svrgcg + Words{"algorithm.variance=2", "algorithm.initial_gap=8"};
  CHECK(solve(sampled + Words{"stop.iterations=" + std::to_string(steps), "trace.on=no"}).counts.sfo ==
        8 + steps * 64);
  CHECK(solve(sampled + Words{"stop.iterations=" + std::to_string(4 * steps), "trace.on=no"}).counts.sfo ==
        8 + 16 + 32 + 40 + 4 * steps * 64);
}

TEST_CASE("SVRGCG with an expected error makes the epochs of its theorem, and comes below it") {
  const Words problem = kMatrix + kHuber, theory{"estimator.use=svrg", "algorithm.batch=theory",
                                                 "algorithm.length=theory", "algorithm.initial_gap=8"};
  const Index steps = static_cast<Index>(std::ceil(8.0 / 3.0 * std::log(8.0) * 3.0));  // beta/alpha = 3
  const double least_value = least(problem).measurement.value;
  for (const double eps : {0.5, 0.01}) {
    CAPTURE(eps);
    const Words words = problem + kGcg + theory + Words{"algorithm.expected_error=" + print_real(eps)};
    const auto epochs = static_cast<Index>(std::ceil(std::log(2.0 * 8.0 / eps) / std::log(2.4) + 1.0));
    const RunResult sum = solve(words);
    CHECK(sum.iterations == epochs * steps);
    CHECK(sum.measurement.value - least_value <= eps);
    const RunResult sampled = solve(words + Words{"algorithm.variance=2"});
    CHECK(sampled.iterations == static_cast<Index>(std::ceil(std::log2(8.0 / eps) + 2.0)) * steps);
  }
  for (const Words& other : {Words{"algorithm.length=own"}, Words{"algorithm.batch=own"},
                             Words{"algorithm.eta=0.1"}, Words{"estimator.use=full"}})
    CHECK_THROWS_WITH_AS(solve(problem + kGcg + theory + Words{"algorithm.expected_error=0.1"} + other),
                         doctest::Contains("expected_error"), Error);
}

TEST_CASE("SVRGCG with batches of all components is the method of the full gradient") {
  Gcg exact("full", {}, {{"eta", "0.2"}, {"beta", "8"}}),
      whole("svrg", {{"batch", "3"}},
            {{"eta", "0.2"}, {"beta", "4"}, {"batch", "theory"}, {"strong_convexity", "0.1"}});
  exact.start();
  whole.start();
  for (int t = 0; t < 20; ++t) {
    exact.algorithm->step();
    whole.algorithm->step();
    REQUIRE(whole.algorithm->iterate().to_dense() ==
            exact.algorithm->iterate().to_dense());  // c beta = 8 both times
    CHECK(whole.algorithm->report().full_gradient);
  }
}

TEST_CASE(
    "generalized conditional gradient comes to the minimum with every estimator, or near it, and goes on "
    "from every state to the bit") {
  const Words problem{"data.use=synthetic-regression",
                      "data.rows=60",
                      "data.cols=8",
                      "data.nonzero=3",
                      "data.seed=4",
                      "objective.use=linear-model",
                      "objective.strong_convexity=0.2",
                      "penalty.use=l1",
                      "penalty.lambda=0.1"};
  const RunResult best =
      solve(problem + kHuber +
            Words{"algorithm.use=proximal-gradient", "stop.residual=1e-11", "stop.iterations=20000"});
  for (const std::string& name : build_catalog().names(Kind::estimator)) {
    CAPTURE(name);
    const Words words = problem + kHuber + kGcg + small_batches(name);
    const bool noisy = name == "sg" || name == "momentum" || name == "storm";
    CHECK(apart(solve(words + Words{"stop.iterations=6000", "trace.on=no"}).answer, best.answer) <
          (noisy ? 0.3 : 1e-5) * norm(best.answer));
  }
  const SmallProblem ratings(5, 90, 85, 2, 900);
  const std::vector<Words> runs{
      problem + kHuber +
          Words{"estimator.use=svrg", "estimator.batch=7", "estimator.epoch=4", "stop.iterations=14"},
      kMatrix + kHuber +
          Words{"estimator.use=svrg", "algorithm.batch=theory", "algorithm.length=3",
                "algorithm.variance=0.1", "algorithm.rank=2", "stop.iterations=11"},
      ratings.objective() + Words{"set.use=nuclear-ball", "set.radius=80", "algorithm.rank=7",
                                  "estimator.use=spider", "estimator.batch=50", "stop.iterations=16"},
      ratings.objective() + Words{"set.use=nuclear-ball", "set.radius=80", "stop.iterations=12"}};
  for (const Words& run : runs) {
    const Saved saved = solve_and_save(run + kGcg);
    REQUIRE(saved.states.size() > 8);
    for (const std::string& state : saved.states) {
      const RunResult again = resumed(run + kGcg, state);
      REQUIRE_MESSAGE(again.failure.empty(), again.failure);
      CHECK(same_bits(again.answer, saved.result.answer));
      CHECK(again.counts == saved.result.counts);
    }
  }
}

TEST_CASE(
    "generalized conditional gradient keeps X in factors where gradients are sparse, and begins in the "
    "domain") {
  const SmallProblem ratings(5, 200, 190, 2, 900);
  const Words words =
      ratings.objective() + Words{"set.use=nuclear-ball", "set.radius=50", "algorithm.rank=4"} + kGcg;
  const RunResult r = solve(words + Words{"stop.iterations=60", "trace.on=no"});
  CHECK(only_low_rank(r.answer) != nullptr);
  CHECK(r.answer.columns() < 190);
  Gcg one("full", {}, {}, false);
  const auto ball = part(Kind::set, "l1-ball", {{"radius", "0.5"}});
  one.problem.set = ball.get();
  one.problem.projection = query<ProximalOracle>(*ball);
  one.start();
  CHECK(query<Membership>(*ball)->violation(one.algorithm->iterate()) <= 1e-9);
}

TEST_CASE("generalized conditional gradient: an intercept is not part of a smoother that is taken apart") {
  const Words model{"data.use=synthetic-regression",
                    "data.rows=60",
                    "data.cols=8",
                    "data.nonzero=3",
                    "data.seed=4",
                    "objective.use=linear-model",
                    "objective.intercept=yes"};
  const Words smoother{"smoother.use=squared-norm", "smoother.lambda=0.3", "stop.residual=1e-10",
                       "stop.iterations=20000"};
  const RunResult one = solve(model + smoother + kGcg + Words{"algorithm.eta=1"}),
                  other = solve(model + smoother + Words{"algorithm.use=proximal-gradient"});
  CHECK(one.answer.to_dense().back() != 0.0);
  CHECK(apart(one.answer, other.answer) < 1e-7);
  CHECK(one.measurement.value == doctest::Approx(other.measurement.value).epsilon(1e-10));
}

TEST_CASE("generalized conditional gradient: the same problem in other units makes the same steps") {
  const auto design = [](double unit) {
    Dense y = responses("squared");
    for (double& value : y) value *= unit;
    return make_design(entries(), kCols, y);
  };
  for (const std::string name : {"full", "svrg"}) {
    std::vector<Dense> points;
    for (const double unit : {1.0, 1024.0}) {
      const auto f = linear_model(design(unit), {{"strong_convexity", "0.3"}});
      const auto set = part(Kind::set, "l2-ball", {{"radius", print_real(0.8 * unit)}});
      const auto g = estimator(name, name == "full" ? Numbers{} : Numbers{{"batch", "5"}});
      const auto algorithm = std::static_pointer_cast<Algorithm>(part(Kind::algorithm, "gcg", {}));
      Sampler sampler(RandomStream(3, Purpose::test), f->terms());
      Problem problem;
      problem.objective = f.get(), problem.estimator = g.get(), problem.set = set.get(),
      problem.projection = query<ProximalOracle>(*set);
      g->start(*f, sampler);
      algorithm->start(problem, Element(f->shape()));
      for (int t = 0; t < 50; ++t) algorithm->step();
      points.push_back(algorithm->iterate().to_dense());
      for (double& value : points.back()) value /= unit;
    }
    CHECK(points[0] == points[1]);
  }
}

TEST_CASE(
    "generalized conditional gradient refuses what breaks its argument, all of it at once, and says how") {
  const auto refused = [](const std::string& name, const Numbers& numbers, const Numbers& options,
                          const Numbers& model = {}) {
    return refusal(ErrorKind::usage, [&] { Gcg(name, numbers, options, true, model).start(); });
  };
  check_mentions(refused("svrg", {{"batch", "3"}}, {{"batch", "theory"}, {"variance", "1"}}),
                 {"strong_convexity", "initial_gap", "alpha", "C_0"});
  check_mentions(refused("full", {}, {{"eta", "theory"}}), {"alpha", "above 0", "strong_convexity"});
  check_mentions(refused("full", {}, {{"strong_convexity", "1e9"}}), {"alpha = 1e+09", "beta = "});
  check_mentions(refused("full", {}, {{"strong_convexity", "1"}, {"smoother_smoothness", "1e12"}}),
                 {"steps vanish", "eta = ", "beta = ", "smoothing parameter"});
  const auto poisson =
      linear_model(make_design(entries(), kCols, responses("poisson")), {{"loss", "poisson"}});
  Gcg unknown("full", {}, {{"eta", "theory"}});
  unknown.f = poisson, unknown.problem.objective = poisson.get();
  check_mentions(refusal(ErrorKind::usage, [&] { unknown.start(); }), {"alpha", "beta_G", "smoothness"});
  for (const auto& [key, value] : Numbers{{"eta", "0"},
                                          {"eta", "1.1"},
                                          {"eta", "nan"},
                                          {"beta", "0"},
                                          {"length", "0"},
                                          {"batch", "7"},
                                          {"rank", "-1"},
                                          {"strong_convexity", "-1"},
                                          {"variance", "-2"}})
    check_mentions(refusal(ErrorKind::usage,
                           [&, key = key, value = value] {
                             Gcg("full", {}, {{key, value}});
                           }),
                   {key.c_str()});
  check_mentions(
      composing_refused(kMatrix + kGcg + Words{"penalty.use=l1", "penalty.lambda=1", "stop.iterations=3"}),
      {"algorithm/generalized-conditional-gradient", "closed form"});
  // A bound above the shorter side bounds nothing.
  const auto value = [](const char* rank) {
    return solve(kMatrix + kGcg + Words{rank, "stop.iterations=3"}).measurement.value;
  };
  CHECK(value("algorithm.rank=13") == value("algorithm.rank=12"));
}
