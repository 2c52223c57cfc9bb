// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/algorithm.hpp>
#include <claros/corners.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace {

using namespace claros;

struct Options {};

/// minimise f(x) + h(x), f(x) = sum_i w_i psi_i(<a_i, x>) with corners. A step is a round:
///   x <- the inner algorithm's point for f_u(x) + h(x),
///   u_i <- the slopes of f_u at x.
///
/// The loss f_u is rounded over 2 delta and moved by the slopes u of the round before. The width delta falls
/// to a share of the first one. A round is a proximal point step of the dual problem.
class Multipliers final : public Algorithm, public State, public StepBudget {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{{},
                                               {},
                                               {{.name = "inner",
                                                 .kind = Kind::algorithm,
                                                 .meaning = "minimises the rounded problems",
                                                 .fallback = "prox-newton",
                                                 .restarted = true}}};
    return table;
  }

  Multipliers(const Options&, const Context& context) : inner_(context.part<Algorithm>("inner")) {}

  std::vector<Need> needs() const override {
    return {need::objective<Cornered>("its rounds are roundings of the corners"),
            need::exact_estimator("a round is solved with exact gradients")};
  }
  Takes takes() const override {
    return {.penalty = true,
            .reason =
                "a round minimises f plus a penalty (with a set round the corner: objective.loss.delta "
                "above 0)"};
  }

  void start(const Problem& problem, Element x0) override {
    constexpr double kWidth = 0.25, kFew = 100.0, kLeast = 1e-4, kMost = 1e-2;
    whole_ = problem;
    corners_ = query<Cornered>(*problem.objective);
    x_ = std::move(x0);
    corners_->balance(x_);
    const double spread = corners_->spread(x_);
    delta_ = kWidth * (spread > 0.0 ? spread : 1.0);
    // A wider rounding holds many rows that are not in the corner, which takes more rounds.
    const double n = static_cast<double>(problem.objective->terms());
    least_ = std::clamp(kFew / n, kLeast, kMost) * delta_;
    begin();  // what the inner algorithm refuses is refused here
  }

  void step() override {
    constexpr Index kMost = 20, kMostUnknown = 200, kIdle = 3;
    constexpr double kShare = 1e-3, kGain = 0.7;
    begin();
    double first = 0.0, least = std::numeric_limits<double>::infinity(), residual = least;
    for (Index k = 0, fell = 0; k < (residual >= 0.0 ? kMost : kMostUnknown) && k - fell < kIdle; ++k) {
      inner_->step();
      residual = inner_->report().residual;
      if (k == 0) first = residual;
      if (k > 0 && residual <= kShare * first) break;
      if (!(residual > kGain * least)) fell = k;  // what does not fall is rounding
      least = std::min(least, residual);
    }
    x_ = inner_->iterate();
    corners_->take_slopes(x_);
    if (residual <= kShare * first) delta_ = std::max(0.25 * delta_, least_);
  }

  const Element& iterate() const override { return x_; }
  void state(StateVisitor& v) override {
    v("x", x_);
    v("delta", delta_);
    v("slopes", corners_->slopes());
  }
  /// Rounds converge fast or not at all: a tenth of these is much.
  Index step_budget() const override { return 200; }
  void* ability(std::string_view id) noexcept override { return offer<State, StepBudget>(this, id); }

 private:
  void begin() {
    rounded_ = corners_->rounded(delta_);
    Problem problem = whole_;
    problem.objective = static_cast<Objective*>(rounded_.get());
    inner_->start(problem, x_);
  }

  std::shared_ptr<Algorithm> inner_;
  std::unique_ptr<Component> rounded_;
  Problem whole_;
  Cornered* corners_ = nullptr;
  Element x_;
  double delta_ = 0.0, least_ = 0.0;
};

}  // namespace

CLAROS_PLUGIN(
    Multipliers, Kind::algorithm, "multipliers", "augmented-lagrangian", "1.0.0",
    "Method of multipliers: losses with a corner by a few smooth problems",
    "Each round rounds the corners of the loss and moves every row by its slope of the round before. An "
    "inner algorithm minimises that with the penalty. The slopes are the dual point of a duality gap of the "
    "loss with its corners. The width is relative to the residuals: the result depends on no unit.",
    "Rockafellar: Augmented Lagrangians and applications of the proximal point algorithm in convex "
    "programming, Math. Oper. Res. 1976; Li, Sun, Toh: A highly efficient semismooth Newton augmented "
    "Lagrangian method for solving Lasso problems, SIAM J. Optim. 2018",
    "Use it for quantile regression and the median, with any convex penalty. Claros chooses it there, with "
    "an inner algorithm that suits the penalty. For a smooth loss take prox-newton, lbfgs or working-set.",
    "data.use=synthetic-regression data.rows=200 data.cols=20 data.nonzero=5 objective.use=linear-model "
    "objective.loss=quantile objective.loss.tau=0.9 objective.intercept=yes penalty.use=l1 "
    "penalty.lambda=0.1*max algorithm.use=multipliers stop.relative_gap=1e-6")
