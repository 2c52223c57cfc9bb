// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>

namespace {

using namespace claros;

struct Options {
  double lambda = 0.1;
};

/// h(x) = lambda sum_j |x_j|. Spans hold all entries of the variable, column-major.
class MyPenalty final : public sdk::ArrayPenalty {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("lambda", &Options::lambda, at_least(0), "weight of the sum", "lambda")};
    return table;
  }
  MyPenalty(const Options& options, const Context&) : lambda_(options.lambda) {}

  // A penalty that is not convex says how much so: the least mu for which h + (mu/2)||x||^2 is convex.
  //   double weak_convexity() const override { return mu; }

 private:
  // MATHEMATICS 1 of 2: h(x).
  double penalty(std::span<const double> x) override { return lambda_ * sdk::sum_of_magnitudes(x); }
  // MATHEMATICS 2 of 2: the proximal step. Writes argmin over x of step h(x) + ||x - v||^2 / 2. x may be v.
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    sdk::map_entries(v, x, [t = step * lambda_](double value) { return sdk::soft_threshold(value, t); });
  }

  double lambda_;
};

}  // namespace

CLAROS_PLUGIN(
    MyPenalty, Kind::penalty, "@name@", "", "0.1.0", "lambda times the sum of magnitudes",
    "h(x) = lambda sum_j |x_j|. What claros describe shows: the penalty, and what its proximal step is.",
    "Author, Title, Year: where the formulas come from")
