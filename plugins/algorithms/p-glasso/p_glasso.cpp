// SPDX-License-Identifier: BSD-3-Clause
#include "column_descent.hpp"

#include <claros/algorithm.hpp>
#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/entries.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/convex_penalty.hpp>
#include <shared/log_det_linear.hpp>

#include <cmath>
#include <optional>
#include <utility>

namespace {

using namespace claros;

struct Options {};

/// minimise <S, X> - log det X + h(X), h a sum over entries, by rows and columns in turn (Mazumder, Hastie
/// 2012, P-GLASSO). A step passes over all of them, from W = X^{-1} made anew; every X is positive definite.
class PGlasso final : public Algorithm, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{};
    return table;
  }

  PGlasso(const Options&, const Context&) {}

  std::vector<Need> needs() const override {
    return {need::objective<sdk::LogDetLinear>("a row and column then has a quadratic problem of its own"),
            need::penalty_if_any<Separable>("a column is minimised entry by entry"),
            need::exact_estimator("its steps take the whole of f and no gradient")};
  }
  Takes takes() const override {
    return {.penalty = true, .reason = "minimising a quadratic over a set is as hard as the problem itself"};
  }

  void start(const Problem& problem, Element x0) override {
    sdk::require_convex_penalty(problem, "a column has a minimum for convex ones alone", "lbfgs");
    f_ = query<sdk::LogDetLinear>(*problem.objective);
    x_ = std::move(x0);
    p_ = static_cast<std::size_t>(x_.shape().rows);
    report_ = {};
    BlockStep step;
    if (problem.separable) {
      if (!problem.separable->blocks(x_.shape()).are_single())
        refuse("expected a penalty of single entries, found one of groups");
      step = problem.separable->block_step();
    }
    columns_.emplace(f_->linear_part(), step, slopes(step));
    make_symmetric(step);
  }

  void step() override {
    std::vector<double> W(p_ * p_);
    f_->inverse(x_, W);
    const std::span<double> X = x_.dense_values();
    report_.coordinate_steps = 0;
    for (std::size_t j = 0; j < p_; ++j) report_.coordinate_steps += columns_->minimise(j, X, W);
  }

  const Element& iterate() const override { return x_; }
  StepReport report() const override { return report_; }

  void state(StateVisitor& v) override {
    v("x", x_);
    v("coordinate steps", report_.coordinate_steps);
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  [[noreturn]] static void refuse(const std::string& problem) {
    throw Error(ErrorKind::usage, "", problem, "take algorithm.use = lbfgs");
  }
  static double moved(const BlockStep& step, std::size_t k, double v) {
    double to = v;
    if (step.function) step(static_cast<Index>(k), &v, 1.0, &to);
    return to;
  }
  /// The slopes of h_jj at t > 0: lambda of an l1 norm, and 0 without a penalty of the diagonal. A step moves
  /// `far_` by less than half of it.
  std::vector<double> slopes(const BlockStep& step) {
    constexpr double kSame = 1e-12, kLargest = 1e300;
    far_ = sdk::largest_magnitude(f_->linear_part());
    std::vector<double> all(p_);
    for (std::size_t j = 0; j < p_; ++j) {
      const std::size_t k = j * (p_ + 1);
      while (moved(step, k, far_) < 0.5 * far_ && far_ < kLargest) far_ *= 2.0;
      all[j] = far_ - moved(step, k, far_);
      if (!(std::abs(2.0 * far_ - moved(step, k, 2.0 * far_) - all[j]) <= kSame * far_))
        refuse("expected a penalty that is linear on the diagonal, such as l1, found one that is not");
    }
    return all;
  }
  /// f sees the symmetric part of X alone, and h must be the same function of (i, j) and of (j, i). Both are
  /// compared far from 0, where an l1 norm shows its lambda, and a box its bounds.
  void make_symmetric(const BlockStep& step) {
    const std::span<double> X = x_.dense_values();
    for (std::size_t j = 0; j < p_; ++j)
      for (std::size_t i = 0; i < j; ++i) {
        const std::size_t above = j * p_ + i, below = i * p_ + j;
        for (const double v : {-far_, far_})
          if (moved(step, above, v) != moved(step, below, v))
            refuse("expected a penalty that is the same for the entries (i, j) and (j, i), found another");
        if (X[above] != X[below]) X[above] = X[below] = 0.5 * X[above] + 0.5 * X[below];
      }
  }

  sdk::LogDetLinear* f_ = nullptr;
  std::optional<ColumnDescent> columns_;
  Element x_;
  std::size_t p_ = 0;
  double far_ = 1.0;
  StepReport report_;
};

}  // namespace

CLAROS_PLUGIN(
    PGlasso, Kind::algorithm, "p-glasso", "", "1.0.0",
    "P-GLASSO: the graphical lasso by rows and columns (Mazumder, Hastie 2012)",
    "For -log det X + <S, X> with a penalty over entries, each row and column of X in turn is a Lasso whose "
    "Hessian is the inverse of the rest. Coordinate descent minimises it, X stays positive definite, and its "
    "inverse follows by outer products. A step passes over all columns.",
    "Mazumder, Hastie: The graphical lasso: new insights and alternatives, Electronic Journal of Statistics "
    "6, 2012; Friedman, Hastie, Tibshirani: Sparse inverse covariance estimation with the graphical lasso, "
    "Biostatistics 9, 2008",
    "Use it for the graphical lasso, objective log-det with penalty l1. Penalties are sums over entries, the "
    "same for (i, j) and (j, i), and linear on the diagonal; for others take lbfgs. A step costs p^3 "
    "operations, less where columns keep their zeros.",
    "data.use=synthetic-regression data.rows=300 data.cols=30 "
    "data.correlation=0.4 data.nonzero=0 objective.use=log-det penalty.use=l1 "
    "penalty.lambda=0.15 penalty.weights=off-diagonal algorithm.use=p-glasso stop.relative_gap=1e-6")
