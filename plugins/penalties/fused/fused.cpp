// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/penalties/total_variation.hpp>

namespace {

using namespace claros;

enum class Along { columns, rows };

struct Options {
  double lambda = kUnset;
  double ratio = 0.5;
  Along along = Along::columns;
};

/// h(x) = lambda (ratio ||x||_1 + (1 - ratio) sum_k |x_k - x_{k-1}|). prox: that of the differences, and then
/// soft-thresholding (Friedman et al. 2007, Lemma A.1).
class Fused final : public sdk::ArrayPenalty {
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

 private:
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
    "step is exact.",
    "Tibshirani, Saunders, Rosset, Zhu, Knight: Sparsity and smoothness via the fused lasso, JRSS B 67, "
    "2005; Friedman, Hastie, Hoefling, Tibshirani: Pathwise coordinate optimization, "
    "Annals of Applied Statistics 1, 2007 (proximal step)")
