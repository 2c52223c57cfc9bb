// SPDX-License-Identifier: BSD-3-Clause
#include <claros/objective.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/chosen_rows.hpp>

namespace {

using namespace claros;

struct Options {
  double lambda = kUnset;
};

/// R(x) = (lambda/2) ||x||_F^2 of a variable of any shape. Its gradient lambda x keeps the form of x, and its
/// Hessian is lambda I. R is smooth and strongly convex with constant lambda.
class SquaredNorm final : public Objective, public Curvature {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{sdk::lambda_row(
        &Options::lambda, at_least(0), "factor of half the squared norm, and its strong convexity",
        "try powers of 10 from 1e-4 on times the smoothness of the objective, and compare on data held "
        "back")};
    return table;
  }

  SquaredNorm(const Options& options, const Context&) : lambda_(options.lambda) {}

  Shape shape() const override { return {}; }
  Index terms() const override { return 1; }
  double value(const Element& x) override { return lambda_ > 0.0 ? 0.5 * lambda_ * inner(x, x) : 0.0; }
  void add_gradient(const Element& x, const Batch&, double a, Element& g) override { g.add(a * lambda_, x); }
  void add_hessian_product(const Element&, const Element& d, const Batch&, double a, Element& g) override {
    g.add(a * lambda_, d);
  }
  Constants constants() const override {
    return {.convex = true,
            .smoothness = lambda_,
            .term_smoothness = lambda_,
            .strong_convexity = lambda_,
            .lower_smoothness = 0.0,
            .hessian_smoothness = 0.0,
            .term_hessian_smoothness = 0.0,
            .lower_bound = 0.0};
  }
  void* ability(std::string_view id) noexcept override { return offer<Curvature>(this, id); }

 private:
  double lambda_;
};

}  // namespace

CLAROS_PLUGIN(SquaredNorm, Kind::smoother, "squared-norm", "", "1.0.0",
              "Squared norm, (lambda/2) ||x||_F^2, as a smooth part of the objective",
              "R(x) = (lambda/2) ||x||_F^2 over all entries. Its gradient keeps the form of x: a low-rank "
              "point stays one. With it, f + R "
              "is strongly convex with constant lambda where f is convex.",
              "Hoerl, Kennard: Ridge regression, Technometrics 12, 1970",
              "Use it to make f strongly convex over a set, or with algorithms that take no penalty. "
              "Without a set a run has no gap, and working-set, coordinate-descent and prox-newton take no "
              "smoother. For a linear model without a set take the penalty ridge, or elastic-net for zeros.",
              "data.use=synthetic-regression data.rows=50 data.cols=100 data.nonzero=5 "
              "objective.use=linear-model smoother.use=squared-norm smoother.lambda=0.1 "
              "set.use=l1-ball set.radius=3 stop.relative_gap=1e-6")
