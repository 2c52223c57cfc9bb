// SPDX-License-Identifier: BSD-3-Clause
/// @file losses.hpp  Scalar losses by name, with their exact constants.
#pragma once

#include <claros/error.hpp>
#include <claros/parameters.hpp>
#include <claros/sdk/loss.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace claros::sdk {

/// t log t, continued to 0 at 0.
inline double entropy_term(double t) { return t > 0.0 ? t * std::log(t) : 0.0; }

/// psi(z, y) = 1 - exp(-r^2 / (2 sigma)), r = z - y. (Shen et al. 2019, equation 5.) With u = r /
/// sqrt(sigma):
///   psi' = (u / sqrt(sigma)) e,  psi'' = ((1 - u^2) / sigma) e,  psi''' = ((u^3 - 3u) / sigma^(3/2)) e,  e =
///   exp(-u^2/2).
/// sup |psi''| = 1/sigma at u = 0; inf psi'' = -2 exp(-3/2)/sigma = -0.4463/sigma at u^2 = 3;
/// sup |psi'''| = sqrt(6 (3 - sqrt 6)) exp(-(3 - sqrt 6)/2) / sigma^(3/2) = 1.3801/sigma^(3/2) at u^2 = 3 -
/// sqrt 6.
struct RobustLoss {
  double sigma = 1.0;

  double value(double z, double y) const { return -std::expm1(exponent(z - y)); }
  double derivative(double z, double y) const {
    const double e = std::exp(exponent(z - y));
    return e > 0.0 ? (z - y) / sigma * e : 0.0;
  }
  double second_derivative(double z, double y) const {
    const double half = exponent(z - y), e = std::exp(half);
    return e > 0.0 ? (1.0 + 2.0 * half) / sigma * e : 0.0;
  }
  LossConstants constants() const {
    const double root = 3.0 - std::sqrt(6.0);
    return {.convex = false,
            .smoothness = 1.0 / sigma,
            .lower_smoothness = 2.0 * std::exp(-1.5) / sigma,
            .third = std::sqrt(6.0 * root) * std::exp(-0.5 * root) / (sigma * std::sqrt(sigma)),
            .lower_bound = 0.0};
  }

 private:
  /// -u^2/2; a residual so large that it overflows leaves exp(-inf) = 0.
  double exponent(double r) const { return -0.5 * (r / sigma) * r; }
};

/// psi(z, y) = r^2/2 for |r| <= delta, delta |r| - delta^2/2 beyond; r = z - y. psi'' jumps from 1 to 0 at
/// delta, so that it has no Lipschitz constant; sup psi'' = 1. psi*(u, y) = u y + u^2/2 for |u| <= delta.
struct HuberLoss {
  double delta = 1.0;

  double value(double z, double y) const {
    const double r = std::abs(z - y);
    return r <= delta ? 0.5 * r * r : delta * (r - 0.5 * delta);
  }
  double derivative(double z, double y) const { return std::fmin(std::fmax(z - y, -delta), delta); }
  double second_derivative(double z, double y) const { return std::abs(z - y) <= delta ? 1.0 : 0.0; }
  double conjugate(double u, double y) const {
    return std::abs(u) <= delta ? u * (y + 0.5 * u) : std::numeric_limits<double>::infinity();
  }
  LossConstants constants() const {
    return {.convex = true,
            .smoothness = 1.0,
            .lower_smoothness = 0.0,
            .third = std::nullopt,
            .lower_bound = 0.0};
  }
};

/// psi(z, y) = log(1 + exp(-y z)), y in {-1, +1}. With s = 1/(1 + exp(y z)):
///   psi' = -y s,  psi'' = s (1 - s),  |psi'''| = s (1 - s) |1 - 2s|.
/// sup psi'' = 1/4 at s = 1/2; sup |psi'''| = 1/(6 sqrt 3) = 0.09623 at s (1 - s) = 1/6; inf psi = 0, not
/// attained. psi*(u, y) = (-s) log(-s) + (1 + s) log(1 + s), s = u y in [-1, 0].
struct LogisticLoss {
  static constexpr const char* kTargets = "-1 or 1";
  static bool accepts(double y) { return y == 1.0 || y == -1.0; }

  double value(double z, double y) const {
    const double m = y * z;
    return std::fmax(-m, 0.0) + std::log1p(std::exp(-std::abs(m)));
  }
  double derivative(double z, double y) const {
    const double m = y * z, e = std::exp(-std::abs(m));
    return -y * (m >= 0.0 ? e : 1.0) / (1.0 + e);
  }
  double second_derivative(double z, double y) const {
    const double e = std::exp(-std::abs(y * z));
    return e / ((1.0 + e) * (1.0 + e));
  }
  double conjugate(double u, double y) const {
    const double s = -u * y;
    return s >= 0.0 && s <= 1.0 ? entropy_term(s) + entropy_term(1.0 - s) : std::numeric_limits<double>::infinity();
  }
  LossConstants constants() const {
    return {.convex = true,
            .smoothness = 0.25,
            .lower_smoothness = 0.0,
            .third = 1.0 / (6.0 * std::sqrt(3.0)),
            .lower_bound = 0.0};
  }
};

