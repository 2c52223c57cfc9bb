// SPDX-License-Identifier: BSD-3-Clause
#include "proof/proof.hpp"

#include "map/spectral_work.hpp"
#include "proof/feasibility.hpp"
#include "proof/recession.hpp"

#include <claros/abilities.hpp>
#include <claros/interruption.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace claros {

namespace {

/// A run that goes into a bounded set by weights up to 1 takes no step that is too long.
bool may_diverge(const Problem& problem, const Algorithm& algorithm) {
  if (!problem.set) return true;
  return std::ranges::none_of(algorithm.needs(),
                              [](const Need& need) { return need.ability == LinearOracle::kAbility; });
}

}  // namespace

void Ending::fail(const Error& error, Status why, Index steps) {
  if (!in_trouble() || !over) end(why);
  if (!failure.empty()) return;
  failure = "after " + std::to_string(steps) + (steps == 1 ? " step: " : " steps: ") + error.what();
  failure_kind = error.kind();
}

Proof::Proof(const Problem& problem, Algorithm& algorithm, const ComponentNames& names,
             const StopOptions& stop, const TraceOptions& trace, RunNumbers& numbers, Ending& ending,
             Loop loop)
    : problem_(problem),
      algorithm_(algorithm),
      names_(names),
      stop_(stop),
      numbers_(numbers),
      ending_(ending),
      loop_(std::move(loop)),
      measurer_(problem, names, trace.tolerance, stop),
      checks_(problem, trace, numbers),
      points_(may_diverge(problem, algorithm)),
      judgement_(problem, names, stop, measurer_.gap(), points_) {}

// --- start and step

/// A start at a minimum of value 0 is possible, so that the value of the point 0 counts too.
void Proof::start(const Element& x0) {
  if (!measurer_.measures()) return;
  loop_.limited([&] {
    const double here = measurer_.value(x0), zero = x0.is_zero() ? here : measurer_.value_at_zero();
    if (std::isfinite(here)) points_.start_value(here);
    const bool is_outside = set_violation(problem_, names_, x0) > allowed_outside(problem_, names_);
    judgement_.start(here, zero, is_outside);
    measurer_.start(x0);
  });
}

void Proof::end_step(double multiplications) {
  checks_.add_step(multiplications);
  last_.due_again = true;
}

void Proof::make_due(const std::function<void()>& measure) {
  const GapChecks::Due due = checks_.due();
  last_.due_again = true;
  try {
    measure();
    last_.due_again = false;
  } catch (const Interrupted&) {
    checks_.set_due(due);
    throw;
  }
}

struct Proof::Known {
  /// A measurement at the point whose full gradient the last step made reads no data.
  enum class Gradient { none, elsewhere, at_iterate } gradient = Gradient::none;
  /// The step knows the gap before it, the only target.
  bool is_gap = false;
  /// That gap, or one that the algorithm will know, decides alone when the solution is measured.
  bool is_gap_enough = false;
  double gap = 0.0;
};

Proof::Known Proof::known() const {
  using enum Known::Gradient;
  const StepReport report = algorithm_.report();
  const Element* const at = gradient_at();
  Known known;
  known.gradient = !at ? none : at == &algorithm_.iterate() ? at_iterate : elsewhere;
  known.gap = report.gap;
  known.is_gap =
      is_gap_wanted() && !is_residual_wanted() && report.full_gradient && std::isfinite(report.gap);
  known.is_gap_enough =
      !is_value_wanted() && !is_residual_wanted() && (known.is_gap || std::isinf(report.gap));
  return known;
}

/// The knowledge of the step decides what is measured:
/// - Its gap is known: the solution, when that gap seems to meet the target.
/// - The full gradient is known elsewhere: that point; the solution if the target is met there, and rarely.
/// - The full gradient is known at the iterate: the solution, whenever that is affordable.
/// - Nothing is known: the solution, at the pace of gap checks.
void Proof::check_targets() {
  if (!is_targeted()) return;
  const Known now = known();
  const bool confirms = is_confirmation_due(now), checks = is_check_due(now);
  if (!confirms && !checks) return;
  if (!is_solution_iterate() && last_.iterate_after < numbers_.iterations)
    (void)of_iterate();  // an algorithm that chooses its solution has to know this one
  const Measurement m = of_solution();
  if (!is_solution_iterate() || last_.iterate_after < numbers_.iterations) judge(m);
  if (ending_.over || end_at_target(m)) return;
  if (checks) checks_.checked(now.gradient != Known::Gradient::none);
  if (confirms) checks_.confirmation_failed();
}

