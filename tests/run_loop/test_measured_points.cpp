// SPDX-License-Identifier: BSD-3-Clause
// What a run measures at points that a script gives, with a row after each: gaps and residuals against their
// definitions in plain loops. Steps whose length is unknown, far starts, smoothers, concave penalties, points
// a little outside the set and oracles with a tolerance come in one after the other.
#include "compose_for_test.hpp"

#include <claros/sdk/array_objective.hpp>

#include "../core/small_svrg.hpp"
#include "scripted.hpp"

#include <functional>
#include <limits>
#include <numeric>

namespace claros::test::measured_points {

namespace {

using Vector = std::vector<double>;
constexpr std::size_t kSize = 3;
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
double length(const Vector& a) { return std::sqrt(dot(a, a)); }
Vector minus(const Vector& a, const Vector& b) {
  Vector d(a);
  for (std::size_t j = 0; j < d.size(); ++j) d[j] -= b[j];
  return d;
}

/// sum_j a_j rho(x_j - c_j), rho(t) = t^2/2, or sqrt(1 + t^2) - 1, which is linear far out.
class Sum final : public sdk::ArrayObjective {
 public:
  Sum(Vector a, Vector c, bool flat, std::optional<double> smoothness, Index terms = 1)
      : ArrayObjective(Shape::vector(kSize), terms),
        a_(std::move(a)),
        c_(std::move(c)),
        flat_(flat),
        smoothness_(smoothness) {}
  Constants constants() const override { return {.convex = convex, .smoothness = smoothness_}; }
  bool convex = true;
  double at(const Vector& x) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < kSize; ++j) {
      const double t = x[j] - c_[j];
      sum += a_[j] * (flat_ ? std::sqrt(1.0 + t * t) - 1.0 : 0.5 * t * t);
    }
    return sum;
  }
  Vector slope(const Vector& x) const {
    Vector g(kSize);
    for (std::size_t j = 0; j < kSize; ++j) {
      const double t = x[j] - c_[j];
      g[j] = a_[j] * (flat_ ? t / std::sqrt(1.0 + t * t) : t);
    }
    return g;
  }

 protected:
  double value_at(std::span<const double> x) override { return at({x.begin(), x.end()}); }
  void add_gradient_at(std::span<const double> x, const Batch&, double a, std::span<double> g) override {
    const Vector s = slope({x.begin(), x.end()});
    for (std::size_t j = 0; j < kSize; ++j) g[j] += a * s[j];
  }

 private:
  Vector a_, c_;
  bool flat_;
  std::optional<double> smoothness_;
};

/// lambda ||x||_1 - (mu/2) ||x||^2; a step of s < 1/mu of one entry.
class Concave final : public ProximalOracle, public Conjugate {
 public:
  Concave(double lambda, double mu) : lambda_(lambda), mu_(mu) {}
  double step_of(double v, double s) const {
    return std::copysign(std::max(std::abs(v) - s * lambda_, 0.0), v) / (1.0 - s * mu_);
  }
  Certificate apply(const Element& v, double s, Element& x, const Accuracy&) override {
    Vector made = v.to_dense();
    for (double& one : made) one = step_of(one, s);
    x = Element::dense(v.shape(), std::move(made));
    return {};
  }
  double at(const Vector& x) const {
    double sum = 0.0;
    for (const double one : x) sum += lambda_ * std::abs(one) - 0.5 * mu_ * one * one;
    return sum;
  }
  double value(const Element& x) override { return at(x.to_dense()); }
  double weak_convexity() const override { return mu_; }
  double conjugate(const Element& u) override {
    double largest = 0.0;
    for (const double one : u.to_dense()) largest = std::max(largest, std::abs(one));
    return largest <= lambda_ * (1.0 + 1e-12) ? 0.0 : std::numeric_limits<double>::infinity();
  }
  double into_domain(const Element& u) override {
    double largest = 0.0;
    for (const double one : u.to_dense()) largest = std::max(largest, std::abs(one));
    return largest <= lambda_ ? 1.0 : lambda_ / largest;
  }

