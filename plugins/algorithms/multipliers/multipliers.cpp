// SPDX-License-Identifier: BSD-3-Clause
#include "vertex.hpp"

#include <claros/abilities.hpp>
#include <claros/algorithm.hpp>
#include <claros/corners.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace {

using namespace claros;

struct Options {};

/// minimise f(x) + h(x), f(x) = sum_i w_i psi_i(<a_i, x>) with corners. A step is a round:
///   x <- the inner algorithm's point for f_u(x) + h(x),
///   u_i <- the slopes of f_u at x.
///
/// The loss f_u is rounded over 2 delta and moved by the slopes u of the round before. The width delta falls
/// to a share of the first one. A round is a proximal point step of the dual problem. Without a penalty, or
/// with an l1 norm, the problem is a linear program, and a round ends at a vertex next to its point.
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
    spread_ = spread > 0.0 ? spread : 1.0;
    delta_ = kWidth * spread_;
    // A wider rounding holds many rows that are not in the corner, which takes more rounds.
    const double n = static_cast<double>(problem.objective->terms());
    least_ = std::clamp(kFew / n, kLeast, kMost) * delta_;
    rounds_ = 0;
    next_vertex_ = 1;
    solved_ = false;
    vertex_.reset();
    columns_.reset();
    if (auto* loss = query<LossOfImage>(*problem.objective)) columns_ = loss->map()->columns();
    if (auto prices = columns_ ? prices_of_l1() : std::nullopt)
      vertex_.emplace(*columns_, corners_->rows(), std::move(*prices));
    begin();  // what the inner algorithm refuses is refused here
  }

  void step() override {
    constexpr Index kMost = 20, kMostUnknown = 200, kIdle = 3;
    constexpr double kShare = 1e-3, kGain = 0.7;
    if (solved_) return;
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
    if (vertex_ && ++rounds_ >= next_vertex_) move_to_vertex();
  }

  const Element& iterate() const override { return x_; }
  void state(StateVisitor& v) override {
    v("x", x_);
    v("delta", delta_);
    v("slopes", corners_->slopes());
    v("rounds", rounds_);
    v("next vertex", next_vertex_);
    v("solved", solved_);
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

  double value(const Element& x) {
    return whole_.objective->value(x) + (whole_.penalty ? whole_.penalty->value(x) : 0.0);
  }

  /// The c_j, if h(x) = sum_j c_j |x_j|. They are read from proximal steps, 1 - t c_j at 1.
  std::optional<std::vector<double>> prices_of_l1() {
    std::vector<double> prices(static_cast<std::size_t>(x_.shape().size()), 0.0);
    if (!whole_.penalty) return prices;
    if (!whole_.separable) return {};
    auto* tail = query<FreeTail>(*whole_.objective);
    const Shape constrained = tail ? tail->constrained_shape() : x_.shape();
    const Blocks blocks = whole_.separable->blocks(constrained);
    const BlockStep step = whole_.separable->block_step();
    if (blocks.largest() > 1) return {};
    std::vector<double> x(static_cast<std::size_t>(constrained.size()));
    double sum = 0.0;
    for (Index b = 0; b < blocks.count(); ++b) {
      constexpr double kOne = 1.0, kLongest = 0x1p100, kShortest = 0x1p-100;
      double t = kLongest, to = 0.0;
      for (; t > kShortest && !(to > 0.0); t /= 16.0) step(b, &kOne, t, &to);
      const auto j = static_cast<std::size_t>(blocks.coordinate(b, 0));
      prices[j] = to > 0.0 ? (1.0 - to) / (16.0 * t) : std::numeric_limits<double>::infinity();
      if (!(to > 0.0)) continue;
      x[j] = static_cast<double>(b % 7 - 3);
      sum += prices[j] * std::abs(x[j]);
    }
    const double h = whole_.penalty->value(Element::dense(constrained, std::move(x)));
    constexpr double kRounding = 1e-9;
    if (!(std::abs(h - sum) <= kRounding * sum)) return {};
    return prices;
  }

  /// A vertex counts if f + h does not grow. One that is too far away is tried again after twice the rounds.
  void move_to_vertex() {
    constexpr double kRounding = 1e-13;
    next_vertex_ = 2 * rounds_;
    const double here = value(x_);
    if (here == 0.0) return;
    const auto found =
        vertex_->from(x_.to_dense(), x_.image(query<LossOfImage>(*whole_.objective)->map()), spread_);
    if (!found) return;
    Element x = Element::dense(x_.shape(), found->x);
    if (!(value(x) <= here + kRounding * std::abs(here))) return;
    x_ = std::move(x);
    corners_->slopes() = found->slopes;
    solved_ = true;
  }

  std::shared_ptr<Algorithm> inner_;
  std::unique_ptr<Component> rounded_;
  Problem whole_;
  Cornered* corners_ = nullptr;
  std::shared_ptr<const Columns> columns_;
  std::optional<multipliers::Vertex> vertex_;  ///< if h is an l1 norm, or absent
  Element x_;
  Index rounds_ = 0, next_vertex_ = 1;
  bool solved_ =
      false;  ///< at a vertex whose slopes are within their bounds: a further round changes nothing
  double spread_ = 1.0, delta_ = 0.0, least_ = 0.0;
};

}  // namespace

CLAROS_PLUGIN(
    Multipliers, Kind::algorithm, "multipliers", "augmented-lagrangian", "1.0.0",
    "Method of multipliers: losses with a corner by a few smooth problems",
    "Each round rounds the corners of the loss and moves every row by its slope of the round before. An "
    "inner algorithm minimises that with the penalty. The slopes are the dual point of a duality gap of the "
    "loss with its corners. The width is relative to the residuals: the result depends on no unit. Without "
    "a penalty, or with an l1 norm, the problem is a linear program: a round goes on by pivots to its "
    "vertex, the exact solution.",
    "Rockafellar: Augmented Lagrangians and applications of the proximal point algorithm in convex "
    "programming, Math. Oper. Res. 1976; Li, Sun, Toh: A highly efficient semismooth Newton augmented "
    "Lagrangian method for solving Lasso problems, SIAM J. Optim. 2018; Barrodale, Roberts: An improved "
    "algorithm for discrete l1 linear approximation, SIAM J. Numer. Anal. 1973",
    "Use it for quantile regression and the median, with any convex penalty. Claros chooses it there, with "
    "an inner algorithm that suits the penalty. For a smooth loss take prox-newton, lbfgs or working-set.",
    "data.use=synthetic-regression data.rows=200 data.cols=20 data.nonzero=5 objective.use=linear-model "
    "objective.loss=quantile objective.loss.tau=0.9 objective.intercept=yes penalty.use=l1 "
    "penalty.lambda=0.1*max algorithm.use=multipliers stop.relative_gap=1e-6")
