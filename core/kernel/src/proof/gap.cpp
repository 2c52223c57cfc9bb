// SPDX-License-Identifier: BSD-3-Clause
#include "proof/measurer.hpp"

#include "proof/arithmetic_error.hpp"
#include "proof/feasibility.hpp"

#include <claros/abilities.hpp>
#include <claros/contain.hpp>
#include <claros/interruption.hpp>
#include <claros/objective.hpp>
#include <claros/watch/watched.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace claros {

namespace {

/// The point moved by less than anything can mean.
Element nudged(Element point) {
  point.scale(1.0 + 256.0 * std::numeric_limits<double>::epsilon());
  point.drop_images();
  return point;
}

}  // namespace

/// By the conjugate of the penalty alone no bound comes near the minimum over a set.
bool Gap::may_have_bound() const {
  return query<Certified>(function()) && problem_.conjugate && !problem_.smoother &&
         !(problem_.penalty && problem_.set);
}

double Gap::lower_bound(const Element& x) const {
  if (of_set() || !may_have_bound() || !all_finite(x)) return -kInfinity;
  auto* certified = query<Certified>(function());
  const double bound =
      contain(names_.objective, [&] { return certified->lower_bound(x, *problem_.conjugate); });
  return std::max(bound, bound_of_penalty(x));
}

/// By the dual point that the penalty knows; -infinity where it knows none.
double Gap::bound_of_penalty(const Element& x) const {
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

bool Gap::add(const Element& x, double bound, Measurement& m) {
  if (of_set()) {
    add_frank_wolfe(x, m);
    return true;
  }
  if (!std::isfinite(bound)) return false;
  m.gap_kind = "duality";
  set(m.value - bound, dual_rounding(function(), x, m.value, bound), x, m);
  m.bounds_minimum = m.confirmed;
  return true;
}

/// Confirmation tells singular values (or vertices) apart only to its tolerance, and its bound has a slack.
/// Confirmation is tightened if the tolerance is not small beside the gap, or if the slack may hide that the
/// target is met.
void Gap::add_frank_wolfe(const Element& x, Measurement& m) {
  constexpr double kShare = 0.05, kTightest = 1e-10;
  const Tangent at_x = tangent(x, m.value);
  Element vertex;
  m.gap_kind = "frank-wolfe";
  const bool convex = is_convex(function()) && (!problem_.smoother || problem_.smoother->constants().convex);
  for (double tolerance = tolerance_;;) {
    Interruption::poll();
    const OracleInfo info = problem_.linear_oracle->minimize(at_x.slope, {tolerance, true}, vertex);
    if (m.confirmed && !info.confirmed) return;  // the looser one holds
    set(at_x.here - info.lower_bound, at_x.error, x, m);
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

/// The larger of `raw` and 0, and the error. Below -error `raw` is no gap, unless the point gives a reason.
void Gap::set(double raw, double error, const Element& x, Measurement& m) {
  rounding_ = error + (m.value == 0.0 ? underflow(x, 0.0) : 0.0);
  if (raw < -error && std::isfinite(raw)) rounding_ += doubt(x);
  const bool refuted = raw < -rounding_;
  m.gap = refuted ? raw : std::max(raw, 0.0) + rounding_;
  m.confirmed = !refuted && std::isfinite(m.gap);
}

/// value - bound, or max_u <g, x - u>, as computed.
double Gap::raw_gap(const Element& x) {
  const double bound = of_set() ? 0.0 : lower_bound(x);
  if (!of_set()) return value(x) - bound;
  const Tangent at_x = tangent(x, 0.0);
  Element vertex;
  return at_x.here - problem_.linear_oracle->minimize(at_x.slope, {tolerance_, true}, vertex).lower_bound;
}

/// With a penalty, h(y) >= <u, y> - h*(u).
Gap::Tangent Gap::tangent(const Element& x, double value) {
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
/// the set. Infinite if the indicator alone says that x is outside. Without a set the same of the domain of
/// the penalty, whose value is finite a little outside.
double Gap::outside(const Element& x) {
  constexpr double kSeen = 1e-13;  // less is no violation to a membership
  constexpr double kShort = 1e-30;
  if (!of_set() && problem_.penalty) {
    Element move;
    contain(names_.penalty, [&] { (void)problem_.penalty->apply(x, kShort, move, Accuracy{}); });
    move.add(-1.0, x);
    return norm(move) * norm(gradient(x));
  }
  const double violation = of_set() ? std::max(set_violation(problem_, names_, x), kSeen) : 0.0;
  return violation > 0.0 ? violation * farthest(x) * norm(tangent(x, 0.0).slope) : 0.0;
}

/// max ||u|| over the points of the set, at most.
double Gap::farthest(const Element& x) { return norm_at_most(x) + diameter(); }

double Gap::doubt(const Element& x) {
  constexpr double kNoise = 4.0;
  const Uncounted measuring(*problem_.ledger);
  const Element point = x.detached(), moved = nudged(point);
  double noise = 0.0, away = 0.0;
  Remembered(problem_).during([&] {
    noise = kNoise * std::abs(raw_gap(moved) - raw_gap(point)) + std::abs(value(moved) - value(point));
    away = outside(point);
  });
  return away + (std::isnan(noise) ? kInfinity : noise);
}

bool Gap::is_noise(const Element& x, double value) const {
  constexpr double kErrors = 4.0, kShare = 0.01;
  const Uncounted measuring(*problem_.ledger);
  const Element point = x.detached(), g = gradient(point);
  const double lost = underflow(x, value),
               error = tangent_rounding(function(), problem_.smoother, point, norm_at_most(point), value, g);
  if (!(std::abs(value) + lost <= kErrors * (error - lost))) return false;
  return value == 0.0 || std::abs(this->value(nudged(point)) - value) > kShare * std::abs(value);
}

double Gap::underflow(const Element& x, double value) const {
  const Uncounted measuring(*problem_.ledger);
  Element g = value == 0.0 ? gradient(x.detached()) : Element(x.shape());
  g.scale(1e300);  // the norm of denormal numbers is 0
  return claros::underflow(x.shape().size(), norm(g) > 0.0 ? std::numeric_limits<double>::min() : value);
}

bool Gap::gradient_fits(const Element& x, const Element& d) const {
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

}  // namespace claros
