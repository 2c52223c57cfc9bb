// SPDX-License-Identifier: BSD-3-Clause
// A residual is never smaller than what it is: the error of a projection, the cancellation in a difference of
// factors and a step that rounding swallows are parts of it.
#include "scripted.hpp"
#include "spectral_sets.hpp"

#include <claros/sdk/array_objective.hpp>

#include <sstream>

namespace claros::test::sound_residuals {

namespace {

/// f(X) = sum_ij w_ij (X_ij - V_ij)^2 / 2 with weights between 0.1 and 1, symmetric.
class Weighted final : public sdk::ArrayObjective {
 public:
  Weighted(Engine& engine, Index side)
      : ArrayObjective(Shape::matrix(side, side)), w_(static_cast<std::size_t>(side * side)), v_(w_.size()) {
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(0.1, 1.0);
    const auto n = static_cast<std::size_t>(side);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i <= j; ++i) {
        w_[j * n + i] = w_[i * n + j] = uniform(engine);
        v_[j * n + i] = v_[i * n + j] = normal(engine);
      }
    w_.front() = 1.0;
  }
  Constants constants() const override { return {.convex = true, .smoothness = 1.0, .term_smoothness = 1.0}; }
  std::vector<double> gradient(const std::vector<double>& x) const {
    std::vector<double> g(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) g[k] = w_[k] * (x[k] - v_[k]);
    return g;
  }

 protected:
  double value_at(std::span<const double> x) override {
    double sum = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += 0.5 * w_[k] * (x[k] - v_[k]) * (x[k] - v_[k]);
    return sum;
  }
  void add_gradient_at(std::span<const double> x, const Batch&, double a, std::span<double> g) override {
    for (std::size_t k = 0; k < x.size(); ++k) g[k] += a * w_[k] * (x[k] - v_[k]);
  }

