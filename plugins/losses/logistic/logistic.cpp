// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/elementary.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace claros;

/// psi(z, y) = log(1 + exp(-y z)), y in {-1, +1}. With s = 1/(1 + exp(y z)):
///   psi' = -y s,  psi'' = s (1 - s),  |psi'''| = s (1 - s) |1 - 2s|.
/// sup psi'' = 1/4 at s = 1/2; sup |psi'''| = 1/(6 sqrt 3) = 0.09623 at s (1 - s) = 1/6; inf psi = 0, not
/// attained. psi*(u, y) = (-s) log(-s) + (1 + s) log(1 + s), s = u y in [-1, 0].
struct LogisticLoss {
  static constexpr const char* kTargets = "-1 or 1";
  static bool accepts(double y) { return y == 1.0 || y == -1.0; }

  /// mean(z) = 1/(1 + exp(-z)), the probability of 1.
  static constexpr ResponseKind kResponse = ResponseKind::probability;
  double mean(double z) const {
    const double e = std::exp(-std::abs(z));
    return (z >= 0.0 ? 1.0 : e) / (1.0 + e);
  }

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

  /// The values of arrays.
  void values(std::span<const double> z, std::span<const double> y, std::span<double> out) const {
    decays(z, out);
    log1p_each(out, out);
    for (std::size_t k = 0; k < z.size(); ++k) out[k] += std::max(-(y[k] * z[k]), 0.0);
  }
  void derivatives(std::span<const double> z, std::span<const double> y, std::span<double> out) const {
    decays(z, out);
    for (std::size_t k = 0; k < z.size(); ++k)
      out[k] = -y[k] * (y[k] * z[k] >= 0.0 ? out[k] : 1.0) / (1.0 + out[k]);
  }
  void second_derivatives(std::span<const double> z, std::span<const double>, std::span<double> out) const {
    decays(z, out);
    for (double& e : out) e = e / ((1.0 + e) * (1.0 + e));
  }

  double conjugate(double u, double y) const {
    const double s = -u * y;
    return s >= 0.0 && s <= 1.0 ? sdk::binary_entropy(s) : std::numeric_limits<double>::infinity();
  }
  LossConstants constants() const {
    return {.convex = true,
            .smoothness = 0.25,
            .lower_smoothness = 0.0,
            .third = 1.0 / (6.0 * std::sqrt(3.0)),
            .lower_bound = 0.0};
  }

 private:
  /// exp(-|z|), which is exp(-|y z|).
  static void decays(std::span<const double> z, std::span<double> out) {
    for (std::size_t k = 0; k < z.size(); ++k) out[k] = -std::abs(z[k]);
    exp_each(out, out);
  }
};

}  // namespace

CLAROS_PLUGIN(sdk::LossOf<LogisticLoss>, Kind::loss, "logistic", "", "1.0.0",
              "Logistic loss, log(1 + exp(-y z)), y = -1 or 1",
              "psi(z, y) = log(1 + exp(-y z)), y = -1 or 1. Two classes of other names, and 0 and 1, are "
              "taken as these. Convex.",
              "Cox: The regression analysis of binary sequences, JRSS B 20 (1958)",
              "Use it for two classes and their probabilities. If a hyperplane separates the classes, "
              "there is no minimum without a penalty or a set. For more than two classes take multinomial. "
              "For classes without probabilities, as in a support vector machine, take squared-hinge.",
              "data.use=synthetic-regression data.rows=200 data.cols=50 data.nonzero=5 "
              "data.response=logistic objective.use=linear-model objective.loss=logistic "
              "penalty.use=l1 penalty.lambda=0.1*max stop.relative_gap=1e-6")
