// SPDX-License-Identifier: BSD-3-Clause
// Whether a run goes astray, and whether what it calls a success is one.
#include "run/feasibility.hpp"
#include "run/run.hpp"

#include <algorithm>
#include <cmath>

namespace claros {

namespace {

// Far above and far below the start, in units of the values there. SAG overshoots by several hundred.
constexpr double kFar = 1e6, kDeep = 1e4, kAbyss = 1e10;
constexpr Index kLooks = 3;
// Residuals beyond that of the point 0, of a point that lies far below the start.
constexpr double kSteep = 10.0, kNotFlat = 0.5;
// How much more a lower bound may lie above a value than the measured doubts say, before it is refuted.
constexpr double kDoubts = 10.0;
// How far above the start a point that is stationary and no more may lie: noise lifts a run that starts at a
// solution.
constexpr double kRise = 1e-3;

}  // namespace

/// Where nobody looks, the value is looked at when the steps have doubled.
void Run::guard() {
  if (result_.iterations < loop_.next_guard || !measurer_.measures()) return;
  loop_.next_guard = 2 * result_.iterations;
  if (loop_.measured_iteration == result_.iterations) return;
  const double value = measuring([&] { return measurer_.value(algorithm_.iterate()); });
  note_value(value, algorithm_.iterate());
  if (ended_ || !std::isfinite(value) || !(std::abs(value - loop_.first_value) > kDeep * loop_.value_scale))
    return;
  (void)look_at_iterate();
  if (loop_.far_looks > 0)
    loop_.next_guard = result_.iterations + 1;  // that it rises is judged by looks in a row
}

/// Growth and fall without limit. Far below its start a run is still sound where f is badly scaled; then its
/// gradient has become smaller, and there is a bound.
void Run::judge(const Measurement& m, bool last) {
  if (!std::isfinite(loop_.first_value) || (ended_ && !last)) return;
  const double moved = m.value - loop_.first_value, scale = loop_.value_scale;
  const std::string from =
      "the value went from " + print_real(loop_.first_value) + " to " + print_real(m.value);
  if (far_above(m.value, last))
    return fail(Error(ErrorKind::numerical, names_.algorithm, from + ": the steps are too long",
                      "take a shorter step"),
                Status::diverged);
  const bool falls =
      (moved < -kDeep * scale && m.residual > kSteep) || (moved < -kAbyss * scale && m.residual > kNotFlat);
  if (!falls || bounded_below()) return;
  fail(Error(ErrorKind::numerical, names_.objective,
             from + ", and the gradient does not vanish: there is no minimum",
             "bound the variable: by a side constraint of the penalty (penalty.rho) or by a set"),
       Status::unbounded);
}

/// A target that is met ends the run. Of a stationary point, which bounds nothing, the value is asked too:
/// where f becomes flat far out (losses that saturate), steps that are too long lead there, and the gradient
/// vanishes at the worst of values.
void Run::end_at_target(Status status, const Measurement& m) {
  if (!sound_answer(m)) return;
  const bool certain = status == Status::value || (status != Status::residual && m.bounds_minimum);
  if (certain || !std::isfinite(loop_.first_value) ||
      m.value - loop_.first_value <= kRise * loop_.value_scale)
    return end(status);
  fail(Error(ErrorKind::numerical, names_.algorithm,
             "the value went from " + print_real(loop_.first_value) + " to " + print_real(m.value) +
                 ", where the objective is flat: the steps are too long",
             "take a shorter step"),
       Status::diverged);
}

/// Before any word of success. A start outside the set is no answer yet.
bool Run::sound_answer(const Measurement& m) {
  const Element& answer = algorithm_.answer();
  result_.violation =
      timed(result_.measuring_seconds, [&] { return set_violation(problem_, names_, answer); });
  auto error = timed(result_.measuring_seconds,
                     [&] { return infeasible(problem_, names_, answer, result_.violation); });
  if (!error) return gap_is_sound(m);
  if (result_.iterations == 0 && !ended_) return false;
  unsound_ = true;
  fail(*error, Status::failed);
  return false;
}

/// No point of the set, and no dual point, has a gap below 0: who says so is wrong, and all that was
/// concluded with it. What arithmetic may lose is part of the gap.
bool Run::gap_is_sound(const Measurement& m) {
  if (!(m.gap < 0.0)) return true;
  const bool of_set = m.gap_kind == "frank-wolfe";
  unsound_ = true;
  fail(Error(ErrorKind::plugin, of_set ? names_.set : names_.objective,
             "the gap is " + print_real(m.gap) + ", and none is below 0: " +
                 (of_set ? "the answer lies outside " + names_.set +
                               ", or the lower bound of its linear oracle is none"
                         : "the lower bound of " + names_.objective +
                               ", or the conjugate that it asks, is none"),
             "claros doctor shows which; tell the plugin's author"),
       Status::failed);
  return false;
}

/// The largest lower bound so far.
void Run::note_bound(const Measurement& m) {
  if (!m.bounds_minimum || !(m.value - m.gap > result_.lower_bound)) return;
  result_.lower_bound = m.value - m.gap;
  loop_.bound_rounding = measurer_.rounding();
}

/// No lower bound lies above a value: either the gradient does not belong to the values, or the oracle's or
/// the dual bound is none. Points outside the set may have smaller values: the point of the smallest is the
/// best point where that is kept, and else one between the start and the vertices.
void Run::judge_bound(const Measurement& m, const Element& x) {
  const double value =
      may_diverge_ ? std::min(loop_.best_point_value, m.value) : std::min(loop_.best_value, m.value);
  const double excess = result_.lower_bound - value, allowed = loop_.bound_rounding + loop_.best_rounding;
  if (ended_ || !(excess > allowed)) return;
  const Element& other = !may_diverge_ ? start_ : loop_.best_point_value < m.value ? loop_.best_point : x;
  for (const Element* point : {&x, &other})
    if (set_violation(problem_, names_, *point) > allowed_outside(problem_, names_)) return;
  double doubt = 0.0;
  for (const Element* point : {&x, &other}) doubt += measurer_.doubt(*point);
  if (!(excess > allowed + kDoubts * doubt)) {
    result_.lower_bound = value - loop_.best_rounding;
    return;
  }
  Element apart(other);
  apart.drop_images();
  apart.add(-1.0, x);
  const bool of_set = m.gap_kind == "frank-wolfe",
             fits = norm(apart) == 0.0 || measurer_.gradient_fits(x, apart);
  const std::string contradiction = "a lower bound of " + print_real(result_.lower_bound) +
                                    " lies above the value " + print_real(value) + " that the run measured: ";
  unsound_ = true;
  fail(fits && of_set ? Error(ErrorKind::plugin, names_.set,
                              contradiction + "the lower bound of the linear oracle of " + names_.set +
                                  " is none, or " + names_.objective + " is not convex as it says",
                              "claros doctor shows it; tell the plugin's author")
                      : Error(ErrorKind::plugin, names_.objective,
                              contradiction + (fits ? "the dual bound of " + names_.objective +
                                                          ", or the conjugate that it asks, is none"
                                                    : "the gradient of " + names_.objective +
                                                          " does not belong to its values"),
                              "claros doctor shows which; tell the plugin's author"),
       Status::failed);
}

/// Where the error of the arithmetic alone is more than the gap asked for, no step meets the target.
void Run::warn_below_rounding(const Measurement& m) {
  const StopOptions& stop = settings_.stop;
  const double target = std::max(stop.gap, stop.relative_gap * std::abs(m.value)),
               error = measurer_.rounding();
  if (warned_ || ended_ || !gap_wanted() || !m.confirmed || !(error > target && m.gap <= 2.0 * error)) return;
  warned_ = true;
  problem_.context.warn("the gap is " + print_real(m.gap) + ", of which " + print_real(error) +
                        " is the error of the arithmetic of this problem: a gap of " + print_real(target) +
                        " cannot be shown (ask for a larger one, or scale the data)");
}

/// A run that goes into a bounded set by weights up to 1 takes no step that is too long, and holds no second
/// point for that.
bool Run::steps_have_length() const {
  if (!problem_.set) return true;
  const std::vector<Need> needs = algorithm_.needs();
  return std::ranges::none_of(needs, [](const Need& need) { return need.ability == LinearOracle::kAbility; });
}

/// A step that searches its length may be measured before it is judged, and taken back: three looks in a row
/// count, and the last of all.
bool Run::far_above(double value, bool last) {
  if (!(value - loop_.first_value > kFar * loop_.value_scale)) {
    loop_.far_looks = 0;
    return false;
  }
  loop_.far_looks = value >= loop_.far_value ? loop_.far_looks + 1 : 1;
  loop_.far_value = value;
  return last || loop_.far_looks >= kLooks;
}

bool Run::bounded_below() const {
  return std::isfinite(result_.lower_bound) || problem_.objective->constants().lower_bound.has_value();
}

}  // namespace claros
