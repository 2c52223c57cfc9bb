// SPDX-License-Identifier: BSD-3-Clause
#include "proof/judgement.hpp"

#include "proof/feasibility.hpp"

#include <claros/abilities.hpp>
#include <claros/contain.hpp>
#include <claros/domain.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

namespace {

// Far above and far below the start, in units of the values there. SAG overshoots by several hundred.
constexpr double kFar = 1e6, kDeep = 1e4, kAbyss = 1e10;
constexpr Index kFarChecks = 3, kFew = 20;
// Residuals, relative to that of the point 0, of a point that lies far below the start.
constexpr double kSteep = 10.0, kNotFlat = 0.5;
// How much more than the measured doubts a lower bound may lie above a value before it is refuted.
constexpr double kDoubts = 10.0;
// How far above its start a stationary point may lie: noise lifts a run that starts at a solution.
constexpr double kRise = 1e-3;
// A value that is 0 to rounding: in errors of its arithmetic.
constexpr double kErrors = 4.0;

}  // namespace

void Judgement::start(double here, double at_zero, bool is_outside) {
  starts_outside_ = is_outside;
  if (std::isfinite(here) && !is_outside) first_value_ = here;
  for (const double value : {here, at_zero})
    if (std::isfinite(value)) value_scale_ = std::max(value_scale_, std::abs(value));
}

void Judgement::note_value(double value, Index steps) {
  if (!std::isfinite(value)) return;
  if (std::isnan(first_value_) && !(starts_outside_ && steps == 0)) first_value_ = value;
  if (value_scale_ == 0.0) value_scale_ = std::abs(value);
}

void Judgement::note_bound(const Measurement& m) {
  if (!m.bounds_minimum || !(m.value - m.gap > lower_bound_)) return;
  lower_bound_ = m.value - m.gap;
  bound_rounding_ = gap_.rounding();
}

std::optional<Failure> Judgement::of_infinite(double value, const Element& x, Index steps) const {
  if (const auto error = outside_domain(problem_, names_, x))
    return Failure{*error, error->kind() == ErrorKind::plugin ? Status::failed : Status::diverged};
  if (value == std::numeric_limits<double>::infinity() && query<Domain>(*problem_.objective))
    return Failure{
        Error(ErrorKind::numerical, names_.algorithm,
              "the run left the domain of " + names_.objective + ", which is infinite there",
              "take a shorter step, or a method that searches along its steps (proximal-gradient with the "
              "full gradient, frank-wolfe)"),
        Status::diverged};
  // From a start so far out that f overflows the gradient may lead back.
  if (value == std::numeric_limits<double>::infinity() && steps == 0) return {};
  return Failure{Error(ErrorKind::numerical, names_.objective, "the value is " + std::to_string(value),
                       "try a smaller step, look for such values in the data, "
                       "or check the plugin at a finite point"),
                 Status::diverged};
}

/// Far below its start a run is sound where f is badly scaled: its gradient is smaller, and there is a bound.
std::optional<Failure> Judgement::of_growth(const Measurement& m, Index steps, bool last) {
  if (!std::isfinite(first_value_)) return {};
  const double moved = m.value - first_value_;
  const std::string from = "the value went from " + print_real(first_value_) + " to " + print_real(m.value);
  if (far_above(m.value, steps, last))
    return Failure{Error(ErrorKind::numerical, names_.algorithm, from + ": the steps are too long",
                         "take a shorter step"),
                   Status::diverged};
  const bool falls = (moved < -kDeep * value_scale_ && m.residual > kSteep) ||
                     (moved < -kAbyss * value_scale_ && m.residual > kNotFlat);
  if (!falls || std::isfinite(lower_bound_) || problem_.objective->constants().lower_bound) return {};
  return Failure{Error(ErrorKind::numerical, names_.objective,
                       from + ", and the gradient does not vanish: there is no minimum",
                       "bound the variable: by a side constraint of the penalty (penalty.rho) or by a set"),
                 Status::unbounded};
}

