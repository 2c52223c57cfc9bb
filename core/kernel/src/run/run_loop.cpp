// SPDX-License-Identifier: BSD-3-Clause
#include "map/spectral_work.hpp"
#include "run/feasibility.hpp"
#include "run/run.hpp"
#include "run/unmeasured_targets.hpp"
#include "surroundings.hpp"

#include <claros/adversary.hpp>
#include <claros/domain.hpp>
#include <claros/element/parallel.hpp>
#include <claros/run/dry_start.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

namespace {

/// A resisting oracle starts anew, and knows the start, at which the first row is measured.
void reset_adversaries(const Problem& problem, const Element& x0) {
  std::vector<Component*> parts{problem.objective};
  for (const Kept& kept : problem.kept) parts.push_back(kept.component);
  for (Component* part : parts)
    if (auto* adversary = query<Adversary>(*part)) adversary->forget(), adversary->asked(x0, false);
}

/// A run that goes into a bounded set by weights up to 1 takes no step that is too long.
bool may_diverge(const Problem& problem, const Algorithm& algorithm) {
  if (!problem.set) return true;
  return std::ranges::none_of(algorithm.needs(),
                              [](const Need& need) { return need.ability == LinearOracle::kAbility; });
}

/// The ledger counts into the result as long as this lives.
class Counting {
 public:
  Counting(Ledger& ledger, RunResult& result, bool certify) : ledger_(ledger) {
    ledger.counts = &result.counts;
    ledger.seconds = &result.component_seconds;
    ledger.certification = &result.certification;
    ledger.certify = certify;
  }
  ~Counting() {
    ledger_.counts = nullptr;
    ledger_.seconds = nullptr;
    ledger_.certification = nullptr;
    ledger_.certify = false;
  }
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

 private:
  Ledger& ledger_;
};

/// Ends the watchdog's watch over the run.
class EndOfWatch {
 public:
  explicit EndOfWatch(Watchdog* watchdog) : watchdog_(watchdog) {}
  ~EndOfWatch() {
    if (watchdog_) watchdog_->end();
  }
  EndOfWatch(const EndOfWatch&) = delete;
  EndOfWatch& operator=(const EndOfWatch&) = delete;

 private:
  Watchdog* watchdog_;
};

}  // namespace

Run::Run(const Problem& problem, Algorithm& algorithm, const RunSettings& settings,
         const ComponentNames& names)
    : problem_(problem),
      algorithm_(algorithm),
      settings_(settings),
      names_(names),
      sampler_(problem.context.stream(Purpose::sampling),
               contain(names.objective, [&] { return problem.objective->terms(); })),
      measurer_(problem_, names_, settings.trace.tolerance, settings.stop),
      limits_(problem_, settings_, result_),
      checks_(problem_, measurer_, settings_.trace, result_),
      points_(may_diverge(problem_, algorithm_)),
      judgement_(problem_, names_, settings_.stop, measurer_, points_),
      state_(problem_, algorithm_, sampler_, result_, [this](StateVisitor& v) { loop_state(v); }) {
  if (settings_.on_checkpoint || !settings_.resume.empty()) state_.require_savable();
  if (!problem_.ledger) watch();
  witness();
}

RunResult Run::operator()(Element x0) {
  const ThreadScope scope(settings_.threads);
  const Counting counting(*problem_.ledger, result_, settings_.trace.certificate);
  result_.answer = x0;
  result_.answer.drop_images();
  points_.start(x0);
  const EndOfWatch at_the_end(settings_.watchdog);
  be_watched();
  attempt([&] { start(std::move(x0)); });
  if (limits_.gave_up()) checkpoint();
  while (!ended_) {
    attempt([&] { iterate(); });
    checkpoint();
  }
  finish();
  return std::move(result_);
}

void Run::loop_state(StateVisitor& v) {
  v("measurer", measurer_);
  v("limits", limits_);
  v("gap checks", checks_);
  v("best points", points_);
  v("judgement", judgement_);
  v("last measured", last_);
  v("standing", standing_);
}

