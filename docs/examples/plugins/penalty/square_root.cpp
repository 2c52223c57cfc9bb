// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/entrywise_penalty.hpp>

namespace {

using namespace claros;

struct Options {
  double lambda = kUnset;
};

/// What is known of one entry. The proximal step minimises t sqrt|x| + (x - v)^2/2, t = step lambda: it is 0
/// up to |v| = (3/2) t^(2/3), where |x| = t^(2/3) has the same value, and beyond the largest root of x - |v|
/// + t / (2 sqrt x), a cubic in sqrt x.
struct Root {
  double lambda;

  double value(double x) const { return lambda * std::sqrt(std::abs(x)); }
  auto prox(double step) const {
    return [t = step * lambda, least = 1.5 * std::cbrt(step * lambda * step * lambda)](double v) {
      const double size = std::abs(v);
      const double angle = std::acos(std::min(0.25 * t * std::pow(size / 3.0, -1.5), 1.0));
      return size <= least ? 0.0 : v * (2.0 / 3.0) * (1.0 + std::cos((2.0 / 3.0) * (M_PI - angle)));
    };
  }
  double weak_convexity() const { return sdk::kInfinity; }  // nothing makes it convex
};

/// h(x) = lambda sum_j sqrt|x_j|, the l_1/2 penalty.
class SquareRoot final : public sdk::EntrywisePenalty<Root> {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "weight of the sum",
                        "with L the smoothness, entries below (1.5 lambda/L)^(2/3) become 0; begin with "
                        "those that do not matter")};
    return table;
  }
  SquareRoot(const Options& options, const Context&) : EntrywisePenalty({options.lambda}) {}
};

}  // namespace

CLAROS_PLUGIN(
    SquareRoot, .kind = Kind::penalty, .name = "square-root", .version = "1.0.0",
    .summary = "lambda times the sum of square roots of magnitudes",
    .description =
        "h(x) = lambda sum_j sqrt|x_j|. Proximal step in closed form (half thresholding). No multiple of the "
        "squared norm makes it convex, so there is no gap; where a run begins decides at which of the fixed "
        "points "
        "it ends. Separable.",
    .citation =
        "Xu, Chang, Xu, Zhang: L1/2 regularization: a thresholding representation theory and a fast solver, "
        "IEEE "
        "TNNLS 23, 2012")
