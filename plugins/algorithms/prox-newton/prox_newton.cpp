// SPDX-License-Identifier: BSD-3-Clause
#include "quadratic_model.hpp"

#include <claros/algorithm.hpp>
#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace {

using namespace claros;

struct Options {
  Index inner_steps = 2;
};

/// minimise f(x) + h(x), f = phi(A x):
///   y ~ argmin_u q(u) + h(u),   q the expansion of f at x to second order, by the inner algorithm,
///   x <- x + alpha (y - x),     alpha the first of 1, 1/2, 1/4, ... with
///   (f + h)(x + alpha (y - x)) <= (f + h)(x) + sigma alpha (<grad f(x), y - x> + h(y) - h(x)).
/// (Lee, Sun, Saunders 2014, Algorithm 1.) The inner algorithm ends when its residual is `forcing` times that
/// of its first step, and after inner_steps steps: few, since q is soon another one. Where they are too few,
/// so that the residual of the first step is more than half of the one before while f + h falls, they are
/// doubled. Where phi'' is below a thousandth of its largest value, that is taken. While whole steps fall,
/// that share becomes smaller: rows of exponential losses that no event holds back move by one a step only by
/// their own curvature, and rows on the right side of a hinge have none. Where phi'' vanishes in all rows
/// (phi is linear around A x), its bound is taken, and alpha may then be 2, 4, 8, ..., while f + h falls: far
/// from the data Huber's loss is straight. After a step that no alpha makes fall the next quadratic has more
/// curvature: the same would be refused again.
class ProxNewton final : public Algorithm, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("inner_steps", &Options::inner_steps, at_least(1),
             "most steps of the inner algorithm on one quadratic; twice as many, "
             "up to 64, after a step that leaves more than half of the "
             "residual")},
        {},
        {{.name = "inner",
          .kind = Kind::algorithm,
          .meaning = "solves the quadratics",
          .fallback = "coordinate-descent",
          .restarted = true}}};
    return table;
  }

  ProxNewton(const Options& options, const Context& context)
      : options_(options), inner_(context.part<Algorithm>("inner")) {}

  std::vector<Need> needs() const override {
    return {
        need::objective<LossOfImage>("the quadratic of a step is one of A x"),
        need::penalty_if_any<Separable>("the quadratics are solved block by block"),
        need::exact_estimator("the quadratic is that of the full gradient, and no estimate is asked for")};
  }
  Takes takes() const override {
    return {.penalty = true, .reason = "minimising a quadratic over a set is as hard as the problem itself"};
  }

  void start(const Problem& problem, Element x0) override {
    problem_ = problem;
    phi_ = query<LossOfImage>(*problem.objective);
    if (!phi_->map()->columns())
      throw Error(ErrorKind::usage, "",
                  "needs access to the columns of the objective's map, which this map does not give",
                  "take algorithm.use = proximal-gradient");
    x_ = std::move(x0);
    auto* tail = query<FreeTail>(*problem.objective);
    constrained_ = tail ? tail->constrained_shape() : x_.shape();
    report_ = {};
    most_ = options_.inner_steps;
    fell_ = false;
    damping_ = trust_ = 1.0;
    if (std::exchange(tried_, true)) return;
    QuadraticModel model = expansion();  // what the inner algorithm refuses it refuses now
    begin_inner(model);
  }

  void step() override {
    const MapPtr& map = phi_->map();
    QuadraticModel model = expansion();
    const std::vector<double>&at = model.at(), &c = model.slope();
    Element y = minimised(model);
    const auto to = y.image(map);
    std::vector<double> move(to.begin(), to.end());
    double slope = penalty(y) - penalty(x_);
    for (std::size_t i = 0; i < move.size(); ++i) {
      move[i] -= at[i];
      slope += c[i] * move[i];
    }
    take(y, at, move, slope);
  }

  const Element& iterate() const override { return x_; }
  StepReport report() const override { return report_; }

  void state(StateVisitor& v) override {
    v("x", x_);
    v("step", report_.weight);
    v("residual", report_.residual);
    v("inner steps", most_);
    v.require(most_ >= 1 && most_ <= std::max(kMost, options_.inner_steps), "inner steps",
              "not positive, or more than a run makes");
    v("fell", fell_);
    v("damping", damping_);
    v.require(damping_ >= 1.0 && damping_ <= kMostDamping, "damping", "below 1, or more than a run takes");
    v("trust", trust_);
    v.require(trust_ > 0.0 && trust_ <= 1.0, "trust", "not in (0, 1]");
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  static constexpr Index kMost = 64;  ///< inner steps, where not more are asked for
  static constexpr double kForcing = 0.05, kSigma = 1e-4, kFarthest = 1e30;
  static constexpr double kDamp = 100.0, kMostDamping = 1e30, kLeastTrust = 1e-9;

  /// Weights that vanish would leave a coordinate without a curvature. Damped, they come up to the largest,
  /// and beyond.
  void lift(std::vector<double>& d) const {
    constexpr double kShare = 1e-3;
    const double share = kShare * damping_,
                 floor = std::min(share, 1.0) * *std::max_element(d.begin(), d.end());
    for (double& value : d) value = std::max(value, trust_ * floor) * std::max(share, 1.0);
  }

  double penalty(const Element& x) { return problem_.penalty ? problem_.penalty->value(x) : 0.0; }

  QuadraticModel expansion() {
    const auto z = x_.image(phi_->map());
    std::vector<double> at(z.begin(), z.end()), c(at.size()), d(at.size());
    phi_->image_gradient({}, at, c);
    phi_->image_curvature(at, d);
    is_straight_ = std::ranges::all_of(d, [](double value) { return value <= 0.0; });
    if (is_straight_) (void)phi_->curvature_bound(d);
    lift(d);
    return {phi_->map(), constrained_, std::move(at), std::move(c), std::move(d)};
  }

  void begin_inner(QuadraticModel& model) {
    Problem quadratic = problem_;
    quadratic.objective = &model;
    quadratic.conjugate = nullptr;
    inner_->start(quadratic, x_);
  }

  Element minimised(QuadraticModel& model) {
    constexpr double kSlow = 0.5;
    begin_inner(model);
    const double before = std::exchange(report_.residual, std::numeric_limits<double>::quiet_NaN());
    for (Index k = 0; k < most_; ++k) {
      inner_->step();
      const double residual = inner_->report().residual;
      if (k == 0) {
        report_.residual = residual;
        if (fell_ && residual > kSlow * before && most_ < kMost) most_ = std::min(2 * most_, kMost);
      }
      if (residual <= kForcing * report_.residual) break;
    }
    return inner_->iterate();
  }

  /// A point x + alpha (y - x), its image, and f + h there.
  struct Trial {
    double alpha = 0.0, value = 0.0;
    Element point;
    std::vector<double> z;
  };

  /// Along the segment to y, whose images are at and at + move.
  void take(const Element& y, const std::vector<double>& at, const std::vector<double>& move, double slope) {
    constexpr int kMostCuts = 40;
    slope = std::min(slope, 0.0);  // inexact inner steps may aim upwards
    const double here = phi_->image_value(at) + penalty(x_), rounding = 1e-14 * std::abs(here);
    const auto trial = [&](double alpha) {
      Trial made{alpha, 0.0, alpha == 1.0 ? y : x_, std::vector<double>(at.size())};
      for (std::size_t i = 0; i < at.size(); ++i) made.z[i] = at[i] + alpha * move[i];
      made.point.drop_images();
      if (alpha < 1.0) made.point.blend(alpha, y);
      if (alpha > 1.0) made.point.assign_sum(1.0 - alpha, x_, alpha, y);
      if (alpha != 1.0) (void)made.point.dense_values();
      made.value = phi_->image_value(made.z) + penalty(made.point);
      return made;
    };
    const auto falls = [&](const Trial& t) { return t.value <= here + kSigma * t.alpha * slope + rounding; };
    Trial best = trial(1.0);
    for (int cut = 1; cut < kMostCuts && !falls(best); ++cut) best = trial(0.5 * best.alpha);
    report_.weight = 0.0;
    fell_ = false;
    if (!falls(best)) {
      damping_ = std::min(kDamp * damping_, kMostDamping);
      trust_ = 1.0;
      return;
    }
    if (best.alpha >= 1.0) {
      damping_ = std::max(damping_ / kDamp, 1.0);
      trust_ = std::max(trust_ / kDamp, kLeastTrust);
    }
    while (is_straight_ && best.alpha >= 1.0 && best.alpha < kFarthest) {
      Trial further = trial(2.0 * best.alpha);
      if (!falls(further) || !(further.value < best.value)) break;
      best = std::move(further);
    }
    fell_ = best.value < here - rounding;
    // Beyond y the error of the image at x would be alpha - 1 times as large, step after step.
    if (best.alpha <= 1.0) best.point.keep_image(phi_->map(), Buffer(std::move(best.z)));
    x_ = std::move(best.point);
    report_.weight = best.alpha;
  }

  Options options_;
  std::shared_ptr<Algorithm> inner_;
  Problem problem_;
  LossOfImage* phi_ = nullptr;
  Shape constrained_;
  Element x_;
  Index most_ = 1;            ///< steps of the inner algorithm on one quadratic
  double damping_ = 1.0;      ///< of the quadratics
  double trust_ = 1.0;        ///< in curvatures that are small: the share of their floor
  bool fell_ = false;         ///< f + h, by more than rounding, in the last step
  bool is_straight_ = false;  ///< whether phi'' vanishes at A x, in all rows
  bool tried_ = false;        ///< whether the inner algorithm has been started, on whatever problem
  StepReport report_;
};

}  // namespace

CLAROS_PLUGIN(
    ProxNewton, Kind::algorithm, "prox-newton", "", "1.0.0", "Proximal Newton with a line search",
    "Each step expands the loss to second order, lets an inner algorithm (coordinate descent) minimise that "
    "with the penalty, and "
    "searches along the segment. A handful of steps for logistic and Poisson losses of linear models.",
    "Lee, Sun, Saunders: Proximal Newton-type methods for "
    "minimizing composite functions, SIAM J. Optim. 2014",
    "Use it for logistic, Poisson and other smooth losses of linear models, with a penalty over coordinates "
    "or groups: a few steps reach a high accuracy, whatever the units of the columns. For least squares take "
    "coordinate-descent, for many columns working-set with prox-newton inside, or lbfgs with ridge or no "
    "penalty. It takes no set, nor penalties such as tv.",
    "data.use=synthetic-regression data.rows=500 data.cols=50 data.nonzero=5 "
    "data.response=logistic objective.use=linear-model objective.loss=logistic penalty.use=l1 "
    "penalty.lambda=0.1*max algorithm.use=prox-newton stop.relative_gap=1e-6")
