// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace claros;

/// psi(z, y) = (y + theta) log((exp(z) + theta)/(y + theta)) - y (z - log y), y >= 0: half the deviance of
/// the negative binomial likelihood with mean exp(z), variance exp(z) + exp(2 z)/theta and known theta. With
/// t = z - log y it is (y + theta) log(q + p exp(t)) - y t, p = y/(y + theta), q = 1 - p, and inf psi = 0.
/// The curvature psi'' is at most (y + theta)/4, which no number bounds for all y. For -y <= u <= theta,
/// psi*(u, y) = u log y + (u + y) log(1 + u/y) + (theta - u) log(1 - u/theta).
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
    if (y == 0.0) return theta * softplus(z - std::log(theta));
    const double t = z - std::log(y), p = y / (y + theta), q = theta / (y + theta);
    // For a large theta the logarithm is near 0: its rounding times theta would be an error of psi.
    if (std::abs(t) <= 1.0 || (p <= 0.5 && t + std::log(p) <= 0.0))
      return (y + theta) * std::log1p(p * std::expm1(t)) - y * t;
    return t > 0.0 ? (y + theta) * std::log(p + q * std::exp(-t)) + theta * t
                   : (y + theta) * std::log(q + p * std::exp(t)) - y * t;
  }
  double derivative(double z, double y) const { return (y + theta) * share(z) - y; }
  double second_derivative(double z, double y) const { return (y + theta) * share(z) * (1.0 - share(z)); }
  double conjugate(double u, double y) const {
    if (!(u >= -y && u <= theta)) return std::numeric_limits<double>::infinity();
    const double above = u < theta ? (theta - u) * std::log1p(-u / theta) : 0.0;
    if (y == 0.0) return sdk::entropy_term(u) + above;
    return u * std::log(y) + (u > -y ? (u + y) * std::log1p(u / y) : 0.0) + above;
  }
  LossConstants constants() const { return {.convex = true, .lower_smoothness = 0.0, .lower_bound = 0.0}; }

 private:
  /// log(1 + exp(t))
  static double softplus(double t) { return std::max(t, 0.0) + std::log1p(std::exp(-std::abs(t))); }
  /// exp(z) / (theta + exp(z))
  double share(double z) const { return 1.0 / (1.0 + theta * std::exp(-z)); }
};

}  // namespace

CLAROS_PLUGIN(
    sdk::LossOf<NegativeBinomialLoss>, Kind::loss, "negative-binomial", "", "1.0.0",
    "Negative binomial regression with log link, "
    "(y + theta) log((exp(z) + theta)/(y + theta)) - y (z - log y)",
    "psi(z, y) = (y + theta) log((exp(z) + theta)/(y + theta)) - y (z - log y), y >= 0: half the deviance, "
    "the negative log-likelihood of counts with mean exp(z) and variance exp(z) + exp(2z)/theta, theta "
    "known, less its least value. For counts that vary more than Poisson's. Convex.",
    "Lawless: Negative binomial and mixed Poisson regression, Canadian Journal of Statistics 15 (1987)",
    "Use it for counts whose variance exceeds their mean. theta is not estimated: compare "
    "several. psi'' has no common bound: along stochastic gradients proximal-gradient needs "
    "algorithm.step, and coordinate-descent refuses it. Where the variance is close to the mean "
    "take poisson, for amounts that are not counts gamma or tweedie.",
    "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 "
    "data.response=positive objective.use=linear-model objective.loss=negative-binomial "
    "penalty.use=l1 penalty.lambda=0.1*max stop.relative_gap=1e-6")