 private:
  std::vector<double> w_, v_;
};

double length(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

/// ||X - P(X - grad f(X))|| / ||grad f(0)||, entry by entry.
double residual(const Weighted& f, const SpectralSet& set, const Element& answer) {
  const Shape shape = answer.shape();
  std::vector<double> x = answer.to_dense(), v = x;
  const std::vector<double> g = f.gradient(x);
  for (std::size_t k = 0; k < v.size(); ++k) v[k] -= g[k];
  const std::vector<double> next = set.projected(Element::dense(shape, v));
  for (std::size_t k = 0; k < x.size(); ++k) x[k] -= next[k];
  return length(x) / length(f.gradient(std::vector<double>(x.size(), 0.0)));
}

RunResult solve_over(const std::string& set, double radius, std::shared_ptr<Component> objective,
                     const Words& more) {
  HostParts parts;
  parts.parts["objective"] = {Kind::objective, std::move(objective)};
  return run_composition(compose(
      build_catalog(),
      spec_of(Words{"set.use=" + set, "set.radius=" + print_real(radius), "algorithm.use=proximal-gradient"} +
              more),
      parts));
}

}  // namespace

TEST_CASE(
    "sound residuals: over sets of spectra they are no smaller than by decompositions of all entries, at "
    "every radius") {
  for (const std::string set : {"psd-trace", "spectrahedron"})
    for (const Index side : {8, 40})
      for (const double radius : {1e-3, 1.0, 1e2, 1e3, 1e4, 1e5, 1e9}) {
        CAPTURE(set);
        CAPTURE(side);
        CAPTURE(radius);
        Engine engine(7);
        const auto f = std::make_shared<Weighted>(engine, side);
        const RunResult r = solve_over(set, radius, f, {"stop.residual=1e-6", "stop.iterations=400"});
        CAPTURE(r.failure);
        const double own = residual(*f, SpectralSet(set, radius), r.answer),
                     rounding = 1e-15 * radius / r.residual_scale;
        CHECK(r.measurement.residual >= 0.99 * own - rounding);
        if (r.status == Status::residual) CHECK(own <= 1.01e-6 + rounding);
        if (radius <= 1e5) CHECK(r.status == Status::residual);
      }
}

TEST_CASE(
    "sound residuals: the error that a step states is a part of them, exact or not; without one nothing is "
    "known") {
  /// The step of h = 0, known to what is stated.
  class Identity final : public Component, public ProximalOracle {
   public:
    explicit Identity(Certificate says) : says_(says) {}
    Certificate apply(const Element& v, double, Element& x, const Accuracy&) override { return x = v, says_; }
    double value(const Element&) override { return 0.0; }
    void* ability(std::string_view id) noexcept override { return offer<ProximalOracle>(this, id); }

   private:
    Certificate says_;
  };
  const auto residual_with = [](const Certificate& says) {
    Engine engine(9);
    HostParts parts;
    parts.parts["objective"] = {Kind::objective, std::make_shared<Weighted>(engine, 4)};
    parts.parts["penalty"] = {Kind::penalty, std::make_shared<Identity>(says)};
    const RunResult r = run_composition(
        compose(build_catalog(), spec_of({"algorithm.use=proximal-gradient", "stop.iterations=300"}), parts));
    return r.measurement.residual * r.residual_scale;
  };
  CHECK(residual_with({.exact = true}) < 1e-10);
  CHECK(residual_with({.exact = true, .error = 0.01}) == doctest::Approx(0.01).epsilon(1e-6));
  CHECK(residual_with({.exact = false, .error = 0.01}) == doctest::Approx(0.01).epsilon(1e-6));
  CHECK(std::isnan(residual_with({.exact = false})));
}

TEST_CASE("sound residuals: measuring changes neither the bits nor the counts of projections") {
  for (const std::string set : {"psd-trace", "spectrahedron", "nuclear-ball"})
    for (const Words& more :
         {Words{}, Words{"stop.residual=1e-14"}, Words{"stop.residual=1e-14", "algorithm.accelerate=yes"}}) {
      CAPTURE(set);
      Engine engine(11);
      const auto f = std::make_shared<Weighted>(engine, 60);
      const auto run = [&](const Words& trace) {
        return solve_over(set, 20.0, f, Words{"stop.iterations=30"} + more + trace);
      };
      const RunResult quiet = run({"trace.on=no"});
      for (const Words& trace : {Words{"trace.on=yes"}, Words{"trace.every=1"}, Words{"trace.every=4"}}) {
        const RunResult r = run(trace);
        CHECK(r.counts == quiet.counts);
        CHECK(r.status == quiet.status);
        CHECK(same_bits(r.answer, quiet.answer));
      }
    }
}

TEST_CASE("sound residuals: a step lost to rounding is not stationarity") {
  // Columns so small that the coefficients are of 1e6 to 1e8: x - s g is x for s = 1.
  for (const double size : {1e-7, 1e-8, 1e-9}) {
    CAPTURE(size);
    Engine engine(5);
    std::normal_distribution<double> normal;
    constexpr std::size_t kRows = 200, kColumns = 4;
    std::vector<std::vector<double>> A(kRows, std::vector<double>(kColumns));
    std::vector<double> y(kRows);
    for (std::size_t i = 0; i < kRows; ++i) {
      double z = 0.5;
      for (std::size_t j = 0; j < kColumns; ++j) {
        const double a = normal(engine);
        A[i][j] = size * a, z += 0.4 * a;
      }
      y[i] = static_cast<double>(std::poisson_distribution<int>(std::exp(z))(engine));
    }
    TestFolder folder;
    std::ostringstream text;
    for (std::size_t i = 0; i < kRows; ++i) {
      for (const double a : A[i]) text << print_real(a) << ',';
      text << print_real(y[i]) << '\n';
    }
    folder.put("rows.csv", text.str());
    HostParts parts;
    const std::vector<double> start(kColumns, 0.1 / size);
    parts.start = std::make_shared<const Element>(Element::dense(Shape::vector(kColumns), start));
    const RunResult r = run_composition(
        compose(build_catalog(),
                spec_of({"objective.use=linear-model", "objective.intercept=no", "objective.standardize=no",
                         "objective.loss=poisson", "objective.data=" + (folder / "rows.csv").string(),
                         "penalty.use=l1", "penalty.lambda=1e-12", "algorithm.use=proximal-gradient",
                         "stop.residual=1e-6", "stop.iterations=3"}),
                parts));
    // The gradient itself, which the penalty changes by a part of 1e-4 at most, over that at 0.
    const auto slope = [&](const std::vector<double>& x) {
      std::vector<double> g(kColumns, 0.0);
      for (std::size_t i = 0; i < kRows; ++i) {
        double z = 0.0;
        for (std::size_t j = 0; j < kColumns; ++j) z += A[i][j] * x[j];
        for (std::size_t j = 0; j < kColumns; ++j) g[j] += A[i][j] * (std::exp(z) - y[i]) / kRows;
      }
      return length(g);
    };
    CAPTURE(r.failure);
    REQUIRE(std::isfinite(r.trace.front().residual));
    const double own = slope(start) / slope(std::vector<double>(kColumns, 0.0));
    CHECK(r.trace.front().residual > 0.1 * own);
    CHECK(r.trace.front().residual > 1e-3);
    if (r.status == Status::residual)
      CHECK(slope(r.answer.to_dense()) <= 1e-4 * slope(std::vector<double>(kColumns, 0.0)));
  }
}

}  // namespace claros::test::sound_residuals
