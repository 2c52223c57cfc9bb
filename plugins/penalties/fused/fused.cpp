// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/penalties/total_variation.hpp>

#include <algorithm>
#include <limits>

namespace {

using namespace claros;

enum class Along { columns, rows };

struct Options {
  double lambda = kUnset;
  double ratio = 0.5;
  Along along = Along::columns;
};

/// h(x) = lambda (ratio ||x||_1 + (1 - ratio) sum_k |x_k - x_{k-1}|). The prox is that of the differences,
/// followed by soft-thresholding (Friedman et al. 2007, Lemma A.1). The conjugate is the indicator of {v +
/// D'z: |v_k| <= lambda ratio, |z_k| <= lambda (1 - ratio)}.
class Fused final : public sdk::ArrayPenalty, public Conjugate {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(
            &Options::lambda, at_least(0), "factor of the penalty",
            "start from that of an l1 penalty (lambda = 0.1*max there), and compare on data held back"),
        row("ratio", &Options::ratio, between(0, 1),
            "share of the magnitudes; the rest is that of the differences between neighbours"),
        row("along", &Options::along, one_of<Along>({{Along::columns, "columns"}, {Along::rows, "rows"}}),
            "the lines of a matrix whose neighbours are compared")};
    return table;
  }

  Fused(const Options& o, const Context&)
      : lambda_(o.lambda), ratio_(o.ratio), lines_(o.along == Along::rows) {}

  double conjugate(const Element& s) override {
    const std::span<const double> values = read(s);
    if (!sdk::all_finite(values)) return std::numeric_limits<double>::quiet_NaN();
    return holds(values, 1.0 + sdk::kRounding) ? 0.0 : sdk::kInfinity;
  }
  /// By bisection: the domain is convex and holds 0. The result lies inside.
  bool certifies_alone() const override { return lambda_ > 0.0; }
  double into_domain(const Element& s) override {
    constexpr int kHalvings = 52;
    const std::span<const double> values = read(s);
    if (!sdk::all_finite(values)) return std::numeric_limits<double>::quiet_NaN();
    if (holds(values, 1.0)) return 1.0;
    if (ratio_ == 0.0) return std::min(1.0, lambda_ / lines_.dual_norm(values));
    double inside = 0.0, outside = 1.0;
    for (int k = 0; k < kHalvings; ++k) {
      const double a = 0.5 * (inside + outside);
      (a > 0.0 && holds(values, 1.0 / a) ? inside : outside) = a;
    }
    return inside;
  }
  void* ability(std::string_view id) noexcept override {
    return offer<ProximalOracle, Conjugate, State>(this, id);
  }

 private:
  /// True if s lies in `times` the domain.
  bool holds(std::span<const double> s, double times) {
    if (ratio_ == 0.0) return lines_.dual_norm(s) <= times * lambda_;
    return lines_.in_fused_domain(s, times * lambda_ * ratio_, times * lambda_ * (1.0 - ratio_));
  }
  void fit(const Shape& shape) override { lines_.fit(shape); }
  double penalty(std::span<const double> x) override {
    return lambda_ > 0.0
               ? lambda_ * (ratio_ * sdk::sum_of_magnitudes(x) + (1.0 - ratio_) * lines_.variation(x))
               : 0.0;
  }
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    lines_.prox(v, step * lambda_ * (1.0 - ratio_), x);
    sdk::map_entries(x, x,
                     [t = step * lambda_ * ratio_](double value) { return sdk::soft_threshold(value, t); });
  }

  double lambda_, ratio_;
  sdk::Lines lines_;
};

}  // namespace

CLAROS_PLUGIN(
    Fused, Kind::penalty, "fused", "fused-lasso", "1.0.0",
    "Fused lasso, lambda (ratio ||x||_1 + (1 - ratio) sum_k |x_k - x_{k-1}|)",
    "h(x) = lambda (ratio ||x||_1 + (1 - ratio) sum_k |x_k - x_{k-1}|), along each column of the variable (a "
    "vector is one column) or along each row: solutions are 0, or constant, in pieces. The proximal "
    "step is exact, and the conjugate is known, so that convex problems have a duality gap.",
    "Tibshirani, Saunders, Rosset, Zhu, Knight: Sparsity and smoothness via the fused lasso, JRSS B 67, "
    "2005; Friedman, Hastie, Hoefling, Tibshirani: Pathwise coordinate optimization, "
    "Annals of Applied Statistics 1, 2007 (proximal step)",
    "Use it for ordered entries that are 0, or constant, in pieces, along columns or along rows. Give "
    "lambda as a number: 0.1*max is refused. The algorithms working-set, coordinate-descent and prox-newton "
    "refuse it. Where entries need not be 0 take tv; for a graph or higher differences, composed.",
    "objective.use=distance objective.data='0.1 -0.1 0.2 2.1 1.9 2.2 0.1 0' "
    "penalty.use=fused penalty.lambda=0.4 stop.relative_gap=1e-6")
