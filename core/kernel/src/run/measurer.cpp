// SPDX-License-Identifier: BSD-3-Clause
#include "run/measurer.hpp"
#include "interfaces/null_model.hpp"

#include "run/arithmetic_error.hpp"
#include "run/feasibility.hpp"
#include "run/remembered.hpp"
#include "run/residual_step.hpp"

#include <claros/abilities.hpp>
#include <claros/contain.hpp>
#include <claros/convexity.hpp>
#include <claros/domain.hpp>
#include <claros/dual_point.hpp>
#include <claros/expectation.hpp>
#include <claros/interruption.hpp>
#include <claros/rounding.hpp>
#include <claros/watch/watched.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

namespace claros {

namespace {

using Real = std::numeric_limits<double>;
constexpr double kRoundoff = Real::epsilon(), kInfinity = Real::infinity(), kUnknown = Real::quiet_NaN();
// The least length of s g, as a part of x, that leaves six digits of it in x - s g.
constexpr double kSeen = 1e6 * kRoundoff;

}  // namespace

bool Measurer::measures() const { return measured_function(*problem_.objective) != nullptr; }

/// For an expectation without a measured function, the expectation itself: its value may be known.
Objective& Measurer::function() const {
  Objective* f = contain(names_.objective, [&] { return measured_function(*problem_.objective); });
  return f ? *f : *problem_.objective;
}

double Measurer::value(const Element& x) const {
  const Uncounted measuring(*problem_.ledger);
  const Element point = x.detached();
  Objective& f = function();
  double value = contain(names_.objective, [&] { return f.value(point); });
  if (problem_.smoother) value += problem_.smoother->value(point);
  if (problem_.penalty) value += contain(names_.penalty, [&] { return problem_.penalty->value(point); });
  return value;
}

double Measurer::value_at_zero() const try {
  return value(Element(problem_.objective->shape()));
} catch (const Error&) {
  return kUnknown;
}

void Measurer::start(const Element& x0) {
  if (!measures() || !x0.is_zero() || !has_residual(of_set() || may_have_bound())) return;
  const Uncounted measuring(*problem_.ledger);
  scale_ = scale_at_zero(x0.shape());
}

/// Steps onto a set without projection have no length, with a penalty that nothing makes convex no proof.
bool Measurer::has_residual(bool has_gap) const {
  const bool unprojectable = problem_.set && !problem_.projection;
  const bool unprovable = problem_.set && problem_.penalty && std::isinf(problem_.penalty->weak_convexity());
  return (!has_gap || stop_.residual > 0) && !unprojectable && !unprovable;
}

Measurement Measurer::measure(const Element& x, double multiplications, const Element* subgradient) {
  const Uncounted measuring(*problem_.ledger);
  multiplications_ = multiplications;
  subgradient_ = subgradient;
  value_measured_ = kUnknown;
  const Element point = x.detached();
  Measurement m;
  Remembered(problem_).during([&] { measure_here(point, m); });
  if ((m.held_out = held_out_draws(*problem_.objective)) > 0) m.bounds_minimum = false;
  if (auto* smoothing = query<Smoothing>(problem_.smoother ? *problem_.smoother : function()))
    m.unsmoothed = m.value + contain(names_.objective, [&] { return smoothing->correction(point); });
  if (problem_.truth) m.rmse_truth = rmse_truth(point);
  if (auto* held_out = query<HeldOut>(*problem_.objective))
    m.test_rmse = contain(names_.objective, [&] { return held_out->test_rmse(point); });
  return m;
}

void Measurer::measure_here(const Element& point, Measurement& m) {
  rounding_ = 0.0;
  const double bound = of_set() ? -kInfinity : dual_bound(point);  // its pass leaves the image to the value
  m.value = value_measured_ = value(point);
  Interruption::poll();
  if (!measures() || !std::isfinite(m.value)) return;
  if (of_set()) add_gap(point, m);
  if (has_residual(of_set() || add_duality_gap(bound, point, m))) add_residual(point, m);
}

/// Works entry by entry if some form is dense anyway: the norm's products of forms cancel.
double Measurer::rmse_truth(const Element& x) const {
  Element error(x);
  error.add(-1.0, *problem_.truth);
  if (std::any_of(error.parts().begin(), error.parts().end(),
                  [](const auto& part) { return std::holds_alternative<DenseForm>(part.form); }))
    (void)error.dense_values();
  return norm(error) / std::sqrt(static_cast<double>(x.shape().size()));
}

double Measurer::eigengap(const Element& x) const {
  auto* gap = problem_.set ? query<SpectralGap>(*problem_.set) : nullptr;
  const Index rank = gap && only_low_rank(x) ? rank_or_support(x) : 0;
  if (rank < 1 || rank >= std::min(x.shape().rows, x.shape().cols)) return kUnknown;
  const Uncounted measuring(*problem_.ledger);
  return gap->eigengap(gradient(x.detached()), rank);
}

double Measurer::estimator_error(const Element& x, const Element& g) const {
  const Uncounted measuring(*problem_.ledger);
  Element error(x.shape());
  if (leaves_domain(function(), x)) return kUnknown;
  contain(names_.objective, [&] { function().add_gradient(x.detached(), Batch::all(), 1.0, error); });
  error.add(-1.0, g);
  return norm(error);
}

Element Measurer::gradient(const Element& x) const {
  Element g(x.shape());
  contain(names_.objective, [&] {
    function().add_gradient(x, Batch::all(), 1.0, g);
    if (problem_.smoother) problem_.smoother->add_gradient(x, Batch::all(), 1.0, g);
  });
  return g;
}

/// By the conjugate of the penalty alone no bound comes near the minimum over a set.
bool Measurer::may_have_bound() const {
  return query<Certified>(function()) && problem_.conjugate && !problem_.smoother &&
         !(problem_.penalty && problem_.set);
}

/// -infinity if none is known.
double Measurer::dual_bound(const Element& x) const {
  auto* certified = query<Certified>(function());
  if (!may_have_bound() || !all_finite(x)) return -kInfinity;
  const double bound =
      contain(names_.objective, [&] { return certified->lower_bound(x, *problem_.conjugate); });
  return std::max(bound, bound_of_penalty(x));
}

/// By the dual point that the penalty knows; -infinity where it knows none.
double Measurer::bound_of_penalty(const Element& x) const {
  auto* f = query<ConjugateGap>(function());
  for (const Kept& kept : problem_.kept) {
    auto* h = f && kept.name == "penalty" ? query<DualPoint>(*kept.component) : nullptr;
    if (!h) continue;
    Element s;
    const double of_h = contain(names_.penalty, [&] { return h->gap_at_dual_point(x, s); }),
                 of_f = contain(names_.objective, [&] { return f->conjugate_gap(x, s); });
    const double bound = value(x) - of_h - of_f;
    return std::isnan(bound) ? -kInfinity : bound;
  }
  return -kInfinity;
}

bool Measurer::add_duality_gap(double bound, const Element& x, Measurement& m) {
  if (!std::isfinite(bound)) return false;
  m.gap_kind = "duality";
  set_gap(m.value - bound, dual_rounding(function(), x, m.value, bound), x, m);
  m.bounds_minimum = m.confirmed;
  return true;
}

/// The larger of `raw` and 0, and the error. Below -error `raw` is no gap, unless the point gives a reason.
void Measurer::set_gap(double raw, double error, const Element& x, Measurement& m) {
  rounding_ = error;
  if (raw < -error && std::isfinite(raw)) rounding_ += doubt(x);
  const bool refuted = raw < -rounding_;
  m.gap = refuted ? raw : std::max(raw, 0.0) + rounding_;
  m.confirmed = !refuted && std::isfinite(m.gap);
}

/// value - bound, or max_u <g, x - u>, as computed.
double Measurer::raw_gap(const Element& x) {
  const double bound = of_set() ? 0.0 : dual_bound(x);
  if (!of_set()) return value(x) - bound;
  const Tangent at_x = tangent(x, 0.0);
  Element vertex;
  return at_x.here - problem_.linear_oracle->minimize(at_x.slope, {tolerance_, true}, vertex).lower_bound;
}

/// With a penalty, h(y) >= <u, y> - h*(u).
Measurer::Tangent Measurer::tangent(const Element& x, double value) {
  Tangent made{gradient(x)};
  made.here = inner(made.slope, x);
  made.error = tangent_rounding(function(), problem_.smoother, x, farthest(x), value, made.slope);
  if (!problem_.penalty) return made;
  Element u = subgradient_ ? subgradient_->detached() : Element(x.shape());
  if (u.shape() != x.shape() || !all_finite(u))
    throw Error(ErrorKind::plugin, names_.algorithm, "its subgradient is not finite or of another shape",
                "report it to the plugin's author, or use another algorithm");
  contain(names_.penalty, [&] {
    u.scale(problem_.conjugate->into_domain(u));
    const double h = problem_.penalty->value(x), conjugate = problem_.conjugate->conjugate(u);
    made.here += h + conjugate;
    made.error += sum_rounding(x.shape().size()) *
                  (std::abs(h) + std::abs(conjugate) + 2.0 * farthest(x) * norm_at_most(u));
  });
  made.slope.add(1.0, u);
  return made;
}

/// The slope of the tangent times the distance to the set: by so much a value there may lie below those in
/// the set. Infinite if the indicator alone says that x is outside.
double Measurer::outside(const Element& x) {
  constexpr double kSeen = 1e-13;  // less is no violation to a membership
  const double violation = of_set() ? std::max(set_violation(problem_, names_, x), kSeen) : 0.0;
  return violation > 0.0 ? violation * farthest(x) * norm(tangent(x, 0.0).slope) : 0.0;
}

/// max ||u|| over the points of the set, at most.
double Measurer::farthest(const Element& x) { return norm_at_most(x) + diameter(); }

double Measurer::diameter() {
  if (!diameter_) diameter_ = problem_.linear_oracle->diameter(problem_.objective->shape());
  return *diameter_;
}

double Measurer::doubt(const Element& x) {
  constexpr double kMoved = 1.0 + 256.0 * kRoundoff, kNoise = 4.0;
  const Uncounted measuring(*problem_.ledger);
  const Element point = x.detached();
  Element moved(point);
  moved.scale(kMoved);
  moved.drop_images();
  double noise = 0.0, away = 0.0;
  Remembered(problem_).during([&] {
    noise = kNoise * std::abs(raw_gap(moved) - raw_gap(point)) + std::abs(value(moved) - value(point));
    away = outside(point);
  });
  return away + (std::isnan(noise) ? kInfinity : noise);
}

double Measurer::value_rounding(const Element& x, double value) const {
  const Uncounted measuring(*problem_.ledger);
  const Element point = x.detached();
  return claros::value_rounding(function(), problem_.smoother, point, value, gradient(point));
}

bool Measurer::gradient_fits(const Element& x, const Element& d) const {
  constexpr double kShare = 1e-4, kApart = 0.5;
  const Uncounted measuring(*problem_.ledger);
  const Element point = x.detached(), g = gradient(point);
  const double slope = inner(g, d), length = norm(d);
  const double h =
      kShare * (norm(point) > 0.0 ? std::max(norm(point), length) : length) / std::max(length, kRoundoff);
  const auto at = [&](double t) {
    Element y(point);
    y.drop_images();
    y.add(t, d);
    Objective* R = problem_.smoother;
    return contain(names_.objective, [&] { return function().value(y) + (R ? R->value(y) : 0.0); });
  };
  const double quotient = (at(h) - at(-h)) / (2.0 * h);
  return !std::isfinite(quotient) ||
         std::abs(quotient - slope) <= kApart * std::max(std::abs(quotient), std::abs(slope));
}

void Measurer::add_residual(const Element& x, Measurement& m) {
  const Element g = gradient(x);
  if (std::isnan(scale_)) scale_ = scale_at_zero(x.shape());
  if (std::isnan(scale_)) scale_ = norm(g);
  double fall = 0.0;
  const double r = proximal_residual(x, g, fall);
  m.residual = r == 0.0 ? 0.0 : r / scale_;
  // The scale of the value, or of a value that such a slope and point may have: a minimum may be 0.
  const double size = std::max(std::abs(m.value), scale_ * norm(x));
  if (fall > 0.0) m.residual = std::max(m.residual, fall / size);
}

/// F(x) - F(next) at least, where f(next) <= f(x) + <g, move> + ||move||^2/(2 s): a steep h falls far.
double Measurer::fall_of_step(const Element& x, const Element& next, const Element& g, const Element& move,
                              double s) const {
  ProximalOracle* h = problem_.penalty;
  if (!h) return 0.0;
  const double here = h->value(x), there = h->value(next), length = norm(move);
  const double fall = here - there - inner(g, move) - length * length / (2.0 * s),
               rounding = kRoundoff * (std::abs(here) + std::abs(there) + norm(g) * length);
  return std::isfinite(fall) && fall > rounding ? fall : 0.0;
}

/// At the point of dom h nearest to 0, or the inner point of dom f; empty if f refuses, and says of none.
Element Measurer::gradient_at_zero(const Shape& shape) const try {
  Objective& f = function();
  const Element zero = into_domain(problem_, names_, Element(shape));
  return gradient(leaves_domain(f, zero) ? query<Domain>(f)->inner_point(shape) : zero);
} catch (const Error&) {
  return Element(shape);
}

/// The scale of the problem: neither a far start nor a step that is too long makes it larger. NaN if it is 0
/// or not finite.
double Measurer::scale_at_zero(const Shape& shape) {
  const Element slope = gradient_at_zero(shape);
  if (!smoothness_ && proximal()) smoothness_ = smoothness(slope);
  const double scale = norm(slope);
  return scale > 0.0 && std::isfinite(scale) ? null_scale(scale) : kUnknown;
}

/// Responses far from 0 make the gradient at 0 large beside every digit of the coefficients. If the null
/// model is the minimum, rounding is left of its gradient. Intercepts of classes, which are nowhere far from
/// 0, would take many passes.
double Measurer::null_scale(double at_zero) try {
  constexpr double kLeast = 1e-8, kRoughly = 1e-10;
  const auto* tail = query<FreeTail>(function());
  const Index free = tail ? function().shape().size() - tail->constrained_shape().size() : 0;
  if (free == 0 || (free > 1 && !query<Restrictable>(function()))) return at_zero;
  return std::min(std::max(kLeast * at_zero, norm(null_gradient(function(), {}, kRoughly))), at_zero);
} catch (const Error&) {
  return at_zero;
}

/// It depends neither on the algorithm, nor on whether that takes R apart, nor on earlier calls of f. All
/// residuals of one problem are by one step.
std::optional<double> Measurer::smoothness(const Element& slope) const {
  return contain(names_.objective, [&]() -> std::optional<double> {
    Objective* R = problem_.smoother;
    if (const auto of_image = R ? std::nullopt : image_smoothness(function(), slope)) return of_image;
    const auto of_f = function().constants().smoothness,
               of_R = R ? R->constants().smoothness : std::optional(0.0);
    return of_f && of_R ? std::optional(*of_f + *of_R) : std::nullopt;
  });
}

double Measurer::proximal_residual(const Element& x, const Element& g, double& fall) {
  constexpr int kMostCuts = 200;
  ProximalOracle* h = proximal();
  if (!h) return norm(g);
  const double mu = convexifying(*h);
  Objective* R = problem_.smoother;
  if (!smoothness_) smoothness_ = smoothness(gradient_at_zero(x.shape()));
  const std::optional<double> L = *smoothness_;
  const bool known = L && *L > 0.0 && std::isfinite(*L);
  double s = known ? 1.0 / *L : visible_step(x, g);
  bool bounded = known;
  for (int cut = 0; cut < kMostCuts; ++cut, s *= 0.25) {
    Interruption::poll();
    Element v(x), next, move;
    v.scale(1.0 + s * mu);
    v.add(-s, g);
    const double inexact = proximal_step(v, s, x, next);
    if (!std::exchange(bounded, true)) {
      if (const double longest = reaching_step(x, next, g); s > longest) {
        s = 4.0 * longest;
        continue;
      }
    }
    move = next;
    move.add(-1.0, x);
    // The prox of h + mu ||.||^2/2 at v is that of h at x - t g, with length t: a concave penalty must not
    // make the residual small.
    const Distance moved = distance(next, x);
    const double length = moved.length, t = s / (1.0 + s * mu), lost = kRoundoff * norm_at_most(v),
                 error = inexact + moved.error + lost;
    if (!known && hides_moves(lost)) continue;
    if (!std::isfinite(error)) return kUnknown;
    const auto residual = [&] {
      fall = contain(names_.penalty, [&] { return fall_of_step(x, next, g, move, s); });
      return (length + error) / t;
    };
    if (known || (length == 0.0 && !moves_shortly(x, g, s))) return residual();
    if (length == 0.0) continue;
    const auto f = [&](const Element& at) {
      return contain(names_.objective, [&] { return function().value(at) + (R ? R->value(at) : 0.0); });
    };
    const double from = f(x), rounding = 1e-13 * std::abs(from);
    if (f(next) <= from + inner(g, move) + length * length / (2.0 * s) + rounding) return residual();
  }
  return kUnknown;
}

/// Whether a step that is much shorter than s moves x: one of length s that does not has been lost in
/// rounding.
bool Measurer::moves_shortly(const Element& x, const Element& g, double s) {
  constexpr double kShort = 1e-12;
  const double slope = norm(g), shortest = slope > 0.0 ? kSeen * norm_at_most(x) / slope : 0.0,
               shorter = std::max(kShort * s, shortest);
  if (!(shorter < s) || !std::isfinite(shorter)) return false;
  Element v(x), next;
  v.scale(1.0 + shorter * convexifying(*proximal()));
  v.add(-shorter, g);
  const double inexact = proximal_step(v, shorter, x, next);
  const Distance moved = distance(next, x);
  return moved.length > inexact + moved.error + kRoundoff * norm_at_most(v);
}

/// Whether a point so far away is rounded by more than moves within the set can be long: any of them may then
/// seem to be 0, and every s to be short enough.
bool Measurer::hides_moves(double rounding) {
  constexpr double kShare = 1e-3;
  return problem_.linear_oracle && rounding > kShare * diameter();
}

/// Along a step to a point many times as far from 0 as x and its proximal point, f may be linear as far as
/// the set reaches. A residual of at most the set's diameter over s then says nothing of x.
double Measurer::reaching_step(const Element& x, const Element& next, const Element& g) const {
  constexpr double kTimes = 4.0;
  const double reach = kTimes * std::max(norm_at_most(x), norm_at_most(next)), slope = norm(g);
  return reach > 0.0 && slope > 0.0 ? reach / slope : kInfinity;
}

/// 1, or a longer step if rounding would leave less than six digits of s g in x - s g. It is always so short
/// that the norm of s g does not overflow.
double Measurer::visible_step(const Element& x, const Element& g) const {
  constexpr double kFarthest = 1e100;
  const double longest = norm_at_most(x), slope = norm(g);
  const double s = slope > 0.0 ? kSeen * longest / slope : 1.0;
  return std::min(std::isfinite(s) ? std::max(1.0, s) : 1.0, kFarthest / std::max(slope, 1.0));
}

/// next <- the step of h, C or h on C from v. Returns a bound on its error; infinite if the oracle knows
/// none, or refuses v by its numbers, because a measurement must not end a run. If the bound is not small
/// beside the move, the step is asked for more tightly.
double Measurer::proximal_step(const Element& v, double s, const Element& x, Element& next) try {
  constexpr double kShare = 0.05, kTightest = 1e-13, kCoarse = 1e-12;
  return contain(problem_.penalty ? names_.penalty : names_.set, [&] {
    if (both_) return both_->apply(v, s, x, next, multiplications_);
    Accuracy accuracy;
    Certificate certificate = apply_convexified(*proximal(), v, s, next, accuracy);
    if (certificate.error > std::max(kShare * distance(next, x).length, kCoarse * norm_at_most(next))) {
      accuracy.tolerance = kTightest;
      certificate = apply_convexified(*proximal(), v, s, next, accuracy);
    }
    return certificate.exact || certificate.error > 0.0 ? certificate.error : kInfinity;
  });
} catch (const Error& error) {
  if (error.kind() != ErrorKind::numerical) throw;
  next = x;
  return kInfinity;
}

/// Confirmation tells singular values (or vertices) apart only to its tolerance, and its bound has a slack.
/// Confirmation is tightened if the tolerance is not small beside the gap, or if the slack may hide that the
/// target is met.
void Measurer::add_gap(const Element& x, Measurement& m) {
  constexpr double kShare = 0.05, kTightest = 1e-10;
  const Tangent at_x = tangent(x, m.value);
  Element vertex;
  m.gap_kind = "frank-wolfe";
  const bool convex = is_convex(function()) && (!problem_.smoother || problem_.smoother->constants().convex);
  for (double tolerance = tolerance_;;) {
    Interruption::poll();
    const OracleInfo info = problem_.linear_oracle->minimize(at_x.slope, {tolerance, true}, vertex);
    if (m.confirmed && !info.confirmed) return;  // the looser one holds
    set_gap(at_x.here - info.lower_bound, at_x.error, x, m);
    m.confirmed = m.confirmed && info.confirmed;
    m.bounds_minimum = m.confirmed && convex;
    const double asked = std::max(stop_.gap, stop_.relative_gap * std::abs(m.value));
    const bool hidden = asked > 0.0 && m.gap > asked && m.gap - (info.value - info.lower_bound) <= asked;
    const double share = (hidden ? asked : m.gap) / std::abs(info.lower_bound),
                 wanted = kShare * (hidden ? std::min(share, tolerance) : share);
    if (!m.confirmed || tolerance <= kTightest || !(wanted < tolerance)) return;
    tolerance = std::max(kTightest, 0.5 * wanted);
  }
}

/// The duals of a penalty on a set: two terms, and so one dual.
void Measurer::state(StateVisitor& v) {
  Element y = duals_.y.empty() ? Element() : duals_.y.front();
  v("residual scale", scale_);
  v("rounding", rounding_);  // which the target of the next step depends on
  v("dual step", duals_.step);
  v("dual", y);
  if (!v.loading()) return;
  v.require(duals_.step >= 0.0 && std::isfinite(duals_.step), "dual step", "no length");
  duals_.y.clear();
  if (duals_.step == 0.0) return;
  v.require(y.shape() == problem_.objective->shape(), "dual", "of another shape than the variable");
  duals_.y.push_back(std::move(y));
}

}  // namespace claros
