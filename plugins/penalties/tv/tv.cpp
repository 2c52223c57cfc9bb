// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <claros/sdk/total_variation.hpp>

namespace {

using namespace claros;

struct Options {
  double lambda = kUnset;
  std::string along = "columns";
};

/// h(x) = lambda sum_k |x_k - x_{k-1}|, over each column of the variable (a vector is one) or each row; prox exact.
class Tv final : public sdk::ArrayPenalty {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "factor of the sum of magnitudes of differences",
                        "constant lines are the solution from some lambda on, 0 is not: try powers of 2 from the noise of an entry downwards, and compare on data held back"),
        row("along", &Options::along, one_of({"columns", "rows"}), "the lines of a matrix whose neighbours are compared")};
    return table;
  }

  Tv(const Options& o, const Context&) : lambda_(o.lambda), lines_(o.along == "rows") {}

 private:
  void fit(const Shape& shape) override { lines_.fit(shape); }
  double penalty(std::span<const double> x) override { return lambda_ > 0.0 ? lambda_ * lines_.variation(x) : 0.0; }
  void prox(std::span<const double> v, double step, std::span<double> x) override { lines_.prox(v, step * lambda_, x); }

  double lambda_;
  sdk::Lines lines_;
};

}  // namespace

CLAROS_PLUGIN(Tv, Kind::penalty, "tv", "total-variation", "1.0.0", "lambda times the sum of the magnitudes of differences between neighbours",
              "h(x) = lambda sum_k |x_k - x_{k-1}|, along each column of the variable (a vector is one column) or along each row: solutions are constant in pieces. The proximal step is exact, by Johnson's dynamic "
              "programming, in linear time.",
              "Johnson: A dynamic programming algorithm for the fused lasso and L0-segmentation, Journal of Computational and Graphical Statistics 22, 2013")
