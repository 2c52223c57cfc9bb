// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/entrywise_penalty.hpp>

namespace {

using namespace claros;

struct Options {
  double lambda = kUnset;
  double theta = 1.0;
  std::string weights;
};

struct CappedMagnitude {
  double lambda, theta;

  double value(double x) const { return lambda * std::min(std::abs(x), theta); }
  /// The better of the minimisers over |x| <= theta and over |x| >= theta.
  auto prox(double step) const {
    return [t = step * lambda, cap = theta](double v) {
      const double w = std::abs(v), low = std::min(std::max(w - t, 0.0), cap), high = std::max(w, cap);
      const double below = t * low + 0.5 * (low - w) * (low - w),
                   above = t * cap + 0.5 * (high - w) * (high - w);
      return std::copysign(below <= above ? low : high, v);
    };
  }
  double weak_convexity() const { return sdk::kInfinity; }
  CappedMagnitude weighted(double w) const { return {w * lambda, theta}; }
};

/// h(x) = lambda sum_j min(|x_j|, theta) (Zhang 2010). Its corners at +-theta are concave, and no multiple of
/// ||x||^2 makes up for that. The prox is soft-thresholding below about theta + step lambda/2, and nothing
/// above.
class CappedL1 final : public sdk::EntrywisePenalty<CappedMagnitude> {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "slope below theta",
                        "start from that of an l1 penalty, whose solution is a good start"),
        row("theta", &Options::theta, above(0), "magnitude from which on an entry costs no more", "theta"),
        sdk::entry_weights_row(&Options::weights)};
    return table;
  }

  CappedL1(const Options& options, const Context& context)
      : EntrywisePenalty({options.lambda, options.theta}, sdk::EntryWeights(options.weights, context)) {}
};

}  // namespace

CLAROS_PLUGIN(CappedL1, Kind::penalty, "capped-l1", "", "1.0.0", "Capped l1, lambda sum_j min(|x_j|, theta)",
              "h(x) = lambda sum_j min(|x_j|, theta): small entries are shrunk as by l1, large ones not at "
              "all. No multiple of the squared norm makes it convex, so there is "
              "no gap; algorithms that take such a penalty end at a fixed point of their step. Separable.",
              "Zhang: Analysis of multi-stage convex relaxation for sparse regularization, JMLR 11, 2010",
              "Use it to shrink small entries as l1 does, and entries above theta not at all. It has no "
              "gap, and the fixed point depends on the start: start from the solution of l1 (start.from). "
              "Only proximal-gradient, coordinate-descent and working-set take it, without a set. For a "
              "penalty that more algorithms take, use mcp or scad.",
              "data.use=synthetic-regression data.rows=200 data.cols=500 data.nonzero=5 "
              "objective.use=linear-model penalty.use=capped-l1 penalty.lambda=0.2 stop.residual=1e-6")
