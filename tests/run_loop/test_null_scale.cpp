// SPDX-License-Identifier: BSD-3-Clause
// What the scale of residuals costs: the model of the intercept alone is fitted to the digits that a scale
// needs, in a few gradients, and not to the last that a slope of rounding has.
#include "estimator_problems.hpp"
#include "scripted.hpp"

#include <claros/sdk/array_objective.hpp>

#include <cmath>

namespace claros::test::null_scale {

namespace {

constexpr std::size_t kRows = 400, kCols = 3;

/// Mean of log(1 + exp(-y_i (a_i'w + b))), b last and free; every third y_i is -1. Values and slopes in b
/// have twelve and thirteen digits, as sums over very many rows have.
class Logistic final : public sdk::ArrayObjective, public FreeTail {
 public:
  Logistic() : ArrayObjective(Shape::vector(kCols + 1)) {}
  Shape constrained_shape() const override { return Shape::vector(kCols); }
  Constants constants() const override { return {.convex = true, .smoothness = 10.0}; }
  void* ability(std::string_view id) noexcept override {
    void* mine = offer<FreeTail>(this, id);
    return mine ? mine : ArrayObjective::ability(id);
  }
  Index values = 0, gradients = 0;

 protected:
  double value_at(std::span<const double> x) override {
    ++values;
    double sum = 0.0;
    for (std::size_t i = 0; i < kRows; ++i) sum += std::log1p(std::exp(-sign(i) * product(i, x)));
    return sum / kRows * (1.0 + 1e-13 * std::sin(1e9 * x[kCols]));
  }
  void add_gradient_at(std::span<const double> x, const Batch&, double a, std::span<double> g) override {
    ++gradients;
    for (std::size_t i = 0; i < kRows; ++i) {
      const double slope = -sign(i) / (1.0 + std::exp(sign(i) * product(i, x))) * a / kRows;
      for (std::size_t j = 0; j < kCols; ++j) g[j] += slope * a_[i * kCols + j];
      g[kCols] += slope;
    }
    g[kCols] += 1e-12 * a * std::sin(1e9 * x[kCols]);
  }

 private:
  static double sign(std::size_t i) { return i % 3 == 0 ? -1.0 : 1.0; }
  double product(std::size_t i, std::span<const double> x) const {
    double z = x[kCols];
    for (std::size_t j = 0; j < kCols; ++j) z += a_[i * kCols + j] * x[j];
    return z;
  }
  std::vector<double> a_ = normals(41, kRows* kCols);
};

/// Stays where it is.
class Still final : public Algorithm {
 public:
  std::vector<Need> needs() const override { return {}; }
  Takes takes() const override { return {}; }
  void start(const Problem&, Element x0) override { x_ = std::move(x0); }
  void step() override {}
  const Element& iterate() const override { return x_; }

 private:
  Element x_;
};

}  // namespace

TEST_CASE("null scale: a few gradients, and the gradient at the best intercept to nine digits") {
  Logistic f;
  Plain plain;
  Still algorithm;
  Problem problem;
  problem.objective = &f;
  problem.estimator = &plain;
  RunSettings settings;
  settings.stop.iterations = 1;
  settings.stop.residual = 1e-6;
  const RunResult r = run_bare(problem, algorithm, Element(f.shape()), settings);
  const Index evaluations = f.values + f.gradients;
  CHECK(evaluations > 1);
  CHECK(evaluations <= 28);
  // The best intercept is log(p / (1 - p)), p the share of responses of 1.
  const double share = 1.0 - std::ceil(kRows / 3.0) / kRows;
  Element g(f.shape());
  f.add_gradient(Element::dense(f.shape(), {0.0, 0.0, 0.0, std::log(share / (1.0 - share))}), Batch::all(),
                 1.0, g);
  const std::vector<double> slope = g.to_dense();
  CHECK(std::abs(slope[kCols]) <= 1e-11);
  CHECK(r.residual_scale == doctest::Approx(std::hypot(slope[0], slope[1], slope[2])).epsilon(1e-9));
}

}  // namespace claros::test::null_scale
