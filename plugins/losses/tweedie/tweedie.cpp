// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>
#include <shared/losses/extended_exp.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace claros;

/// psi(z, y) = y exp(-a z)/a + exp(b z)/b - c(y), a = p - 1, b = 2 - p, p > 1: half the deviance of the
/// exponential dispersion model of that power with logarithmic link: compound Poisson-gamma for p < 2 (y
/// >= 0), positive stable for p > 2 (y > 0; 3 is the inverse Gaussian). With t = z - log y it is y^b
/// ((exp(-a t) - 1)/a + (exp(b t) - 1)/b), and inf psi = 0. The curvature psi'' has no bound; for p > 2 it
/// is below 0 where exp(z) > a y/|b|. The conjugate is psi*(u, y) = u z - psi(z, y) at the z with psi'(z,
/// y) = exp(b z) - y exp(-a z) = u.
struct TweedieLoss {
  double power = 1.5;
  static const ParameterList& parameters() {
    static const ParameterTable<TweedieLoss> table{
        row("power", &TweedieLoss::power, between(1.01, 10.0),
            "the variance of a target is proportional to its mean to this power; near 1 Poisson, 2 gamma, 3 "
            "inverse Gaussian; convex up to 2",
            "p")};
    return table;
  }

  static constexpr const char* kTargets = "a number >= 0, or > 0 where power >= 2";
  bool accepts(double y) const { return power < 2.0 ? y >= 0.0 : y > 0.0; }

  /// mean(z) = exp(z), the expected target.
  static constexpr ResponseKind kResponse = ResponseKind::count;
  double mean(double z) const { return sdk::ExtendedExp::slope(z); }

  double value(double z, double y) const {
    if (y == 0.0) return sdk::ExtendedExp::value(b() * z) / b();
    const double log_y = std::log(y), t = z - log_y;
    if (std::abs(t) <= 1.0) return std::exp(b() * log_y) * (integral(b(), t) - integral(-a(), t));
    return integral(b(), z) - integral(b(), log_y) - y * (integral(-a(), z) - integral(-a(), log_y));
  }
  double derivative(double z, double y) const {
    return sdk::ExtendedExp::slope(b() * z) - y * sdk::ExtendedExp::slope(-a() * z);
  }
  double second_derivative(double z, double y) const {
    return b() * sdk::ExtendedExp::slope(b() * z) + a() * y * sdk::ExtendedExp::slope(-a() * z);
  }
  double conjugate(double u, double y) const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (y == 0.0 && u <= 0.0) return u == 0.0 ? 0.0 : kInfinity;
    if (power == 2.0 && u >= 1.0) return u > 1.0 ? kInfinity : 1.0 + std::log(y);
    if (power > 2.0 && u >= 0.0) return u > 0.0 ? kInfinity : 0.0;
    const double z = slope_at(u, y);
    return u * z - value(z, y);
  }
  LossConstants constants() const {
    if (power > 2.0) return {.convex = false, .lower_bound = 0.0};
    return {.convex = true, .lower_smoothness = 0.0, .lower_bound = 0.0};
  }

 private:
  double a() const { return power - 1.0; }
  double b() const { return 2.0 - power; }

  /// The integral of exp(k s) over s from 0 to z, (exp(k z) - 1)/k.
  static double integral(double k, double z) {
    if (k == 0.0) return z;
    return (std::abs(k * z) <= 1.0 ? std::expm1(k * z) : sdk::ExtendedExp::value(k * z) - 1.0) / k;
  }

  /// The z with psi'(z, y) = u, by Newton's method between a z where psi' < u and one where psi' > u.
  double slope_at(double u, double y) const {
    constexpr int kMost = 200;
    constexpr double kRoundoff = std::numeric_limits<double>::epsilon();
    double low = -1.0, high = 1.0;
    while (derivative(low, y) > u) low *= 2.0;
    while (derivative(high, y) < u) high *= 2.0;
    double z = 0.5 * (low + high);
    for (int k = 0; k < kMost && high - low > kRoundoff * (1.0 + std::abs(z)); ++k) {
      const double excess = derivative(z, y) - u;
      if (excess == 0.0) break;
      (excess > 0.0 ? high : low) = z;
      const double newton = z - excess / second_derivative(z, y);
      const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
      if (next == z) break;
      z = next;
    }
    return z;
  }
};

}  // namespace

CLAROS_PLUGIN(
    sdk::LossOf<TweedieLoss>, Kind::loss, "tweedie", "", "1.0.0",
    "Tweedie regression with log link, y exp(-(p-1) z)/(p-1) + exp((2-p) z)/(2-p) - c(y), p > 1",
    "psi(z, y) = y exp(-(p-1) z)/(p-1) + exp((2-p) z)/(2-p) - c(y), inf psi = 0: half the deviance, the "
    "negative log-likelihood of mean exp(z) and variance proportional to exp(p z) less its least value. For "
    "1 < p < 2 it is the compound Poisson-gamma distribution, y >= 0, for amounts that are often exactly 0 "
    "(insurance claims, rainfall); for p = 2 the gamma and for p = 3 the inverse Gaussian distribution, y > "
    "0. Convex for p <= 2; psi'' has no bound, so that steps are found by line search. Where an exponent "
    "exceeds 300 its exponential goes on along the tangent: it would overflow.",
    "Jorgensen: Exponential dispersion models, JRSS B 49 (1987); Smyth, Jorgensen: Fitting Tweedie's "
    "compound Poisson model to insurance claims data, ASTIN Bulletin 32 (2002)",
    "Use it for amounts that are often exactly 0, such as insurance claims or rainfall. power is "
    "not estimated: compare several (GeneralizedLinearRegressor in Python estimates it); above 2 no gap is "
    "known. psi'' has no bound: along stochastic gradients "
    "proximal-gradient needs algorithm.step, and coordinate-descent refuses it. Where all "
    "amounts are positive take gamma, for counts poisson or negative-binomial.",
    "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 "
    "data.response=positive objective.use=linear-model objective.loss=tweedie "
    "penalty.use=l1 penalty.lambda=0.1*max stop.relative_gap=1e-6")