bool Proof::is_confirmation_due(const Known& now) {
  const bool sure = now.is_gap && now.gap <= 0.5 * judgement_.gap_target(last_.value);
  if (!checks_.confirmation_due(sure)) return false;
  if (now.is_gap) return seems_met(now.gap);
  return now.gradient == Known::Gradient::elsewhere && is_met_at(*gradient_at());
}

/// Momentum may carry the gradient's point out of the domain, so that the solution is measured besides.
bool Proof::is_check_due(const Known& now) const {
  using enum Known::Gradient;
  if (now.gradient == none) return !now.is_gap_enough && checks_.check_due(false);
  return (now.gradient == at_iterate && checks_.affordable()) || checks_.check_due(true);
}

bool Proof::seems_met(double gap) {
  if (gap <= stop_.gap) return true;
  if (std::isfinite(last_.value) && gap > judgement_.gap_target(last_.value)) return false;
  last_.value = limited_value(algorithm_.iterate());
  return gap <= judgement_.gap_target(last_.value);
}

/// A hint, now and then: the point before the last step is not the solution, but near it.
bool Proof::is_met_at(const Element& at) {
  if (!checks_.hint_due()) return false;
  const double spectral = detail::spectral_work(), left = checks_.multiplications_left(false);
  Measurement m;
  loop_.limited([&] { m = measurer_.measure(at, left, nullptr); });
  checks_.add_hint(detail::spectral_work() - spectral);
  judgement_.note_bound(m);
  judgement_.lower_gap(m, at);
  return is_target(target_met(m));
}

void Proof::check_growth() {
  if (!checks_.value_due() || last_.value_after == numbers_.iterations) return;
  const double value = limited_value(algorithm_.iterate());
  note_value(value, algorithm_.iterate());
  if (ending_.over || !std::isfinite(value)) return;
  if (is_targeted() && 2 * last_.solution_after < numbers_.iterations && checks_.affordable()) {
    const Measurement m = of_solution();
    if (!ending_.over) (void)end_at_target(m);
  }
  if (ending_.over || !judgement_.far(value)) return;
  (void)of_iterate();
  if (judgement_.rising()) checks_.value_due_after_next_step();
}

/// Ten times within the patience, but at least once a step.
void Proof::check_held_out() {
  constexpr Index kTimes = 10;
  const Index every = std::max<Index>(1, stop_.patience / kTimes);
  if (stop_.patience == 0 || numbers_.iterations % every != 0) return;
  const Element& x = algorithm_.answer();
  loop_.limited([&] { held_out_.note(measurer_.test_rmse(x), x, numbers_.iterations); });
}

bool Proof::is_stalled(Index steps) {
  const auto too_long = [&] { return points_.steps_since_best(numbers_.iterations) >= steps; };
  if (too_long() && last_.value_after < numbers_.iterations)
    note_value(limited_value(algorithm_.iterate()), algorithm_.iterate());
  return too_long() && !ending_.over;
}

// --- points

Measurement Proof::of_iterate() {
  const bool same = is_solution_iterate();
  const Measurement m = same ? of_solution() : of(algorithm_.iterate());
  algorithm_.measured(m);
  if (const std::string divergence = algorithm_.report().divergence; !divergence.empty())
    ending_.fail(Error(ErrorKind::numerical, names_.algorithm, divergence, "take a shorter step"),
                 Status::diverged, numbers_.iterations);
  judge(m);
  last_.iterate_after = numbers_.iterations;
  if (!same) last_.solution_after = -1;
  last_.gap = m.gap;
  last_.residual = m.residual;
  return m;
}