 private:
  double lambda_, mu_;
};

/// The box [-1, 1]^3. `outside`: the violation that is said of points beyond; `share`: by how much of it the
/// lower bound of the oracle may be too low, per tolerance.
class Cube final : public Component, public LinearOracle, public ProximalOracle, public Membership {
 public:
  OracleInfo minimize(const Element& direction, const OracleRequest& request, Element& vertex) override {
    Vector v = direction.to_dense();
    double value = 0.0;
    for (double& one : v) value -= std::abs(one), one = one > 0.0 ? -1.0 : 1.0;
    vertex = Element::dense(direction.shape(), std::move(v));
    asked.push_back(request.tolerance);
    if (on_asked) on_asked();
    return {.value = value,
            .lower_bound = value - share * request.tolerance * std::abs(value),
            .confirmed = request.tolerance >= tightest};
  }
  double diameter(const Shape&) override { return 2.0 * std::sqrt(3.0); }
  Certificate apply(const Element& v, double, Element& x, const Accuracy&) override {
    Vector made = v.to_dense();
    for (double& one : made) one = std::clamp(one, -1.0, 1.0);
    x = Element::dense(v.shape(), std::move(made));
    return {};
  }
  double value(const Element& x) override { return beyond(x) ? kInfinity : 0.0; }
  double violation(const Element& x) override { return beyond(x) ? outside : 0.0; }
  void* ability(std::string_view id) noexcept override {
    return offer<LinearOracle, ProximalOracle, Membership>(this, id);
  }
  double outside = 0.0, share = 0.0, tightest = 0.0;
  std::vector<double> asked;
  std::function<void()> on_asked;

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static bool beyond(const Element& x) {
    for (const double one : x.to_dense())
      if (std::abs(one) > 1.0) return true;
    return false;
  }
};

/// x_t is the t-th point, beside it the t-th subgradient.
class Points final : public Algorithm {
 public:
  explicit Points(std::vector<Vector> all) : all_(std::move(all)) {}
  std::vector<Need> needs() const override { return {}; }
  Takes takes() const override {
    return {.penalty = true, .set = true, .both = true, .subgradient = true, .smoother = true};
  }
  void start(const Problem& problem, Element) override { problem_ = problem, t_ = 0, set(); }
  void step() override {
    (void)problem_.estimator->estimate(x_);
    ++t_, set();
  }
  const Element& iterate() const override { return x_; }
  const Element* penalty_subgradient() override { return subgradients.empty() ? nullptr : &u_; }
  std::vector<Vector> subgradients;

 private:
  void set() {
    const std::size_t k = std::min(t_, all_.size() - 1);
    x_ = Element::dense(Shape::vector(kSize), all_[k]);
    if (!subgradients.empty()) u_ = Element::dense(Shape::vector(kSize), subgradients[k]);
  }
  std::vector<Vector> all_;
  Problem problem_;
  Element x_, u_;
  std::size_t t_ = 0;
};

/// A row for each point, none of which ends the run.
RunResult rows_at(Problem problem, const std::vector<Vector>& points, bool residual = false,
                  std::vector<Vector> subgradients = {}) {
  Points algorithm(points);
  algorithm.subgradients = std::move(subgradients);
  Plain plain;
  problem.estimator = &plain;
  RunSettings settings;
  settings.stop.iterations = std::ssize(points) - 1;
  if (residual) settings.stop.residual = 1e-300;
  settings.trace.every = 1;
  if (points.size() == 1) settings.on_row = [](const TraceRow&) { return false; };
  return run_bare(problem, algorithm, Element(Shape::vector(kSize)), settings);
}

