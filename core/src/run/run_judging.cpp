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
// Of the values: what the sums behind a gap may lose.
constexpr double kGapRounding = 1e-10;
// How far above the start a point that is stationary and no more may lie: noise lifts a run that starts at a solution.
constexpr double kRise = 1e-3;

}  // namespace

/// Where nobody looks, the value is looked at when the steps have doubled.
void Run::guard() {
  if (result_.iterations < loop_.next_guard || !measurer_.measures()) return;
  loop_.next_guard = 2 * result_.iterations;
  if (loop_.measured_iteration == result_.iterations) return;
  const double value = measuring([&] { return measurer_.value(algorithm_.iterate()); });
  note_value(value, algorithm_.iterate());
  if (ended_ || !std::isfinite(value) || !(std::abs(value - loop_.first_value) > kDeep * loop_.value_scale)) return;
  (void)look_at_iterate();
  if (loop_.far_looks > 0) loop_.next_guard = result_.iterations + 1;  // that it rises is judged by looks in a row
}

/// Growth and fall without limit. Far below its start a run is still sound where f is badly scaled; then its gradient has
/// become smaller, and there is a bound.
void Run::judge(const Measurement& m, bool last) {
  if (!std::isfinite(loop_.first_value) || (ended_ && !last)) return;
  const double moved = m.value - loop_.first_value, scale = loop_.value_scale;
  const std::string from = "the value went from " + print_real(loop_.first_value) + " to " + print_real(m.value);
  if (far_above(m.value, last))
    return fail(Error(ErrorKind::numerical, names_.algorithm, from + ": the steps are too long", "take a shorter step"), Status::diverged);
  const bool falls = (moved < -kDeep * scale && m.residual > kSteep) || (moved < -kAbyss * scale && m.residual > kNotFlat);
  if (!falls || bounded_below()) return;
  fail(Error(ErrorKind::numerical, names_.objective, from + ", and the gradient does not vanish: there is no minimum",
             "bound the variable: by a side constraint of the penalty (penalty.rho) or by a set"),
       Status::unbounded);
}

/// A target that is met ends the run. Of a stationary point, which bounds nothing, the value is asked too: where f becomes flat
/// far out (losses that saturate), steps that are too long lead there, and the gradient vanishes at the worst of values.
void Run::end_at_target(Status status, const Measurement& m) {
  if (!sound_answer(m)) return;
  const bool certain = status == Status::value || (status != Status::residual && m.bounds_minimum);
  if (certain || !std::isfinite(loop_.first_value) || m.value - loop_.first_value <= kRise * loop_.value_scale) return end(status);
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

/// No point of the set, and no dual point, has a gap below 0: who says so is wrong, and all that was concluded with it.
bool Run::gap_is_sound(const Measurement& m) {
  const double allowed = measurer_.gap_rounding() + kGapRounding * loop_.value_scale;
  if (!(m.gap < -allowed)) return true;
  const bool of_set = m.gap_kind == "frank-wolfe";
  unsound_ = true;
  fail(Error(ErrorKind::plugin, of_set ? names_.set : names_.objective,
             "the gap is " + print_real(m.gap) + ", and none is below 0: " +
                 (of_set ? "the answer lies outside " + names_.set + ", or the lower bound of its linear oracle is none"
                         : "the lower bound of " + names_.objective + ", or the conjugate that it asks, is none"),
             "claros doctor shows which; tell the plugin's author"),
       Status::failed);
  return false;
}

/// A run that goes into a bounded set by weights up to 1 takes no step that is too long, and holds no second point for that.
bool Run::steps_have_length() const {
  if (!problem_.set) return true;
  const std::vector<Need> needs = algorithm_.needs();
  return std::ranges::none_of(needs, [](const Need& need) { return need.ability == LinearOracle::kAbility; });
}

/// A step that searches its length may be measured before it is judged, and taken back: three looks in a row count, and
/// the last of all.
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
