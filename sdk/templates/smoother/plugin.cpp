// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_smoother.hpp>
#include <claros/sdk/chosen_rows.hpp>

#include <cmath>

namespace {

using namespace claros;

struct Options {
  double lambda = kUnset;
  double mu = 0.01;
};

/// R(x) = lambda sum_j (sqrt(x_j^2 + mu^2) - mu), a smooth sum of magnitudes. Spans hold all entries of the
/// variable, column-major.
class MySmoother final : public sdk::ArraySmoother {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::lambda_row(&Options::lambda, at_least(0), "weight of the sum",
                        "try powers of 10, and compare on data held back"),
        row("mu", &Options::mu, above(0), "width of the smoothed corner", "mu")};
    return table;
  }
  MySmoother(const Options& options, const Context&) : lambda_(options.lambda), mu_(options.mu) {}

  // MATHEMATICS 1 of 3: what is known of R. Every number may be left out; steps of length auto need the
  // smoothness.
  Constants constants() const override {
    return {
        .convex = true, .smoothness = lambda_ / mu_, .term_smoothness = lambda_ / mu_, .lower_bound = 0.0};
  }

 private:
  // MATHEMATICS 2 of 3: R(x).
  double value_at(std::span<const double> x) override {
    double sum = 0.0;
    for (const double t : x) sum += std::hypot(t, mu_) - mu_;
    return lambda_ * sum;
  }
  // MATHEMATICS 3 of 3: g <- g + a grad R(x).
  void add_gradient_at(std::span<const double> x, double a, std::span<double> g) override {
    for (std::size_t j = 0; j < g.size(); ++j) g[j] += a * lambda_ * x[j] / std::hypot(x[j], mu_);
  }
  // Estimators that multiply by the Hessian need two functions more, `has_hessian` and
  // `add_hessian_product_at`.

  double lambda_, mu_;
};

}  // namespace

CLAROS_PLUGIN(MySmoother, .kind = Kind::smoother, .name = "@name@", .version = "0.1.0",
              .summary = "lambda times a smooth sum of magnitudes",
              .description =
                  "R(x) = lambda sum_j (sqrt(x_j^2 + mu^2) - mu). What claros describe shows: the "
                  "smoother, and what it smooths.",
              .citation = "Author, Title, Year: where the formulas come from",
              .guidance = "When to use it, and when not")