/// A step that searches its length may be measured before it is judged, and taken back. Steps that are too
/// long at first may become shorter. Three measurements in a row count, over as many steps as it took to get
/// there and a few more. The rows of a trace alone then do not end a run. The last measurement of all counts
/// too.
bool Judgement::far_above(double value, Index steps, bool last) {
  if (!(value - first_value_ > kFar * value_scale_)) {
    far_checks_ = 0;
    return false;
  }
  const bool first = far_checks_ == 0 || !(value >= far_value_);
  if (first) far_since_ = steps;
  far_checks_ = first ? 1 : far_checks_ + 1;
  far_value_ = value;
  return last || (far_checks_ >= kFarChecks && steps >= 2 * far_since_ + kFew);
}

bool Judgement::far(double value) const { return std::abs(value - first_value_) > kDeep * value_scale_; }

/// A stationary point bounds nothing. If f becomes flat far out (losses that saturate), steps that are too
/// long lead there, and the gradient vanishes at the worst of values.
std::optional<Failure> Judgement::of_target(Status target, const Measurement& m) const {
  const bool certain = target == Status::value || (target != Status::residual && m.bounds_minimum);
  if (certain || !std::isfinite(first_value_) || m.value - first_value_ <= kRise * value_scale_) return {};
  return Failure{Error(ErrorKind::numerical, names_.algorithm,
                       "the value went from " + print_real(first_value_) + " to " + print_real(m.value) +
                           ", where the objective is flat: the steps are too long",
                       "take a shorter step"),
                 Status::diverged};
}

std::optional<Failure> Judgement::of_solution(const Element& x, double& violation) const {
  violation = set_violation(problem_, names_, x);
  const auto error = infeasible(problem_, names_, x, violation);
  return error ? std::optional(Failure{*error, Status::failed, true}) : std::nullopt;
}

/// No point of the set, and no dual point, has a gap below 0. The error of the arithmetic is part of the gap.
std::optional<Failure> Judgement::of_gap(const Measurement& m) const {
  if (!(m.gap < 0.0)) return {};
  const bool of_set = m.gap_kind == "frank-wolfe";
  return Failure{Error(ErrorKind::plugin, of_set ? names_.set : names_.objective,
                       "the gap is " + print_real(m.gap) + ", and no gap is below 0: " +
                           (of_set ? "the solution lies outside " + names_.set +
                                         ", or the lower bound of its linear oracle is wrong"
                                   : "the lower bound of " + names_.objective +
                                         ", or the conjugate that it calls, is wrong"),
                       "claros doctor shows which; tell the plugin's author"),
                 Status::failed, true};
}

/// No lower bound lies above a value. If one does, either the gradient does not belong to the values, or the
/// bound of the oracle or of the dual is wrong. Points outside the set may have smaller values. The point of
/// the smallest one is the best point if that is kept, or else one between the start and the vertices.
std::optional<Failure> Judgement::of_bound(const Measurement& m, const Element& x) {
  const double value = points_.lowest_value(m.value);
  const double excess = lower_bound_ - value, allowed = bound_rounding_ + points_.rounding();
  if (!(excess > allowed)) return lower_bound_ = std::min(lower_bound_, value), std::nullopt;
  const Element& other = points_.lowest_point(x, m.value);
  for (const Element* point : {&x, &other})
    if (set_violation(problem_, names_, *point) > allowed_outside(problem_, names_)) return {};
  double doubt = 0.0;
  for (const Element* point : {&x, &other}) doubt += gap_.doubt(*point);
  if (!(excess > allowed + kDoubts * doubt)) {
    lower_bound_ = value - points_.rounding();
    return {};
  }
  Element apart(other);
  apart.drop_images();
  apart.add(-1.0, x);
  return contradiction(m, value, norm(apart) == 0.0 || gap_.gradient_fits(x, apart));
}