/// Points of sizes from 1e-3 to 1e3.
std::vector<Vector> drawn_points(std::uint64_t seed, double size = 0.0) {
  Engine engine(seed);
  std::normal_distribution<double> normal;
  std::vector<Vector> all;
  for (int k = 0; k < 12; ++k) {
    const double factor = size > 0.0 ? size : std::pow(10.0, static_cast<double>(k % 7) - 3.0);
    Vector x(kSize);
    for (double& one : x) one = factor * normal(engine);
    if (k % 4 == 3) x[1] = 0.0;
    all.push_back(x);
  }
  return all;
}

struct Parts {
  const Sum& f;
  const Sum* R;
  const Concave* h;
  bool cube;
};

/// The residual of x by its definition (measurer.hpp) and the number that it is relative to.
std::pair<double, double> residual_at(const Parts& p, const Vector& x, std::optional<double> L, double mu) {
  const auto smooth = [&](const Vector& at) { return p.f.at(at) + (p.R ? p.R->at(at) : 0.0); };
  const auto slope = [&](const Vector& at) {
    Vector g = p.f.slope(at);
    if (p.R) {
      const Vector more = p.R->slope(at);
      for (std::size_t j = 0; j < kSize; ++j) g[j] += more[j];
    }
    return g;
  };
  const Vector g = slope(x);
  // The proximal step of h + mu ||.||^2/2 at (1 + s mu) x - s g is that of h of length t at x - t g.
  const auto next_of = [&](double s) {
    const double t = s / (1.0 + s * mu);
    Vector next(kSize);
    for (std::size_t j = 0; j < kSize; ++j) {
      const double to = x[j] - t * g[j];
      next[j] = p.cube ? std::clamp(to, -1.0, 1.0) : p.h->step_of(to, t);
    }
    return next;
  };
  double s =
      L ? 1.0 / *L : std::max(1.0, 1e6 * std::numeric_limits<double>::epsilon() * length(x) / length(g));
  Vector next = next_of(s);
  if (!L) {
    // So far that x - s g is four times as far out as the points, and then by quarters until f lies below its
    // quadratic bound.
    const double longest = 4.0 * std::max(length(x), length(next)) / length(g);
    s = std::min(s, longest);
    for (;; s *= 0.25) {
      next = next_of(s);
      const Vector move = minus(next, x);
      if (smooth(next) <=
          smooth(x) + dot(g, move) + dot(move, move) / (2.0 * s) + 1e-13 * std::abs(smooth(x)))
        break;
    }
  }
  const Vector move = minus(next, x);
  const double scale = length(slope(Vector(kSize, 0.0)));
  double r = length(move) * (1.0 + s * mu) / s / scale;
  if (p.h) {
    const double fall = p.h->at(x) - p.h->at(next) - dot(g, move) - dot(move, move) / (2.0 * s),
                 value = smooth(x) + p.h->at(x);
    if (fall > 1e-15 * (std::abs(p.h->at(x)) + length(g) * length(move)))
      r = std::max(r, fall / std::max(std::abs(value), scale * length(x)));
  }
  return {r, scale};
}

}  // namespace

