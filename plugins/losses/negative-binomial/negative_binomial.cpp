// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace claros;

/// psi(z, y) = (y + theta) log(1 + exp(z)/theta) - y z, y >= 0. This is the negative binomial likelihood with
/// mean exp(z), variance exp(z) + exp(2 z)/theta and known theta, without terms of y alone. The curvature
/// psi'' is at most (y + theta)/4, which no number bounds for all y. With v = (u + y)/(y + theta) in [0, 1],
/// psi*(u, y) = (y + theta)(v log v + (1 - v) log(1 - v)) + (u + y) log theta.
struct NegativeBinomialLoss {
  double theta = 1.0;
  static const ParameterList& parameters() {
    static const ParameterTable<NegativeBinomialLoss> table{row(
        "theta", &NegativeBinomialLoss::theta, above(0),
        "the variance of a target with mean m is m + m^2/theta; the larger, the closer to Poisson", "theta")};
    return table;
  }

  static constexpr const char* kTargets = "a number >= 0";
  static bool accepts(double y) { return y >= 0.0; }

  /// mean(z) = exp(z), the expected count.
  static constexpr ResponseKind kResponse = ResponseKind::count;
  double mean(double z) const { return std::exp(z); }

  double value(double z, double y) const {
    const double t = z - std::log(theta);
    return (y + theta) * (std::max(t, 0.0) + std::log1p(std::exp(-std::abs(t)))) - y * z;
  }
  double derivative(double z, double y) const { return (y + theta) * share(z) - y; }
  double second_derivative(double z, double y) const { return (y + theta) * share(z) * (1.0 - share(z)); }
  double conjugate(double u, double y) const {
    const double v = (u + y) / (y + theta);
    if (!(v >= 0.0 && v <= 1.0)) return std::numeric_limits<double>::infinity();
    return (y + theta) * sdk::binary_entropy(v) + (u + y) * std::log(theta);
  }
  LossConstants constants() const {
    return {.convex = true,
            .smoothness = std::nullopt,
            .lower_smoothness = 0.0,
            .third = std::nullopt,
            .lower_bound = std::nullopt};
  }

 private:
  /// exp(z) / (theta + exp(z))
  double share(double z) const { return 1.0 / (1.0 + theta * std::exp(-z)); }
};

}  // namespace

CLAROS_PLUGIN(
    sdk::LossOf<NegativeBinomialLoss>, Kind::loss, "negative-binomial", "", "1.0.0",
    "Negative binomial regression with logarithmic link, (y + theta) log(1 + exp(z)/theta) - y z",
    "psi(z, y) = (y + theta) log(1 + exp(z)/theta) - y z, y >= 0: the negative log-likelihood "
    "of counts with mean exp(z) and variance exp(z) + exp(2z)/theta, theta known. For "
    "counts that vary more than Poisson's. Convex.",
    "Lawless: Negative binomial and mixed Poisson regression, Canadian Journal of Statistics 15 (1987)",
    "Use it for counts whose variance exceeds their mean. theta is not estimated: compare "
    "several. psi'' has no common bound: along stochastic gradients proximal-gradient needs "
    "algorithm.step, and coordinate-descent refuses it. Where the variance is close to the mean "
    "take poisson, for amounts that are not counts gamma or tweedie.",
    "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 "
    "data.response=positive objective.use=linear-model objective.loss=negative-binomial "
    "penalty.use=l1 penalty.lambda=0.1*max stop.relative_gap=1e-6")
