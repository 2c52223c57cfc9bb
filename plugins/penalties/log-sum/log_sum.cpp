// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/entrywise_penalty.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
  double epsilon = 1.0;
  std::string weights;
};

/// The larger root of (u - w) + tau/(epsilon + u) = 0, tau = step lambda. With tau < epsilon^2 it is the only
/// minimiser for w > tau/epsilon; for other w the minimiser is 0.
struct Logarithm {
  double lambda, epsilon;

  double value(double x) const { return lambda * std::log1p(std::abs(x) / epsilon); }
  auto prox(double step) const {
    return [tau = step * lambda, e = epsilon](double v) {
      const double w = std::abs(v), sum = w + e,
                   root = sum * std::sqrt(std::max(1.0 - 4.0 * (tau / sum) / sum, 0.0));
      // u (e - w + root)/2 = w e - tau: no difference of close numbers if w < e.
      const double u = w < e ? 2.0 * (w * e - tau) / (e - w + root) : 0.5 * (w - e + root);
      return std::copysign(w * e <= tau ? 0.0 : u, v);
    };
  }
  double weak_convexity() const { return lambda / (epsilon * epsilon); }
  double slope_at_zero() const { return 1.0 / epsilon; }
  Logarithm weighted(double w) const { return {w * lambda, epsilon}; }
};

/// h(x) = lambda sum_j log(1 + |x_j|/epsilon), mu = lambda/epsilon^2. (Candes, Wakin, Boyd 2008, equation
/// (8).)
class LogSum final : public sdk::EntrywisePenalty<Logarithm> {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "factor of the sum; the slope at 0 is lambda/epsilon"),
        row("epsilon", &Options::epsilon, above(0), "magnitude at which the slope is half of that at 0",
            "epsilon"),
        sdk::entry_weights_row(&Options::weights)};
    return table;
  }

  LogSum(const Options& options, const Context& context)
      : EntrywisePenalty({options.lambda.number(), options.epsilon},
                         sdk::EntryWeights(options.weights, context)) {}
};

}  // namespace

CLAROS_PLUGIN(
    LogSum, Kind::penalty, "log-sum", "", "1.0.0", "Log-sum penalty, lambda sum_j log(1 + |x_j| / epsilon)",
    "h(x) = lambda sum_j log(1 + |x_j|/epsilon): between l1 (epsilon large) and the number of entries that "
    "are not 0 (epsilon small). Not convex: h + (mu/2)||x||^2 "
    "is, with mu = lambda/epsilon^2, and proximal steps must be shorter than 1/mu. Separable.",
    "Candes, Wakin, Boyd: Enhancing sparsity by reweighted l1 minimization, J. Fourier Anal. Appl. 14, 2008",
    "Use it between l1 (large epsilon) and l0 (small epsilon): the slope falls with the magnitude, but "
    "never to 0. Epsilon, in the unit of an entry, is a second number to choose. It is not convex: a run "
    "ends at a stationary point, without a gap, by stop.residual. For large entries without any shrinkage "
    "take mcp or scad.",
    "data.use=synthetic-regression data.rows=200 data.cols=500 data.nonzero=5 objective.use=linear-model "
    "penalty.use=log-sum penalty.lambda=0.2*max stop.residual=1e-6")