Failure Judgement::contradiction(const Measurement& m, double value, bool gradient_fits) const {
  const std::string found = "a lower bound of " + print_real(lower_bound_) + " lies above the value " +
                            print_real(value) + " that the run measured: ";
  if (gradient_fits && m.gap_kind == "frank-wolfe")
    return {Error(ErrorKind::plugin, names_.set,
                  found + "the lower bound of the linear oracle of " + names_.set + " is wrong, or " +
                      names_.objective + " is not convex as it says",
                  "claros doctor shows it; tell the plugin's author"),
            Status::failed, true};
  return {Error(ErrorKind::plugin, names_.objective,
                found + (gradient_fits
                             ? "the dual bound of " + names_.objective +
                                   ", or the conjugate that it calls, is wrong"
                             : "the gradient of " + names_.objective + " does not belong to its values"),
                "claros doctor shows which; tell the plugin's author"),
          Status::failed, true};
}

/// True if f + h >= 0 is known: h >= -h*(0).
bool Judgement::is_nonnegative() const {
  if (problem_.smoother) return false;
  const Constants f = problem_.objective->constants();
  if (!f.convex || !f.lower_bound || *f.lower_bound < 0.0) return false;
  if (!problem_.penalty) return true;
  auto* tail = query<FreeTail>(*problem_.objective);
  const Element zero(tail ? tail->constrained_shape() : problem_.objective->shape());
  return problem_.conjugate &&
         contain(names_.penalty, [&] { return problem_.conjugate->conjugate(zero) <= 0.0; });
}

void Judgement::lower_gap(Measurement& m, const Element& x) {
  if (!m.confirmed) return;
  // How far a point lies outside the set stays a part of its gap; what made a dual point useless does not.
  const double least = m.gap_kind == "frank-wolfe" ? gap_.rounding() : bound_rounding_;
  if (m.bounds_minimum && std::isfinite(lower_bound_))
    m.gap = std::min(m.gap, std::max(m.value - lower_bound_, least));
  const bool may_be_zero = std::abs(m.value) <= kErrors * gap_.rounding() && is_nonnegative();
  if (!may_be_zero || !gap_.is_noise(x, m.value)) return;
  zero_ = m.value;
  lower_bound_ = std::max(lower_bound_, std::min(m.value, 0.0));
  if (std::abs(m.value) < m.gap) m.gap = std::abs(m.value), m.gap_kind = "duality";
}

bool Judgement::meets_relative_gap(const Measurement& m) const {
  return stop_.relative_gap > 0.0 && (m.gap <= stop_.relative_gap * std::abs(m.value) || m.value == zero_);
}

double Judgement::asked(double value) const {
  return std::max(stop_.gap, stop_.relative_gap * std::abs(value));
}

double Judgement::gap_target(double value) const {
  const bool may_be_zero = stop_.relative_gap > 0.0 && std::abs(value) <= kErrors * gap_.rounding();
  return may_be_zero && is_nonnegative() ? std::numeric_limits<double>::infinity() : asked(value);
}

bool Judgement::below_rounding(const Measurement& m, Index steps) {
  const double target = asked(m.value), error = gap_.rounding();
  const bool wanted = stop_.gap > 0 || stop_.relative_gap > 0;
  if (!wanted || !m.confirmed || !(error > target) || m.gap <= target || m.value == zero_) return false;
  if (!(m.gap <= 2.0 * error)) return false;
  if (warned_after_ >= 0) return steps >= 2 * warned_after_ + kFew;
  warned_after_ = steps;
  problem_.context.warn("the gap is " + print_real(m.gap) + ", of which " + print_real(error) +
                        " is the error of the arithmetic of this problem: a gap of " + print_real(target) +
                        " cannot be shown (ask for a larger one, or scale the data)");
  return false;
}

void Judgement::state(StateVisitor& v) {
  v("first value", first_value_);
  v("value scale", value_scale_);
  v("far checks", far_checks_);
  v("far since", far_since_);
  v("far value", far_value_);
  v("lower bound", lower_bound_);
  v("bound rounding", bound_rounding_);
  v("zero", zero_);
  v("warned after", warned_after_);
}

}  // namespace claros