Measurement Proof::of_solution() {
  if (!is_solution_measured()) {
    const Element& x = algorithm_.answer();
    last_.solution = of(x);
    if (!ending_.over && is_target(target_met(last_.solution))) last_.solution = anew(x, last_.solution);
  }
  last_.solution_after = numbers_.iterations;
  return last_.solution;
}

Measurement Proof::of(const Element& x) {
  const double spectral = detail::spectral_work(), before = numbers_.measuring_seconds;
  const double left = checks_.multiplications_left(ending_.finishing);
  Measurement m;
  loop_.limited([&] {
    m = measurer_.measure(x, left, problem_.subgradient ? algorithm_.penalty_subgradient() : nullptr);
  });
  const double seconds = numbers_.measuring_seconds - before;
  checks_.add_measurement(gradient_at() == &x, detail::spectral_work() - spectral);
  numbers_.residual_scale = measurer_.residual_scale();
  last_.value = m.value;
  if (note_value(m.value, x)) learn(m, x);
  if (&x == &algorithm_.iterate()) {
    iterate_ = m;
    iterate_after_ = numbers_.iterations;
  }
  note_numbers();
  loop_.measured(x, m, seconds);
  return m;
}

void Proof::note_numbers() {
  numbers_.lower_bound = judgement_.lower_bound();
  numbers_.work = checks_.work();
  numbers_.measuring_work = checks_.measuring_work();
}

/// Before a run ends by it, the value is made from the point itself. If it is another value, the images are
/// made again, and everything is measured once more.
Measurement Proof::anew(const Element& x, const Measurement& m) {
  constexpr double kDrift = 1e-10;
  if (std::exchange(made_anew_after_, numbers_.iterations) == numbers_.iterations) return m;
  if (!measurer_.measures() || !std::isfinite(m.value) || !x.has_images()) return m;
  Element plain(x);
  plain.drop_images();
  const double value = limited_value(plain);
  if (std::abs(value - m.value) <= kDrift * std::abs(value)) return m;
  x.forget_images();
  return of(x);
}

double Proof::limited_value(const Element& x) {
  double value = 0.0;
  loop_.limited([&] { value = measurer_.value(x); });
  return value;
}

/// The point whose full gradient the last step has made, if a measurement there reads no data; else null.
const Element* Proof::gradient_at() const {
  if (!problem_.separable || !query<LossOfImage>(*problem_.objective)) return nullptr;
  return algorithm_.report().gradient_at;
}

// --- verdict

/// True if the value of x is finite. An expectation that is not measured has no known value.
bool Proof::note_value(double value, const Element& x) {
  last_.value_after = numbers_.iterations;
  points_.note_value(value, measurer_.gap().rounding(), numbers_.iterations);
  judgement_.note_value(value, numbers_.iterations);
  if (!std::isfinite(value) && measurer_.measures())
    fail(judgement_.of_infinite(value, x, numbers_.iterations));
  return std::isfinite(value);
}

/// Everything that a finite value and its gap say of the run; the gap of m falls to what else is known.
void Proof::learn(Measurement& m, const Element& x) {
  judgement_.note_bound(m);
  if (!ending_.over) fail(judgement_.of_bound(m, x));
  if (!ending_.unsound) loop_.limited([&] { judgement_.lower_gap(m, x); });
  const bool hopeless = !ending_.over && judgement_.below_rounding(m, numbers_.iterations);
  if (hopeless && !is_value_wanted() && !is_residual_wanted()) ending_.end(Status::rounding);
  if (&x == &algorithm_.iterate() && !is_target(target_met(m))) note_standing(m);
  points_.note(x, m);
}

/// True if there are budgets, and all are of calls that were not made since the last measurement.
bool Proof::is_endless() const {
  const Counts &now = numbers_.counts, &last = standing_.counts;
  const bool is_given = stop_.epochs || stop_.passes > 0.0 || stop_.sfo || stop_.lo;
  return is_given && !stop_.iterations && !(stop_.seconds > 0.0) &&
         !(stop_.epochs && problem_.estimator->epochs() > 0) &&
         !(stop_.passes > 0.0 && now.sfo + now.hvp > last.sfo + last.hvp) &&
         !(stop_.sfo && now.sfo > last.sfo) && !(stop_.lo && now.lo > last.lo);
}