TEST_CASE("measured points: residuals are moves over their step, or what the step takes of the value") {
  struct Case {
    const char* name;
    bool flat, known, smoother, cube;
    double steepness, lambda, mu;
  };
  for (const Case& c : {Case{"known L", false, true, false, false, 2.0, 0.3, 0.0},
                        Case{"known L, steep penalty", false, true, false, false, 2.0, 1e4, 0.0},
                        Case{"known L, smoother", false, true, true, false, 2.0, 0.3, 0.0},
                        Case{"known L, concave", false, true, false, false, 2.0, 0.3, 0.4},
                        Case{"unknown L", false, false, false, false, 9.0, 0.3, 0.0},
                        Case{"unknown L, steep penalty", false, false, false, false, 9.0, 500.0, 0.0},
                        Case{"unknown L, smoother", false, false, true, false, 0.7, 0.3, 0.0},
                        Case{"unknown L, concave", false, false, false, false, 3.0, 0.3, 0.4},
                        Case{"unknown L, concave, smoother", true, false, true, false, 3.0, 0.3, 0.4},
                        Case{"linear far out", true, false, false, false, 5.0, 0.2, 0.0},
                        Case{"gentle, linear far out", true, false, false, false, 1e-3, 1e-4, 0.0},
                        Case{"set", true, false, false, true, 5.0, 0.0, 0.0},
                        Case{"set, known L", false, true, false, true, 5.0, 0.0, 0.0}}) {
    CAPTURE(c.name);
    const Vector a{c.steepness, 0.3 * c.steepness, 0.7 * c.steepness};
    const std::optional<double> L = c.known ? std::optional(c.steepness) : std::nullopt;
    Sum f(a, {1.5, -0.4, 3.0}, c.flat, L), R({0.0, 2.0, 5.0}, {0.2, 0.1, -1.0}, false, 5.0);
    Concave h(c.lambda, c.mu);
    Cube cube;
    Problem problem;
    problem.objective = &f;
    if (c.smoother) problem.smoother = &R;
    if (c.cube)
      problem.set = &cube, problem.projection = &cube;
    else
      problem.penalty = &h;
    std::vector<Vector> points = c.cube ? drawn_points(3, 0.3) : drawn_points(3);
    for (Vector& x : points)
      if (c.cube)
        for (double& one : x) one = std::clamp(one, -1.0, 1.0);
    const RunResult r = rows_at(problem, points);
    REQUIRE_MESSAGE(r.failure.empty(), r.failure);
    REQUIRE(r.trace.size() == points.size());
    const std::optional<double> both = L ? std::optional(*L + (c.smoother ? 5.0 : 0.0)) : std::nullopt;
    for (std::size_t k = 0; k < points.size(); ++k) {
      CAPTURE(k);
      const auto [expected, scale] =
          residual_at({f, c.smoother ? &R : nullptr, c.cube ? nullptr : &h, c.cube}, points[k], both, c.mu);
      CHECK(r.trace[k].residual == doctest::Approx(expected).epsilon(1e-6));
      CHECK(r.residual_scale == doctest::Approx(scale).epsilon(1e-12));
      CHECK(std::isnan(r.trace[k].gap));
    }
  }
}

TEST_CASE("measured points: the gap of a penalty on a set is that of every subgradient") {
  for (const bool smoothed : {false, true}) {
    Sum f({2.0, 0.6, 1.4}, {1.5, -0.4, 3.0}, true, {}), R({0.0, 2.0, 0.5}, {0.2, 0.1, -1.0}, false, {});
    Concave h(0.8, 0.0);
    Cube cube;
    Problem problem;
    problem.objective = &f, problem.penalty = &h, problem.set = &cube, problem.subgradient = true;
    problem.linear_oracle = &cube, problem.projection = &cube, problem.conjugate = &h;
    if (smoothed) problem.smoother = &R;
    const std::vector<Vector> points = drawn_points(5, 0.25), subgradients = drawn_points(6, 0.7);
    const RunResult r = rows_at(problem, points, false, subgradients);
    REQUIRE_MESSAGE(r.failure.empty(), r.failure);
    int scaled = 0;
    double bound = -std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < points.size(); ++k) {
      Vector u = subgradients[k];
      double largest = 0.0;
      for (const double one : u) largest = std::max(largest, std::abs(one));
      if (largest > 0.8)
        for (double& one : u) one *= 0.8 / largest;
      scaled += largest > 0.8;
      Vector g = f.slope(points[k]);
      for (std::size_t j = 0; smoothed && j < kSize; ++j) g[j] += R.slope(points[k])[j];
      double gap = h.at(points[k]) + dot(g, points[k]);
      for (std::size_t j = 0; j < kSize; ++j) gap += std::abs(g[j] + u[j]);
      const double value = f.at(points[k]) + h.at(points[k]) + (smoothed ? R.at(points[k]) : 0.0);
      // Or what the largest bound so far leaves, if that is less.
      CHECK(r.trace[k].gap == doctest::Approx(std::min(gap, value - bound)).epsilon(1e-12));
      CHECK(r.trace[k].value == doctest::Approx(value).epsilon(1e-13));
      CHECK(std::isnan(r.trace[k].residual));
      bound = std::max(bound, value - gap);
    }
    CHECK(scaled > 0);
    CHECK(scaled < std::ssize(points));
    // The largest of all bounds, where all terms are convex.
    CHECK(r.lower_bound == doctest::Approx(bound).epsilon(1e-12));
    CHECK(r.measurement.bounds_minimum);
    (smoothed ? R : f).convex = false;
    const RunResult concave = rows_at(problem, points, false, subgradients);
    CHECK(concave.trace.back().gap >= r.trace.back().gap);  // no bound of another point holds here
    CHECK(concave.measurement.confirmed);
    CHECK_FALSE(concave.measurement.bounds_minimum);
    CHECK(std::isinf(concave.lower_bound));
  }
}