void Run::watch() {
  problem_.ledger = std::make_shared<Ledger>();
  problem_.ledger->names = names_;
  const auto watch = [&]<class Interface>(Interface*& part, auto make) {
    if (!part) return;
    auto watcher = make(*part);
    part = watcher.get();
    watchers_.push_back(std::move(watcher));
  };
  const auto unowned = [](auto& part) {
    return std::shared_ptr<std::remove_reference_t<decltype(part)>>(std::shared_ptr<void>(), &part);
  };
  const auto& ledger = problem_.ledger;
  const Watch of_objective{Kind::objective, names_.objective, ledger};
  const Watch of_estimator{Kind::estimator, names_.estimator, ledger};
  const Watch of_set{Kind::set, names_.set, ledger};
  const Watch of_penalty{Kind::penalty, names_.penalty, ledger};
  watch(problem_.objective,
        [&](Objective& f) { return std::make_shared<WatchedObjective>(unowned(f), of_objective); });
  watch(problem_.estimator,
        [&](GradientEstimator& g) { return std::make_shared<WatchedEstimator>(unowned(g), of_estimator); });
  watch(problem_.linear_oracle, [&](LinearOracle& oracle) {
    return std::make_shared<WatchedLinearOracle>(
        oracle, problem_.set ? query<Membership>(*problem_.set) : nullptr, of_set);
  });
  watch(problem_.projection,
        [&](ProximalOracle& oracle) { return std::make_shared<WatchedProximalOracle>(oracle, of_set); });
  watch(problem_.penalty,
        [&](ProximalOracle& oracle) { return std::make_shared<WatchedProximalOracle>(oracle, of_penalty); });
}

/// Between algorithm and estimator, where rows hold the estimate's error.
void Run::witness() {
  if (!settings_.trace.on || !settings_.trace.estimator_error) return;
  const std::shared_ptr<GradientEstimator> seen(std::shared_ptr<void>(), problem_.estimator);
  const Watch of_estimator{Kind::estimator, names_.estimator, problem_.ledger};
  auto witness = std::make_shared<WatchedEstimator>(
      seen, of_estimator, [this](const Element& x, const Element& g) { note_estimate(x, g); });
  problem_.estimator = witness.get();
  watchers_.push_back(std::move(witness));
}

/// The start without what follows it: no measurement, no row.
void Run::dry(Element x0) {
  const ThreadScope scope(settings_.threads);
  const Counting counting(*problem_.ledger, result_, settings_.trace.certificate);
  try {
    contain(names_.algorithm, [&] { prepare(std::move(x0)); });
  } catch (const Interrupted&) {  // the time of the run is over, which refuses nothing
  }
}

/// All that may be refused: `dry` ends here.
void Run::prepare(Element x0) {
  const Shape shape = contain(names_.objective, [&] { return problem_.objective->shape(); });
  checks_.set_coordinates(std::max<Index>(1, shape.size()));
  if (x0.shape() != shape)
    throw Error(ErrorKind::usage, "start",
                "expected a point of " + shape.text() + ", the shape of " + names_.objective + ", got " +
                    x0.shape().text(),
                "start from a point of that shape");
  x0 = into_domain(problem_, names_, std::move(x0));
  expect_start_in_domain(x0);
  contain(names_.objective, [&] { reset_adversaries(problem_, x0); });
  limits_.limited(Work::step, result_.seconds, [&] {
    const SharedSurroundings shared;
    problem_.estimator->start(*problem_.objective, sampler_);
    algorithm_.start(problem_, std::move(x0));
    auto* blocks = problem_.set ? query<BlockOracle>(*problem_.set) : nullptr;
    auto* tail = query<FreeTail>(*problem_.objective);
    if (blocks) checks_.set_blocks(blocks->block_shapes(tail ? tail->constrained_shape() : shape).size());
  });
  require_snapshots();
  limits_.set_step_budget(query<StepBudget>(algorithm_));
}

void Run::expect_start_in_domain(const Element& x0) {
  const Uncounted measuring(*problem_.ledger);
  if (!contain(names_.objective, [&] { return leaves_domain(*problem_.objective, x0); })) return;
  throw Error(ErrorKind::usage, "start",
              names_.objective + " is infinite at the point to start from, which lies outside its domain",
              "give a point of the domain (start.from), or a set that holds the objective's inner point");
}

/// The size of an expectation's snapshots, from the estimator's options or the algorithm's theory.
void Run::require_snapshots() {
  if (algorithm_.plans_snapshots()) return;
  contain(names_.estimator, [&] { problem_.estimator->require_snapshot_size(); });
}

void Run::start(Element x0) {
  prepare(std::move(x0));
  const bool resumes = !settings_.resume.empty();
  if (resumes) state_.load(settings_.resume);
  started_ = true;
  if (resumes) be_watched();
  result_.residual_scale = measurer_.residual_scale();
  if (resumes && (result_.iterations > 0 || !last_.due_again)) return check_end_of_resumed();
  measure_start();
}

/// Again if a run was interrupted at it.
void Run::measure_start() {
  last_.due_again = true;
  note_start(algorithm_.iterate());
  if (settings_.trace.on) add_row();
  last_.due_again = false;
}

