// SPDX-License-Identifier: BSD-3-Clause
// Divergence, growth without bound and flat points, at the edges of their rules: f(x) is what a script says,
// and so every value, and every number of steps, is known.
#include "scripted.hpp"

#include <claros/sdk/array_objective.hpp>

#include <limits>

using namespace claros;
using namespace claros::test;

namespace {

/// value(x) and slope(x) of one number, as a test gives them.
class OneNumber final : public Objective {
 public:
  using Function = std::function<double(double)>;
  OneNumber(Function value, Function slope, std::optional<double> lower_bound = {})
      : value_(std::move(value)), slope_(std::move(slope)), lower_bound_(lower_bound) {}
  Shape shape() const override { return Shape::matrix(1, 1); }
  Index terms() const override { return 1; }
  double value(const Element& x) override { return value_(number(x)); }
  void add_gradient(const Element& x, const Batch&, double a, Element& g) override {
    g.add(a, Element::dense(shape(), {slope_(number(x))}));
  }
  Constants constants() const override { return {.smoothness = 1.0, .lower_bound = lower_bound_}; }

 private:
  static double number(const Element& x) { return x.is_zero() ? 0.0 : x.to_dense()[0]; }
  Function value_, slope_;
  std::optional<double> lower_bound_;
};

double one(double) { return 1.0; }
double same(double x) { return x; }

/// `script` with a row of the trace after every step.
RunResult traced(Objective& f, std::function<double(Index)> script, Index steps, StopOptions stop = {}) {
  ScriptedRun trial(std::move(script));
  trial.problem.objective = &f;
  trial.settings.stop = stop;
  trial.settings.stop.iterations = steps;
  trial.settings.trace.on = true;
  trial.settings.trace.every = 1;
  return trial();
}

/// ||x - c||^2/2 + height, c in the ball of radius 1.
class Raised final : public sdk::ArrayObjective {
 public:
  explicit Raised(double height) : ArrayObjective(Shape::vector(3)), height_(height) {}
  Constants constants() const override { return {.convex = true, .smoothness = 1.0}; }

 protected:
  double value_at(std::span<const double> x) override {
    double sum = height_;
    for (std::size_t k = 0; k < x.size(); ++k) sum += 0.5 * (x[k] - c_[k]) * (x[k] - c_[k]);
    return sum;
  }
  void add_gradient_at(std::span<const double> x, const Batch&, double a, std::span<double> g) override {
    for (std::size_t k = 0; k < x.size(); ++k) g[k] += a * (x[k] - c_[k]);
  }

 private:
  double height_;
  std::vector<double> c_{0.3, -0.2, 0.1};
};

/// The warnings of a run over the unit ball that speak of the error of the arithmetic; and its result.
std::pair<std::vector<std::string>, RunResult> warnings_of(double height, const Words& stop) {
  std::vector<std::string> warnings;
  HostParts parts;
  parts.parts["objective"] = {Kind::objective, std::make_shared<Raised>(height)};
  const auto hears = [&](Severity severity, const std::string& text) {
    if (severity == Severity::warning && contains(text, "error of the arithmetic")) warnings.push_back(text);
  };
  const Words words{"set.use=l2-ball", "set.radius=1", "algorithm.use=frank-wolfe",
                    "algorithm.step=line-search", "stop.iterations=200"};
  RunResult r = run_composition(compose(build_catalog(), spec_of(words + stop), parts, hears));
  return {warnings, std::move(r)};
}

}  // namespace

TEST_CASE("judgement: far above is a million times the values at the start, for as long as it took") {
  OneNumber f(same, one);
  const auto rises = [](double to, Index from, Index until = 1000) {
    return [=](Index t) { return t < from || t >= until ? 1.0 : to; };
  };
  // From step 5 on: the run ends with step 2 * 5 + 20.
  const RunResult far = traced(f, rises(1.1e6, 5), 200);
  CHECK(far.status == Status::diverged);
  CHECK(far.iterations == 30);
  CHECK(contains(far.failure, "the steps are too long"));
  CHECK(far.measurement.value == 1.0);
  CHECK(traced(f, rises(1.1e6, 12), 200).iterations == 44);
  // Not as far; or back in time.
  CHECK(traced(f, rises(0.9e6, 5), 200).status == Status::iterations);
  CHECK(traced(f, rises(1.1e6, 5, 29), 200).status == Status::iterations);
  // Still far at the last step, however few they are.
  const RunResult last = traced(f, rises(1.1e6, 5), 8);
  CHECK(last.status == Status::diverged);
  CHECK(last.iterations == 8);
  CHECK(traced(f, rises(1.1e6, 5, 8), 8).status == Status::iterations);
}

TEST_CASE("judgement: values that are far and fall begin the count anew") {
  OneNumber f(same, one);
  const auto falls = [](Index t) { return t < 5 ? 1.0 : t > 95 ? 1.0 : 9e8 - 1e6 * static_cast<double>(t); };
  CHECK(traced(f, falls, 100).status == Status::iterations);
  // Three measurements that do not fall, and twice the steps up to the first of them and 20 more.
  const auto stays = [](Index t) {
    return t < 5 ? 1.0 : 9e8 - 1e6 * static_cast<double>(std::min<Index>(t, 10));
  };
  const RunResult r = traced(f, stays, 200);
  CHECK(r.status == Status::diverged);
  CHECK(r.iterations == 40);
}