// f is linear there and has its least value over the cube at (1, 1, 1). A little beyond, the gap is negative:
// no gap at all, but for as much as the violation allows: so much of the distance to the farthest point of
// the set, times the slope.
TEST_CASE("measured points: outside the set a gap below 0 is excused by the violation, and by no more") {
  for (const double outside : {1e-5, 1e-7}) {
    CAPTURE(outside);
    Sum f({1e-7, 1e-7, 1e-7}, {3e7, 2e7, 1e7}, false, 1e-7);
    Cube cube;
    cube.outside = outside;
    Problem problem;
    problem.objective = &f, problem.set = &cube, problem.linear_oracle = &cube;
    const double size = std::sqrt(3.0), slope = std::sqrt(14.0), farthest = 3.0 * size,
                 excused = outside * farthest * slope;
    std::vector<Vector> points{{1.0, 1.0, 1.0}, {0.5, 1.0, 1.0}};
    for (const double share : {0.5, 0.9}) points.push_back(Vector(kSize, 1.0 + share * excused / 6.0));
    points.push_back({1.0, 1.0, 1.0});
    const RunResult r = rows_at(problem, points);
    REQUIRE_MESSAGE(r.failure.empty(), r.failure);
    // f is some 7e7 there, and its values are rounded by 1e-8, which is part of what is allowed.
    const double rounding = r.trace[0].gap;
    CHECK(rounding > 1e-9);
    CHECK(rounding < 2e-6);
    CHECK(r.trace[1].gap == doctest::Approx(1.5).epsilon(1e-5));
    for (const std::size_t k : {2, 3}) {
      const bool refuted = r.trace[k].gap < 0.0;
      if (!refuted) CHECK(r.trace[k].gap >= 0.99 * excused);
      if (!refuted) CHECK(r.trace[k].gap <= excused + 1e-5);
      if (outside == 1e-5) CHECK_FALSE(refuted);
    }
    CHECK(r.trace[4].gap == rounding);
  }
}

