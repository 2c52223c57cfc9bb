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
  double lambda = kUnset, mu = kUnset, eps = 0.0, ratio = 0.5;
};

/// R(x) = lambda sum_j (ratio h(x_j) + (1 - ratio)/2 x_j^2), h Huber's function. R is convex, lambda
/// (ratio/mu + 1 - ratio)-smooth and lambda (1 - ratio)-strongly convex. For d entries it is below the
/// elastic net (Zou, Hastie 2005) by at most lambda ratio mu d/2. GK's lambda_1 is lambda ratio, lambda_2 is
/// lambda (1 - ratio)/2.
class ElasticNet final : public sdk::ArraySmoother {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "weight of the elastic net that is smoothed",
                        "take that of the penalty elastic-net, which this one replaces"),
        row("mu", &Options::mu,
            required(above(0),
                     "the value is at most lambda ratio mu d/2 below that of the elastic net of d entries: "
                     "mu = eps/(lambda ratio d) for an error of eps/2"),
            "half the width of the smoothed corners", "mu"),
        row("eps", &Options::eps, at_least(0),
            "instead of mu: how far the value without smoothing may be from its least; mu = 7 eps/(92 "
            "gamma), gamma = lambda ratio d/2 for d entries; 0: not given",
            "eps"),
        row("ratio", &Options::ratio, between(0, 1),
            "share of the sum of magnitudes; the rest is for half the sum of squares")};
    return table;
  }

  ElasticNet(const Options& o, const Context&)
      : one_(o.lambda * o.ratio), two_(o.lambda * (1.0 - o.ratio)), h_{o.mu} {
    sdk::require_composed(o.eps);
  }

  Constants constants() const override {
    const double L = one_ / h_.mu + two_;
    return {.convex = true,
            .smoothness = L,
            .term_smoothness = L,
            .strong_convexity = two_,
            .lower_smoothness = 0.0,
            .lower_bound = 0.0};
  }

 private:
  double value_at(std::span<const double> x) override {
    const double magnitudes = sdk::sum_entries(x, [h = h_](double t) { return h.value(t); });
    if (two_ == 0.0) return one_ * magnitudes;
    const double squares = sdk::sum_entries(x, [](double t) { return t * t; });
    return one_ * magnitudes + 0.5 * two_ * squares;
  }
  void add_gradient_at(std::span<const double> x, double a, std::span<double> g) override {
    sdk::add_entries(
        x, g, [one = a * one_, two = a * two_, h = h_](double t) { return one * h.slope(t) + two * t; });
  }
  bool has_corners() const noexcept override { return true; }
  double gap_factor_at(double entries) const noexcept override { return 0.5 * one_ * entries; }
  double correction_at(std::span<const double> x) override {
    return one_ * sdk::sum_entries(x, [h = h_](double t) { return h.correction(t); });
  }
  bool has_hessian() const noexcept override { return true; }
  void add_hessian_product_at(std::span<const double> x, std::span<const double> d, double a,
                              std::span<double> g) override {
    for (std::size_t j = 0; j < g.size(); ++j) g[j] += a * (one_ * h_.curvature(x[j]) + two_) * d[j];
  }

  double one_, two_;  ///< of the magnitudes, and of half the squares
  sdk::SmoothedMagnitude h_;
};

}  // namespace

CLAROS_PLUGIN(
    ElasticNet, Kind::smoother, "elastic-net", "", "1.0.0",
    "Huber-smoothed elastic net, lambda sum_j (ratio h_mu(x_j) + (1 - ratio)/2 x_j^2)",
    "R(x) = lambda sum_j (ratio h(x_j) + (1 - ratio)/2 x_j^2) with Huber's h(t) = t^2/(2 mu) for |t| <= mu "
    "and |t| - mu/2 beyond: lambda (ratio/mu + 1 - ratio)-smooth, lambda (1 - "
    "ratio)-strongly convex, and below the elastic net by at most lambda ratio mu d/2 for d entries.",
    "Garber, Kaplan: Fast stochastic algorithms for low-rank and nonsmooth matrix problems, AISTATS 2019, "
    "section 4.2.3; Zou, Hastie: Regularization and variable selection via the "
    "elastic net, JRSS B 2005",
    "Use it for an elastic net over a set, or with an algorithm that takes no penalty, such "
    "as frank-wolfe. Entries become small, not 0, and the gap is that of f + R, which the "
    "squares make strongly convex. A small mu takes many steps. Without a set take the penalty "
    "elastic-net, which has zeros and a duality gap.",
    "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 "
    "objective.use=linear-model smoother.use=elastic-net smoother.lambda=0.1 smoother.mu=0.01 "
    "set.use=box set.lower=-1 stop.relative_gap=1e-6")