TEST_CASE("judgement: the scale is the larger of the values at the start and at 0") {
  // f(0) = 1000, f(x_0) = 1.
  OneNumber f([](double x) { return x + 1000.0; }, one);
  const auto to = [](double value) { return [=](Index t) { return (t < 5 ? 1.0 : value) - 1000.0; }; };
  CHECK(traced(f, to(0.9e9), 100).status == Status::iterations);
  CHECK(traced(f, to(1.1e9), 100).status == Status::diverged);
  // f(0) = 0, f(x_0) = -1000.
  OneNumber g(same, one);
  const auto from = [](double value) { return [=](Index t) { return t < 5 ? -1000.0 : value; }; };
  CHECK(traced(g, from(0.9e9), 100).status == Status::iterations);
  CHECK(traced(g, from(1.1e9), 100).status == Status::diverged);
}

TEST_CASE("judgement: a value ten thousand scales below the start with a steep gradient is no minimum") {
  // f(x) = x - x^2/2: gradient 1 at 0, 1 - x at x.
  const auto value = [](double x) { return x - x * x / 2.0; };
  const auto slope = [](double x) { return 1.0 - x; };
  OneNumber f(value, slope);
  // The scale is |f(-1)| = 1.5.
  const auto to = [](double x) { return [=](Index t) { return t < 5 ? -1.0 : x; }; };
  StopOptions stop;
  stop.residual = 1e-9;
  CHECK(traced(f, to(173.0), 40, stop).status == Status::iterations);  // by 14,790, residual 172
  const RunResult r = traced(f, to(176.0), 40, stop);                  // by 15,310
  CHECK(r.status == Status::unbounded);
  CHECK(contains(r.failure, "there is no minimum"));
  // A lower bound that f states is believed.
  OneNumber bounded(value, slope, -1e12);
  CHECK(traced(bounded, to(176.0), 40, stop).status == Status::iterations);
  // As deep with a gradient ten times that at 0 at most.
  OneNumber gentle(value, [](double x) { return std::max(1.0 - x, -9.0); });
  CHECK(traced(gentle, to(176.0), 40, stop).status == Status::iterations);
}

TEST_CASE("judgement: a value 10^10 scales below the start is no minimum unless the gradient vanishes") {
  StopOptions stop;
  stop.residual = 1e-9;
  const auto to = [](double x) { return [=](Index t) { return t < 5 ? -1.0 : x; }; };
  OneNumber line(same, one);
  CHECK(traced(line, to(-0.9e10), 40, stop).status == Status::iterations);
  CHECK(traced(line, to(-1.1e10), 40, stop).status == Status::unbounded);
  OneNumber flatter(same, [](double x) { return x < -1e9 ? 0.4 : 1.0; });
  CHECK(traced(flatter, to(-1.1e10), 40, stop).status == Status::iterations);
}

TEST_CASE("judgement: a stationary point above the start is no solution, but for a thousandth of the scale") {
  StopOptions stop;
  stop.residual = 1e-6;
  const auto flat_from = [](double from) { return [=](double x) { return x >= from ? 0.0 : 1.0; }; };
  const auto to = [](double x) { return [=](Index t) { return t < 5 ? 1.0 : x; }; };
  OneNumber f(same, flat_from(1.0005));
  CHECK(traced(f, to(1.0009), 40, stop).status == Status::residual);
  const RunResult r = traced(f, to(1.0011), 40, stop);
  CHECK(r.status == Status::diverged);
  check_mentions(r.failure, {"flat", "the steps are too long"});
}

TEST_CASE("judgement: a first value that is not finite is replaced by the first that is") {
  const double infinity = std::numeric_limits<double>::infinity();
  OneNumber f([=](double x) { return x == 7.0 ? infinity : x; }, one);
  // f(0) = 0 and f(x_0) is infinite: values are measured by the next, 1.
  const auto to = [](double x) { return [=](Index t) { return t == 0 ? 7.0 : t < 5 ? 1.0 : x; }; };
  CHECK(traced(f, to(0.9e6), 100).status == Status::iterations);
  CHECK(traced(f, to(1.1e6), 100).status == Status::diverged);
}

TEST_CASE(
    "judgement: a gap below the error of the arithmetic is said to be out of reach, once, and ends the run") {
  // The error of the value 1e9 is some 1e-7.
  for (const std::string target : {"stop.gap=1e-10", "stop.relative_gap=1e-19"}) {
    CAPTURE(target);
    const auto [warnings, r] = warnings_of(1e9, {target});
    CHECK(r.status == Status::rounding);
    CHECK(r.iterations < 200);
    CHECK(warnings.size() == 1);
    if (!warnings.empty()) check_mentions(warnings.front(), {"cannot be shown", "larger one"});
  }
  CHECK(warnings_of(1e9, {"stop.gap=1e-3"}).first.empty());
  // A target that can be met ends it, and so keeps it from ending before.
  for (const char* other : {"stop.value=0", "stop.residual=1e-300"}) {
    CAPTURE(other);
    const auto [warnings, r] = warnings_of(1e9, {"stop.gap=1e-10", other});
    CHECK(r.status == Status::iterations);
    CHECK(warnings.size() == 1);
  }
  CHECK(warnings_of(1e9, {}).first.empty());                  // no target, nothing out of reach
  CHECK(warnings_of(0.0, {"stop.gap=1e-10"}).first.empty());  // a small value has a small error
}