TEST_CASE("measured points: an oracle with a tolerance is asked again until that is a share of the gap") {
  Sum f({1.0, 1.0, 1.0}, {3.0, 2.0, 4.0}, false, 1.0);
  std::vector<Vector> points{{-1.0, 0.0, 1.0}};
  for (const double away : {1e-1, 1e-3, 1e-5, 1e-7, 1e-9}) points.push_back({1.0, 1.0, 1.0 - away});
  for (const double tightest : {0.0, 1e-6}) {
    CAPTURE(tightest);
    Cube cube;
    cube.share = 1.0, cube.tightest = tightest;
    Problem problem;
    problem.objective = &f, problem.set = &cube, problem.linear_oracle = &cube;
    for (const Vector& x : points) {
      CAPTURE(x[2]);
      cube.asked.clear();
      const RunResult r = rows_at(problem, {x});
      REQUIRE_MESSAGE(r.failure.empty(), r.failure);
      const Vector g = f.slope(x);
      double exact = dot(g, x), least = 0.0;
      for (const double one : g) exact += std::abs(one), least += std::abs(one);
      double tolerance = 1e-4, expected = exact + tolerance * least;
      for (std::size_t k = 0; k < cube.asked.size(); ++k) {
        CHECK(cube.asked[k] == doctest::Approx(tolerance).epsilon(1e-6));
        if (tolerance < tightest) break;  // not confirmed: the looser one holds
        expected = exact + tolerance * least;
        const double wanted = 0.05 * expected / (least * (1.0 + tolerance));
        const bool enough = tolerance <= 1e-10 || wanted >= tolerance;
        CHECK(enough == (k + 1 == cube.asked.size()));
        tolerance = std::max(1e-10, 0.5 * wanted);
      }
      CHECK(r.trace[0].gap == doctest::Approx(expected).epsilon(1e-5));
      CHECK(r.measurement.confirmed);
      CHECK(r.lower_bound == doctest::Approx(r.trace[0].value - expected).epsilon(1e-12));
    }
  }
}

// The slack is 50 tolerances here. Away from the target nothing is gained by less of it.
TEST_CASE("measured points: a slack that may hide that the target is met is made smaller") {
  constexpr double kAsked = 1e-4;
  Sum f({1.0, 1.0, 1.0}, {3.0, 2.0, 4.0}, false, 1.0);
  for (const double away : {1e-5, 1e-3}) {
    CAPTURE(away);
    Cube cube;
    cube.share = 50.0;
    Problem problem;
    problem.objective = &f, problem.set = &cube, problem.linear_oracle = &cube;
    const Vector x{1.0, 1.0, 1.0 - away};
    Points algorithm({x, x});
    Plain plain;
    problem.estimator = &plain;
    RunSettings settings;
    settings.stop.iterations = 1, settings.stop.gap = kAsked;
    const RunResult r = run_bare(problem, algorithm, Element(Shape::vector(kSize)), settings);
    REQUIRE_MESSAGE(r.failure.empty(), r.failure);
    const Vector g = f.slope(x);
    double exact = dot(g, x);
    for (const double one : g) exact += std::abs(one);
    CHECK((exact <= kAsked) == (away < 1e-4));
    CHECK((r.status == Status::gap) == (exact <= kAsked));
    CHECK(r.measurement.confirmed);
    CHECK(r.measurement.gap >= exact);
    CHECK((cube.asked.back() < 1e-6) == (exact <= kAsked));
  }
}

// Work is counted in component gradients: a measurement of a gap is two passes over the terms.
TEST_CASE("measured points: a measurement of the value and the gap is two passes, and steps are one") {
  Sum f({1.0, 1.0, 1.0}, {3.0, 2.0, 4.0}, false, 1.0);
  Cube cube;
  Problem problem;
  problem.objective = &f, problem.set = &cube, problem.linear_oracle = &cube;
  const std::vector<Vector> points = drawn_points(9, 0.2);
  const RunResult r = rows_at(problem, points);
  CHECK(r.counts.sfo == std::ssize(points) - 1);
  CHECK(r.work == static_cast<double>(r.counts.sfo + r.counts.lo));
  CHECK(r.measuring_work == 2.0 * static_cast<double>(points.size()));
}

namespace {

/// Stays where it is until step `arrives`, and reports of every step that it has met the gap.
class Hopeful final : public Algorithm {
 public:
  Hopeful(Vector stay, Vector solution, Index arrives, double reported)
      : stay_(std::move(stay)), solution_(std::move(solution)), arrives_(arrives), reported_(reported) {}
  std::vector<Need> needs() const override { return {}; }
  Takes takes() const override { return {.set = true}; }
  void start(const Problem& problem, Element) override { problem_ = problem, t = 0, set(); }
  void step() override {
    (void)problem_.estimator->estimate(x_);
    ++t, set();
  }
  const Element& iterate() const override { return x_; }
  StepReport report() const override {
    StepReport r;
    if (std::isfinite(reported_)) r.gap = reported_, r.full_gradient = true;
    return r;
  }
  Index t = 0;