/// The values that later ones are compared with. A start at a minimum of value 0 is possible, so that of the
/// point 0 counts too. A trace changes nothing here, although its first row has the value as well.
void Run::note_start(const Element& x0) {
  if (!measurer_.measures()) return;
  measuring([&] {
    const double here = measurer_.value(x0), zero = x0.is_zero() ? here : measurer_.value_at_zero();
    if (std::isfinite(here)) points_.start_value(here);
    judgement_.start(here, zero);
    measurer_.start(x0);
  });
}

/// If the saved run had ended, this one ends too, before another step. First it measures what the saved run
/// gave up.
void Run::check_end_of_resumed() {
  if (last_.due_again) measure_due();
  if (ended_) return;
  const Status status = target_met(last_.solution);
  if (last_.solution_after == result_.iterations && is_target(status))
    return end_at_target(status, last_.solution);
  check_budgets();
}

void Run::iterate() {
  last_.estimator_error = std::numeric_limits<double>::quiet_NaN();
  const double spectral = detail::spectral_work(), before = result_.seconds;
  limits_.limited(Work::step, result_.seconds, [&] { algorithm_.step(); });
  limits_.note_step(result_.seconds - before);
  checks_.add_step(detail::spectral_work() - spectral);
  ++result_.iterations;
  alive();
  last_.due_again = true;
  if (!limits_.time_is_up()) measure_due();
  if (!ended_) check_budgets();
  report_step();
  report_progress();
}

/// Makes the measurements that are due after a step. A measurement that is given up at an interrupt is due
/// again in the run that resumes this one.
void Run::measure_due() {
  const GapChecks::Due due = checks_.due();
  try {
    if (checks_.row_due(result_.iterations)) add_row();
    if (!ended_) check_targets();
    if (!ended_) guard();
    last_.due_again = false;
  } catch (const Interrupted&) {
    checks_.set_due(due);
    throw;
  }
}

void Run::check_budgets() {
  if (const auto status = limits_.reached()) return end(*status);
  if (settings_.stop.stall && stalled()) end(Status::stall);
}

/// Judged by the value here and now: since the last row it may have fallen.
bool Run::stalled() {
  const auto too_long = [&] { return points_.steps_since_best(result_.iterations) >= settings_.stop.stall; };
  if (too_long() && last_.value_after < result_.iterations)
    note_value(measuring([&] { return measurer_.value(algorithm_.iterate()); }), algorithm_.iterate());
  return too_long() && !ended_;
}

/// A run towards a target ends if its steps change nothing that they depend on: each further one would be the
/// same. Duals, counts and draws are such things. Where these change, it ends after many steps of exact
/// gradients that lowered neither value nor gap by more than rounding.
void Run::note_standing(const Measurement& m) {
  constexpr Index kFew = 20, kMany = 5000;
  if (ended_ || !targeted()) return;
  const Index now = result_.iterations;
  const auto stand = [&](Index steps, const char* what) {
    stands_ = names_.algorithm + " stands still: its last " + std::to_string(steps) + " steps " + what +
              ", and the target is not met (name another algorithm, or ask for less)";
    end(Status::stall);
  };
  standing_.note(m, now);
  const bool same = m.value == standing_.value;
  const std::uint64_t state = same ? state_.fingerprint() : 0;
  if (!same || state == 0 || state != standing_.fingerprint)
    standing_.value = m.value, standing_.since = now, standing_.fingerprint = state;
  else if (now - standing_.since >= kFew)
    stand(now - standing_.since, "changed nothing");
  const bool known = m.confirmed || std::isfinite(m.residual);
  if (!ended_ && known && problem_.estimator->exact() &&
      now - standing_.gained >= std::max(kMany, standing_.gained))
    stand(now - standing_.gained, "lowered neither value nor gap by more than rounding");
}

Status Run::target_met(const Measurement& m) const {
  const StopOptions& stop = settings_.stop;
  if (!std::isfinite(m.value)) return Status::failed;
  if (value_wanted() && m.value <= stop.value) return Status::value;
  const bool certain = m.confirmed && std::isfinite(m.gap);
  if (certain && stop.gap > 0 && m.gap <= stop.gap) return Status::gap;
  if (certain && judgement_.meets_relative_gap(m)) return Status::relative_gap;
  if (residual_wanted() && m.residual <= stop.residual) return Status::residual;
  return Status::failed;
}

void Run::end_at_target(Status status, const Measurement& m) {
  if (!sound_solution(m)) return;
  if (const auto failure = judgement_.of_target(status, m)) return fail(failure);
  end(status);
}

