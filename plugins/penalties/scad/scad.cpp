// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/entrywise_penalty.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  double zeta = 3.7;
  double rho = sdk::kInfinity;
  std::string weights;
};

/// With mu = 1/(zeta - 1), the slope of h + (mu/2)u^2 at u > 0 is max(min(lambda + mu u, mu zeta lambda), mu
/// u). So the optimality condition u + tau slope(u) = w is a max of a min of three lines, and its solution
/// the min of the max of their three roots.
struct Scad {
  double lambda, zeta;

  double value(double x) const {
    const double u = std::abs(x);
    if (u <= lambda) return lambda * u;
    if (u > zeta * lambda) return 0.5 * (zeta + 1.0) * lambda * lambda;
    return lambda * u - 0.5 * weak_convexity() * (u - lambda) * (u - lambda);
  }
  double psi(double x) const { return (value(x) + 0.5 * weak_convexity() * x * x) / lambda; }
  auto prox(double step) const {
    const double smu = step * weak_convexity();
    return [low = step * lambda, high = smu * zeta * lambda, stretch = 1.0 / (1.0 - smu)](double v) {
      const double w = std::abs(v);
      return std::copysign(std::max(std::min(std::max(w - low, (w - high) * stretch), w), 0.0), v);
    };
  }
  auto pieces(double step) const {
    const double smu = step * weak_convexity(), stretch = 1.0 / (1.0 - smu);
    return sdk::PiecewiseAffine::odd(sdk::PiecewiseAffine()
                                         .piece(step * lambda, 0.0, 0.0)
                                         .piece((1.0 + step) * lambda, 1.0, -step * lambda)
                                         .piece(zeta * lambda, stretch, -smu * zeta * lambda * stretch)
                                         .piece(sdk::kInfinity, 1.0, 0.0));
  }
  auto prox_psi(double t) const {
    const double mu = weak_convexity();
    return [t, high = t * mu * zeta, shrink = 1.0 / (1.0 + t / lambda * mu)](double v) {
      const double w = std::abs(v);
      return std::copysign(std::max(std::min(std::max((w - t) * shrink, w - high), w * shrink), 0.0), v);
    };
  }
  double weak_convexity() const { return 1.0 / (zeta - 1.0); }
  double slope_at_zero() const { return 1.0; }
  Scad weighted(double w) const { return {w * lambda, zeta}; }
};

/// h(x) = sum of SCAD_{lambda,zeta}(x_j): lambda |t| up to lambda, -(t^2 - 2 zeta lambda |t| + lambda^2) / (2
/// (zeta - 1)) up to zeta lambda, then (zeta + 1) lambda^2 / 2; mu = 1/(zeta - 1). (Fan, Li 2001; Qu, Li, Xu
/// 2017, section 2.)
class ScadPenalty final : public sdk::EntrywisePenalty<Scad> {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, above(0),
                        "slope at 0, and the size up to which an entry is penalised like in l1"),
        row("zeta", &Options::zeta, above(2), "entries beyond zeta * lambda are not shrunk", "zeta"),
        sdk::entry_weights_row(&Options::weights),
        sdk::side_constraint_row(&Options::rho, "(h(x) + (mu/2)||x||^2) / lambda")};
    return table;
  }

  ScadPenalty(const Options& options, const Context& context)
      : EntrywisePenalty({options.lambda.number(), options.zeta}, options.rho,
                         sdk::EntryWeights(options.weights, context)) {}
};

}  // namespace

CLAROS_PLUGIN(ScadPenalty, Kind::penalty, "scad", "", "1.0.0",
              "Smoothly clipped absolute deviation (SCAD; Fan, Li 2001)",
              "Like lambda |x_j| near 0, flat beyond zeta lambda, quadratic in between: large entries are "
              "not shrunk. Not convex: "
              "h + (mu/2)||x||^2 is, with mu = 1/(zeta - 1), and proximal steps must be shorter than 1/mu. "
              "rho bounds that "
              "convexified form divided by lambda. Separable without rho.",
              "Fan, Li: Variable selection via nonconcave penalized likelihood, JASA 96, 2001; Qu, Li, Xu: "
              "Linear convergence of "
              "SVRG in statistical estimation, 2017, Algorithm 2")
