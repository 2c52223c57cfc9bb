// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/loss.hpp>

#include <cmath>

namespace {

using namespace claros;

/// psi(z, y) = 1 - exp(-r^2 / (2 sigma)), r = z - y. (Shen et al. 2019, equation 5.) With u = r /
/// sqrt(sigma):
///   psi' = (u / sqrt(sigma)) e,  psi'' = ((1 - u^2) / sigma) e,  psi''' = ((u^3 - 3u) / sigma^(3/2)) e,  e =
///   exp(-u^2/2).
/// sup |psi''| = 1/sigma at u = 0; inf psi'' = -2 exp(-3/2)/sigma = -0.4463/sigma at u^2 = 3;
/// sup |psi'''| = sqrt(6 (3 - sqrt 6)) exp(-(3 - sqrt 6)/2) / sigma^(3/2) = 1.3801/sigma^(3/2) at u^2 = 3 -
/// sqrt 6.
struct RobustLoss {
  double sigma = 1.0;
  static const ParameterList& parameters() {
    static const ParameterTable<RobustLoss> table{
        row("sigma", &RobustLoss::sigma, above(0),
            "where residuals begin to count less: their squares over sigma", "sigma")};
    return table;
  }

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
            .lower_bound = 0.0,
            .of_difference = true};
  }

 private:
  /// -u^2/2; a residual so large that it overflows leaves exp(-inf) = 0.
  double exponent(double r) const { return -0.5 * (r / sigma) * r; }
};

}  // namespace

CLAROS_PLUGIN(sdk::LossOf<RobustLoss>, Kind::loss, "robust", "", "1.0.0",
              "Welsch robust loss, 1 - exp(-r^2/(2 sigma))",
              "psi(z, y) = 1 - exp(-(z - y)^2/(2 sigma)). Not convex; all derivatives are bounded.",
              "Shen, Fang, Zhao, Huang, Qian: Complexities in projection-free stochastic non-convex "
              "minimization, AISTATS 2019, eq. (5)",
              "Use it where some responses or entries are grossly wrong: their gradient is almost "
              "0. It is not convex: the start matters, and a run proves a stationary point, "
              "no bound of the value. sigma is in squared units of the response. For a convex "
              "problem with a verified bound take huber.",
              "data.use=synthetic data.rows=60 data.cols=50 data.rank=2 "
              "data.observed=0.7 objective.use=matrix-completion objective.loss=robust "
              "set.use=nuclear-ball set.radius=75 stop.gap=1e-4")