/// psi(z, y) = max(0, 1 - y z)^2 / 2, y in {-1, +1}. psi'' jumps from 1 to 0 at y z = 1.
/// psi*(u, y) = s + s^2/2, s = u y <= 0.
struct SquaredHingeLoss {
  static constexpr const char* kTargets = "-1 or 1";
  static bool accepts(double y) { return y == 1.0 || y == -1.0; }

  double value(double z, double y) const {
    const double short_of = std::fmax(1.0 - y * z, 0.0);
    return 0.5 * short_of * short_of;
  }
  double derivative(double z, double y) const { return -y * std::fmax(1.0 - y * z, 0.0); }
  double second_derivative(double z, double y) const { return y * z < 1.0 ? 1.0 : 0.0; }
  double conjugate(double u, double y) const {
    const double s = u * y;
    return s <= 0.0 ? s * (1.0 + 0.5 * s) : std::numeric_limits<double>::infinity();
  }
  LossConstants constants() const {
    return {.convex = true, .smoothness = 1.0, .lower_smoothness = 0.0, .third = std::nullopt, .lower_bound = 0.0};
  }
};

/// psi(z, y) = exp(z) - y z, y >= 0: the Poisson likelihood with logarithmic link, without log(y!). psi'' = exp(z) is
/// not bounded, and inf psi = y - y log y depends on y. psi*(u, y) = (u + y) log(u + y) - (u + y), u >= -y.
struct PoissonLoss {
  static constexpr const char* kTargets = "a number >= 0";
  static bool accepts(double y) { return y >= 0.0; }

  double value(double z, double y) const { return std::exp(z) - y * z; }
  double derivative(double z, double y) const { return slope(z) - y; }
  double second_derivative(double z, double) const { return slope(z); }
  /// exp(z), but finite however far away z is: rows of both signs would add up to NaN. The value there is infinite, or as
  /// good as.
  static double slope(double z) { return std::exp(std::min(z, 600.0)); }
  double conjugate(double u, double y) const {
    const double t = u + y;
    return t >= 0.0 ? entropy_term(t) - t : std::numeric_limits<double>::infinity();
  }
  LossConstants constants() const {
    return {.convex = true, .smoothness = std::nullopt, .lower_smoothness = 0.0, .third = std::nullopt, .lower_bound = std::nullopt};
  }
};

struct LossOptions {
  std::string loss = "squared";
  double sigma = 1.0;
  double delta = 1.0;
};

/// The rows of a parameter table, for an objective to include. `more` are losses that it makes itself, described by `text`.
inline std::vector<ParameterRow<LossOptions>> loss_rows(const std::vector<std::string>& more = {}, const std::string& text = {}) {
  std::vector<std::string> names{"squared", "robust", "huber", "logistic", "squared-hinge", "poisson"};
  names.insert(names.end(), more.begin(), more.end());
  return {row("loss", &LossOptions::loss, one_of(names),
              std::string("psi(x, y), r = x - y: squared is r^2/2; robust 1 - exp(-r^2/(2 sigma)); huber r^2/2 up to |r| "
              "= delta and linear beyond; logistic log(1 + exp(-y x)) and squared-hinge max(0, 1 - y x)^2/2, y = -1 or 1; "
              "poisson exp(x) - y x, y >= 0") + text,
              "psi"),
          row("sigma", &LossOptions::sigma, above(0), "scale of the robust loss", "sigma"),
          row("delta", &LossOptions::delta, above(0), "where the huber loss becomes linear", "delta")};
}

/// Throws Error(usage) for a name that there is not.
inline std::shared_ptr<const Loss> make_loss(const LossOptions& options) {
  if (options.loss == "squared") return std::make_shared<LossOf<SquaredLoss>>();
  if (options.loss == "robust") return std::make_shared<LossOf<RobustLoss>>(RobustLoss{options.sigma});
  if (options.loss == "huber") return std::make_shared<LossOf<HuberLoss>>(HuberLoss{options.delta});
  if (options.loss == "logistic") return std::make_shared<LossOf<LogisticLoss>>();
  if (options.loss == "squared-hinge") return std::make_shared<LossOf<SquaredHingeLoss>>();
  if (options.loss == "poisson") return std::make_shared<LossOf<PoissonLoss>>();
  throw Error(ErrorKind::usage, "objective.loss", "'" + options.loss + "' is not a loss",
              "squared, robust, huber, logistic, squared-hinge or poisson");
}

}  // namespace claros::sdk