/// A run towards a target, or without an end, stops if its steps change nothing that they depend on. Duals,
/// counts and draws are such things. If these change, it stops after many steps of exact gradients that
/// lowered neither value nor gap by more than rounding.
void Proof::note_standing(const Measurement& m) {
  constexpr Index kFew = 20, kMany = 5000;
  const Index now = numbers_.iterations;
  const bool is_wanted = !ending_.over && (is_targeted() || is_endless());
  standing_.counts = numbers_.counts;
  standing_.note(m, now);
  if (!is_wanted) return;
  const auto stand = [&](Index steps, const char* what) {
    ending_.standstill = "its last " + std::to_string(steps) + " steps " + what;
    ending_.end(Status::stall);
  };
  const bool same = m.value == standing_.value;
  const std::uint64_t state = same ? loop_.fingerprint() : 0;
  if (!same) standing_.flat = now;
  if (!same || state == 0 || state != standing_.fingerprint) {
    standing_.value = m.value;
    standing_.since = now;
    standing_.fingerprint = state;
  } else if (now - standing_.since >= kFew) {
    stand(now - standing_.since, "changed nothing");
  }
  const bool known = m.confirmed || std::isfinite(m.residual);
  const Index moved = known ? standing_.gained : standing_.flat;
  if (!ending_.over && problem_.estimator->exact() && now - moved >= std::max(kMany, moved))
    stand(now - moved, "lowered neither value nor gap by more than rounding");
}

void Proof::go_on() {
  ending_ = {};
  standing_.value = std::numeric_limits<double>::quiet_NaN();
  standing_.gained = numbers_.iterations;
}

Status Proof::target_met(const Measurement& m) const {
  if (!std::isfinite(m.value)) return Status::failed;
  if (is_value_wanted() && m.value <= stop_.value) return Status::value;
  const bool certain = m.confirmed && std::isfinite(m.gap);
  if (certain && stop_.gap > 0 && m.gap <= stop_.gap) return Status::gap;
  if (certain && judgement_.meets_relative_gap(m)) return Status::relative_gap;
  if (is_residual_wanted() && m.residual <= stop_.residual) return Status::residual;
  return Status::failed;
}

bool Proof::end_at_target(const Measurement& m) {
  const Status status = target_met(m);
  if (!is_target(status)) return false;
  if (!is_sound(m)) return true;
  if (const auto failure = judgement_.of_target(status, m)) {
    fail(failure);
    return true;
  }
  // A stationary point is all that is asked for with a penalty that is not convex.
  const bool convex = !problem_.penalty || problem_.penalty->weak_convexity() == 0.0;
  if (status == Status::residual && convex && !problem_.set && !std::isfinite(m.gap))
    ending_.unattained =
        recession(problem_, algorithm_.answer(), [&](const Element& x) { return limited_value(x); });
  ending_.end(ending_.unattained.empty() ? status : Status::stall);
  return true;
}

void Proof::judge(const Measurement& m, bool last) {
  if (!ending_.over || last) fail(judgement_.of_growth(m, numbers_.iterations, last));
}

bool Proof::is_sound(const Measurement& m) {
  auto failure = judgement_.of_solution(algorithm_.answer(), numbers_.violation);
  if (failure && numbers_.iterations == 0 && !ending_.over) return false;
  if (!failure) failure = judgement_.of_gap(m);
  fail(failure);
  return !failure;
}

void Proof::fail(const std::optional<Failure>& failure) {
  if (!failure) return;
  if (failure->unsound) ending_.unsound = true;
  ending_.fail(failure->error, failure->status, numbers_.iterations);
}

void Proof::state(StateVisitor& v, const std::function<void()>& second) {
  v("measurer", measurer_);
  second();
  v("gap checks", checks_);
  v("best points", points_);
  v("least held-out error", held_out_);
  v("judgement", judgement_);
  v("last measured", last_);
  v("standing", standing_);
  if (v.loading()) numbers_.residual_scale = measurer_.residual_scale();
}

}  // namespace claros