 private:
  void set() { x_ = Element::dense(Shape::vector(kSize), t < arrives_ ? stay_ : solution_); }
  Vector stay_, solution_;
  Index arrives_;
  double reported_;
  Problem problem_;
  Element x_;
};

constexpr Index kTerms = 1000;

/// The steps at which the gap was measured, and how the run ended.
std::pair<std::vector<Index>, RunResult> measured_steps(Hopeful algorithm, Index steps) {
  Sum f({1.0, 1.0, 1.0}, {3.0, 2.0, 4.0}, false, 1.0, kTerms);
  Cube cube;
  std::vector<Index> at;
  cube.on_asked = [&] { at.push_back(algorithm.t); };
  Plain plain;
  Problem problem;
  problem.objective = &f, problem.set = &cube, problem.linear_oracle = &cube, problem.estimator = &plain;
  RunSettings settings;
  settings.stop.iterations = steps, settings.stop.gap = 1e-3, settings.trace.on = false;
  RunResult r = run_bare(problem, algorithm, Element(Shape::vector(kSize)), settings);
  return {at, std::move(r)};
}

}  // namespace

TEST_CASE(
    "measured points: checks of the gap are apart by the square root of twice their cost and the work") {
  constexpr Index kSteps = 3000;
  const auto [at, r] = measured_steps({{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, kSteps + 1, kNone}, kSteps);
  CHECK(r.status == Status::iterations);
  CHECK(r.work == static_cast<double>(kSteps * kTerms));
  // A check costs two passes, a step one: in passes, the next comes when the work t has grown by so much.
  std::vector<Index> expected;
  double next = 0.0;
  for (Index t = 1; t <= kSteps; ++t) {
    const auto work = static_cast<double>(t);
    if (work < next) continue;
    expected.push_back(t);
    next = work + std::max(1.0, std::sqrt(2.0 * 2.0 * work));
  }
  if (expected.back() != kSteps) expected.push_back(kSteps);  // the solution, at the end
  CHECK(at == expected);
  CHECK(r.measuring_work == 2.0 * kTerms * static_cast<double>(at.size()));
  CHECK(r.confirmations_failed == 0);
}

TEST_CASE("measured points: a gap that steps report is confirmed at once, and rarely where it is not there") {
  for (const Index arrives : {1, 2, 400, 2500}) {
    CAPTURE(arrives);
    const auto [at, r] = measured_steps({{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, arrives, 5e-4}, 100'000);
    CHECK(r.status == Status::gap);
    CHECK(r.measurement.gap <= 1e-3);
    // The next confirmation waits for half a percent of the steps, and those that fail for a twentieth of the
    // work, but for the first four.
    CHECK(r.iterations >= arrives);
    CHECK(r.iterations <= arrives + 1 + arrives / 200 + 40);
    const auto most = 5.0 + 0.05 * static_cast<double>(r.iterations) / 2.0;
    CHECK(static_cast<double>(r.confirmations_failed) <= most);
    // What meets the target is asked of twice: by the check, and as the solution. Where nothing is measured
    // for long, a point is measured when the steps have doubled.
    const Index others = std::ssize(at) - 2 - r.confirmations_failed;
    CHECK(others >= 0);
    CHECK(others <= 8);
    if (arrives == 1) CHECK(r.confirmations_failed == 0);
    if (arrives == 2) CHECK(r.confirmations_failed == 1);
    if (arrives == 2500) CHECK(r.confirmations_failed > 40);
  }
}

}  // namespace claros::test::measured_points
