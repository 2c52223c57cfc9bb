// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/chosen_rows.hpp>

namespace {

using namespace claros;

struct Options {
  ScaledNumber lambda;
};

/// h(x) = lambda sum_j |x_j|. Spans hold all entries of the variable, column-major.
class MyPenalty final : public sdk::ArrayPenalty, public LambdaMax {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "weight of the sum")};
    return table;
  }
  MyPenalty(const Options& options, const Context&) : lambda_(options.lambda.number()) {}

  // MATHEMATICS 1 of 3: the least lambda for which 0 minimises <g, x> + h(x), the dual norm of g: `lambda =
  // 0.1*max` is a tenth of it. (A penalty that is 0's solution for no lambda leaves it out, and declares a
  // double with the other lambda_row.)
  double lambda_max(const Element& g) override { return sdk::largest_magnitude(read(g)); }
  void* ability(std::string_view id) noexcept override {
    void* own = offer<LambdaMax>(this, id);
    return own ? own : ArrayPenalty::ability(id);
  }

  // A penalty that is not convex says how much so: the least mu for which h + (mu/2)||x||^2 is convex. `prox`
  // is then asked for steps below 1/mu alone. Algorithms that take penalties take this one as well
  // (apply_convexified, claros/proximal_oracle.hpp).
  //   double weak_convexity() const override { return mu; }

 private:
  // MATHEMATICS 2 of 3: h(x).
  double penalty(std::span<const double> x) override { return lambda_ * sdk::sum_of_magnitudes(x); }
  // MATHEMATICS 3 of 3: the proximal step. Writes argmin over x of step h(x) + ||x - v||^2 / 2. x may be v.
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    sdk::map_entries(v, x, [t = step * lambda_](double value) { return sdk::soft_threshold(value, t); });
  }

  double lambda_;
};

}  // namespace

CLAROS_PLUGIN(MyPenalty, .kind = Kind::penalty, .name = "@name@", .version = "0.1.0",
              .summary = "lambda times the sum of magnitudes",
              .description =
                  "h(x) = lambda sum_j |x_j|. What claros describe shows: the penalty, and what its "
                  "proximal step is.",
              .citation = "Author, Title, Year: where the formulas come from",
              .guidance = "When to use it, and when not")