/// The gap is measured when it seems met at the point of a full gradient, if steps know it there or a
/// measurement there costs next to nothing. It is measured now and then besides: momentum may carry the
/// gradient's point out of the domain. All else is measured at the pace of rows, but after a pass.
void Run::check_targets() {
  if (!targeted()) return;
  const StepReport report = algorithm_.report();
  const bool knows = report.full_gradient && std::isfinite(report.gap), at_hand = informed(),
             here = at_hand && report.gradient_at == &algorithm_.iterate(),
             reported = gap_wanted() && !residual_wanted() && knows,
             sure = reported && report.gap <= 0.5 * judgement_.gap_target(last_.value);
  const bool confirm =
      checks_.confirmation_due(sure) && (reported ? seems_met(report.gap) : at_hand && !here && hinted());
  const bool unhinted =
      !at_hand && (value_wanted() || residual_wanted() || !(reported || std::isinf(report.gap)));
  const bool due = (here && checks_.affordable()) || ((unhinted || at_hand) && checks_.check_due(at_hand));
  if (!confirm && !due) return;
  if (!solution_is_iterate() && last_.iterate_after < result_.iterations)
    (void)measure_iterate();  // an algorithm that chooses its solution has to know this one
  const Measurement m = measured_solution();
  if (!solution_is_iterate() || last_.iterate_after < result_.iterations) judge(m);
  if (ended_) return;
  if (const Status status = target_met(m); is_target(status)) return end_at_target(status, m);
  if (due) checks_.checked(at_hand);
  if (!confirm) return;
  ++result_.confirmations_failed;
  checks_.confirmation_failed();
}

bool Run::seems_met(double gap) {
  if (gap <= settings_.stop.gap) return true;
  if (std::isfinite(last_.value) && gap > judgement_.gap_target(last_.value)) return false;
  last_.value = measuring([&] { return measurer_.value(algorithm_.iterate()); });
  return gap <= judgement_.gap_target(last_.value);
}

/// True if a measurement at the point whose full gradient the last step has made reads no data.
bool Run::informed() const {
  return problem_.separable && query<LossOfImage>(*problem_.objective) && algorithm_.report().gradient_at;
}

/// At the point before the last step, where the gradient is known: whether a target is met there, or nearly.
bool Run::hinted() {
  const Element& at = *algorithm_.report().gradient_at;
  if (!checks_.hint_due()) return false;
  const double spectral = detail::spectral_work(), left = checks_.multiplications_left(false);
  Measurement m = measuring([&] { return measurer_.measure(at, left, nullptr); });
  checks_.add_hint(detail::spectral_work() - spectral);
  judgement_.note_bound(m);
  judgement_.lower_gap(m, at);
  return is_target(target_met(m));
}

/// Where nothing else measures, the value is measured when the steps have doubled, and what targets are of.
void Run::guard() {
  if (!checks_.value_due() || last_.value_after == result_.iterations) return;
  const double value = measuring([&] { return measurer_.value(algorithm_.iterate()); });
  note_value(value, algorithm_.iterate());
  if (ended_ || !std::isfinite(value)) return;
  if (targeted() && 2 * last_.solution_after < result_.iterations && checks_.affordable()) {
    const Measurement m = measured_solution();
    const Status status = ended_ ? Status::failed : target_met(m);
    if (is_target(status)) end_at_target(status, m);
  }
  if (ended_ || !judgement_.far(value)) return;
  (void)measure_iterate();
  if (judgement_.rising()) checks_.value_due_after_next_step();
}

/// Without images: shared ones would be updated in another order, which changes bits.
const Element& Step::iterate() const {
  if (!copy_) {
    copy_ = point_;
    copy_->drop_images();
  }
  return *copy_;
}

RunResult run(const Problem& problem, Algorithm& algorithm, Element x0, const RunSettings& settings,
              const ComponentNames& names) {
  refuse_unfit(problem, algorithm, settings.stop, names);
  return Run(problem, algorithm, settings, names)(std::move(x0));
}

void dry_start(const Problem& problem, Algorithm& algorithm, Element x0, const RunSettings& settings,
               const ComponentNames& names) {
  refuse_unfit(problem, algorithm, settings.stop, names);
  Run(problem, algorithm, settings, names).dry(std::move(x0));
}

std::vector<Complaint> unsavable_parts(const Problem& problem, Algorithm& algorithm,
                                       const ComponentNames& names) {
  RunSettings settings;
  settings.on_checkpoint = [](const StateStream&, bool) {};
  try {
    const Run run(problem, algorithm, settings, names);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    return error.complaints();
  }
  return {};
}

}  // namespace claros
