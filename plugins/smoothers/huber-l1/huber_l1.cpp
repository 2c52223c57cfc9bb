// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_smoother.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/entries.hpp>
#include <shared/losses/parallel_entries.hpp>
#include <shared/penalties/smoothed_magnitude.hpp>

namespace {

using namespace claros;

struct Options {
  double lambda = kUnset;
  double mu = kUnset;
  double eps = 0.0;
};

/// R(x) = lambda sum_j h(x_j), h Huber's function (shared/penalties/smoothed_magnitude.hpp): convex,
/// (lambda/mu)-smooth, and of d entries between lambda ||x||_1 - lambda mu d/2 and lambda ||x||_1.
class HuberL1 final : public sdk::ArraySmoother {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "weight of the sum of magnitudes that is smoothed",
                        "take that of the sum of magnitudes itself, which this one replaces"),
        row("mu", &Options::mu,
            required(above(0),
                     "the value is at most lambda mu d/2 below that of the sum of magnitudes of d entries: "
                     "mu = eps/(lambda d) for an "
                     "error of eps/2"),
            "half the width of the smoothed corner; R is lambda/mu-smooth", "mu"),
        row("eps", &Options::eps, at_least(0),
            "instead of mu: how far the value without smoothing may be from its least; mu = 7 eps/(92 "
            "gamma), gamma = lambda d/2 for d entries; 0: not given",
            "eps")};
    return table;
  }

  HuberL1(const Options& options, const Context&) : lambda_(options.lambda), h_{options.mu} {
    sdk::require_composed(options.eps);
  }

  Constants constants() const override {
    const double L = lambda_ / h_.mu;
    return {
        .convex = true, .smoothness = L, .term_smoothness = L, .lower_smoothness = 0.0, .lower_bound = 0.0};
  }

 private:
  double value_at(std::span<const double> x) override {
    return lambda_ * sdk::sum_entries(x, [h = h_](double t) { return h.value(t); });
  }
  void add_gradient_at(std::span<const double> x, double a, std::span<double> g) override {
    sdk::add_entries(x, g, [by = a * lambda_, h = h_](double t) { return by * h.slope(t); });
  }
  bool has_corners() const noexcept override { return true; }
  double gap_factor_at(double entries) const noexcept override { return 0.5 * lambda_ * entries; }
  double correction_at(std::span<const double> x) override {
    return lambda_ * sdk::sum_entries(x, [h = h_](double t) { return h.correction(t); });
  }
  bool has_hessian() const noexcept override { return true; }
  void add_hessian_product_at(std::span<const double> x, std::span<const double> d, double a,
                              std::span<double> g) override {
    for (std::size_t j = 0; j < g.size(); ++j) g[j] += a * lambda_ * h_.curvature(x[j]) * d[j];
  }

  double lambda_;
  sdk::SmoothedMagnitude h_;
};

}  // namespace

CLAROS_PLUGIN(HuberL1, Kind::smoother, "huber-l1", "", "1.0.0",
              "Huber-smoothed l1 norm, lambda sum_j h_mu(x_j)",
              "R(x) = lambda sum_j h(x_j) with Huber's h(t) = t^2/(2 mu) for |t| <= mu and |t| - mu/2 "
              "beyond: lambda/mu-smooth, and below "
              "lambda ||x||_1 by at most lambda mu d/2 for d entries. The value that a run reports is that "
              "with R, `unsmoothed` that with lambda ||x||_1.",
              "Garber, Kaplan: Fast stochastic algorithms for low-rank and nonsmooth matrix problems, "
              "AISTATS 2019, section 4",
              "Use it for an l1 term over a set, or with an algorithm that takes no penalty, such as "
              "frank-wolfe. Entries become small, not 0, and the gap is that of f + R; give eps to choose "
              "mu by the error. A small mu takes many steps. Without a set take the penalty l1, which has "
              "zeros and a duality gap.",
              "data.use=synthetic-sparse-low-rank data.rows=30 objective.use=distance smoother.use=huber-l1 "
              "smoother.lambda=2 smoother.mu=0.1 set.use=nuclear-ball set.radius=400 stop.relative_gap=1e-6")
