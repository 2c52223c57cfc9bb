// SPDX-License-Identifier: BSD-3-Clause
#include "map/spectral_work.hpp"
#include "run/run.hpp"
#include "run/unmeasured_targets.hpp"

#include <claros/adversary.hpp>
#include <claros/domain.hpp>
#include <claros/element/parallel.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

namespace {

/// An adversary begins anew, and knows the start, at which the first row is measured.
void unsettle(const Problem& problem, const Element& x0) {
  std::vector<Component*> parts{problem.objective};
  for (const Kept& kept : problem.kept) parts.push_back(kept.component);
  for (Component* part : parts)
    if (auto* adversary = query<Adversary>(*part)) adversary->forget(), adversary->asked(x0, false);
}

}  // namespace

Run::Run(const Problem& problem, Algorithm& algorithm, const RunSettings& settings,
         const ComponentNames& names)
    : problem_(problem),
      algorithm_(algorithm),
      settings_(settings),
      names_(names),
      sampler_(problem.context.stream(Purpose::sampling),
               contain(names.objective, [&] { return problem.objective->components(); })),
      measurer_(problem_, names_, settings.trace.tolerance, settings.stop.residual > 0, loop_.residual_duals),
      state_(problem_, algorithm_, sampler_, result_, loop_),
      may_diverge_(steps_have_length()) {
  if (settings.on_checkpoint || !settings.resume.empty()) state_.require_savable();
  if (!problem_.ledger) watch();
  witness();
}

RunResult Run::operator()(Element x0) {
  const ThreadScope scope(settings_.threads);
  const Counting counting(*problem_.ledger, result_, settings_.trace.certificate);
  result_.answer = x0;
  result_.answer.drop_images();
  start_ = result_.answer;
  const Unwatching at_the_end(settings_.watchdog);
  be_watched();
  attempt([&] { start(std::move(x0)); });
  if (given_up_) checkpoint();
  while (!ended_) {
    attempt([&] { iterate(); });
    checkpoint();
  }
  finish();
  return std::move(result_);
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
  watch(problem_.objective, [&](Objective& f) {
    return std::make_shared<WatchedObjective>(unowned(f), Watch{Kind::objective, names_.objective, ledger});
  });
  watch(problem_.estimator, [&](GradientEstimator& g) {
    return std::make_shared<WatchedEstimator>(unowned(g), Watch{Kind::estimator, names_.estimator, ledger});
  });
  const Watch of_set{Kind::set, names_.set, ledger};
  watch(problem_.linear_oracle, [&](LinearOracle& oracle) {
    return std::make_shared<WatchedLinearOracle>(
        oracle, problem_.set ? query<Membership>(*problem_.set) : nullptr, of_set);
  });
  watch(problem_.projection,
        [&](ProximalOracle& oracle) { return std::make_shared<WatchedProximalOracle>(oracle, of_set); });
  watch(problem_.penalty, [&](ProximalOracle& oracle) {
    return std::make_shared<WatchedProximalOracle>(oracle, Watch{Kind::penalty, names_.penalty, ledger});
  });
}

/// Between algorithm and estimator, where rows hold the estimate's error.
void Run::witness() {
  if (!settings_.trace.on || !settings_.trace.estimator_error) return;
  const std::shared_ptr<GradientEstimator> seen(std::shared_ptr<void>(), problem_.estimator);
  auto witness =
      std::make_shared<WatchedEstimator>(seen, Watch{Kind::estimator, names_.estimator, problem_.ledger},
                                         [this](const Element& x, const Element& g) { note_estimate(x, g); });
  problem_.estimator = witness.get();
  watchers_.push_back(std::move(witness));
}

/// The start without what follows it: no measurement, no row, and the result is nobody's.
void Run::dry(Element x0) {
  const ThreadScope scope(settings_.threads);
  const Counting counting(*problem_.ledger, result_, settings_.trace.certificate);
  try {
    contain(names_.algorithm, [&] { begin(std::move(x0)); });
  } catch (const Interrupted&) {  // the time of the run is over, which refuses nothing
  }
}

/// The point of dom h nearest to x0 where h(x0) is not finite, by a proximal step too short to move it
/// further; x0 where no such point is found. With a set the start stays as it is: an algorithm that takes
/// both projects onto both.
Element Run::into_domain(Element x0) const {
  constexpr double kShort = 1e-30;
  if (!problem_.penalty || problem_.set) return x0;
  const Uncounted measuring(*problem_.ledger);
  return contain(names_.penalty, [&] {
    ProximalOracle& h = *problem_.penalty;
    if (std::isfinite(h.value(x0.detached()))) return std::move(x0);
    const double mu = h.weak_convexity(),
                 step = mu > 0.0 && std::isfinite(mu) ? std::min(kShort, 0.5 / mu) : kShort;
    Element nearest;
    (void)h.apply(x0.detached(), step, nearest, Accuracy{});
    return std::isfinite(h.value(nearest)) ? std::move(nearest) : std::move(x0);
  });
}

/// What may be refused, and no more: `dry` ends here.
void Run::begin(Element x0) {
  const Shape shape = contain(names_.objective, [&] { return problem_.objective->shape(); });
  coordinates_ = static_cast<double>(std::max<Index>(1, shape.size()));
  if (x0.shape() != shape)
    throw Error(ErrorKind::usage, "start",
                "the point is " + x0.shape().text() + ", " + names_.objective + " wants " + shape.text(),
                "start from a point of that shape");
  x0 = into_domain(std::move(x0));
  expect_start_in_domain(x0);
  contain(names_.objective, [&] { unsettle(problem_, x0); });
  limited(Work::step, result_.seconds, [&] {
    problem_.estimator->start(*problem_.objective, sampler_);
    algorithm_.start(problem_, std::move(x0));
    auto* blocks = problem_.set ? query<BlockOracle>(*problem_.set) : nullptr;
    auto* tail = query<FreeTail>(*problem_.objective);
    if (blocks)
      blocks_ = static_cast<double>(blocks->block_shapes(tail ? tail->constrained_shape() : shape).size());
  });
  require_snapshots();
  budget_ = query<StepBudget>(algorithm_);
}

void Run::expect_start_in_domain(const Element& x0) {
  const Uncounted measuring(*problem_.ledger);
  if (!contain(names_.objective, [&] { return leaves_domain(*problem_.objective, x0); })) return;
  throw Error(ErrorKind::usage, "start",
              names_.objective + " is infinite at the point to start from, which lies outside its domain",
              "give a point of the domain (start.from), or a set that holds the objective's inner point");
}

/// The size of an expectation's snapshots, which either the estimator's options or the algorithm's theory
/// have.
void Run::require_snapshots() {
  const auto* plan = query<SnapshotPlan>(algorithm_);
  if (plan && plan->plans_snapshots()) return;
  if (const auto* own = query<OwnSnapshot>(*problem_.estimator))
    contain(names_.estimator, [&] { own->require_own_snapshot(); });
}

void Run::start(Element x0) {
  begin(std::move(x0));
  if (!settings_.resume.empty()) state_.load(settings_.resume);
  started_ = true;
  waited_before_ = result_.waited_seconds;
  if (!settings_.resume.empty()) be_watched();
  measurer_.set_residual_scale(result_.residual_scale);
  if (!settings_.resume.empty() && result_.iterations > 0) return check_end_of_resumed();
  look_at_start();
}

/// Again where a run was interrupted at it.
void Run::look_at_start() {
  if (!settings_.resume.empty() && !loop_.unmeasured) return check_end_of_resumed();
  loop_.unmeasured = true;
  note_start(algorithm_.iterate());
  if (settings_.trace.on) add_row();
  loop_.unmeasured = false;
}

/// Where the saved run had ended, this one ends too, before another step. What it gave up is made good first.
void Run::check_end_of_resumed() {
  if (loop_.unmeasured) look_around();
  if (ended_) return;
  const Status status = target_met(loop_.answer_measurement);
  if (loop_.answer_iteration == result_.iterations && is_target(status))
    return end_at_target(status, loop_.answer_measurement);
  check_budgets();
}

void Run::iterate() {
  loop_.estimator_error = std::numeric_limits<double>::quiet_NaN();
  const double spectral = detail::spectral_work();
  const double before = result_.seconds;
  limited(Work::step, result_.seconds, [&] { algorithm_.step(); });
  longest_step_ = std::max(longest_step_, result_.seconds - before);
  loop_.spectral_work += detail::spectral_work() - spectral;
  ++result_.iterations;
  alive();
  loop_.unmeasured = true;
  if (!time_is_up()) look_around();
  if (!ended_) check_budgets();
  report_step();
  report_progress();
}

/// What is due after a step. Given up at an interrupt, it is due again in the run that resumes this one.
void Run::look_around() {
  const Index row = loop_.next_row, hint = loop_.next_hint, guarded = loop_.next_guard;
  try {
    if (row_due(result_.iterations)) add_row();
    if (!ended_) check_targets();
    if (!ended_) guard();
    loop_.unmeasured = false;
  } catch (const Interrupted&) {
    loop_.next_row = row, loop_.next_hint = hint, loop_.next_guard = guarded;
    throw;
  }
}

/// Last of all, so that everything measured at this iterate is known.
void Run::report_step() {
  if (!settings_.on_step || (ended_ && in_trouble())) return;
  Step step(algorithm_.iterate(), result_.iterations);
  step.epoch = problem_.estimator->epochs();
  step.seconds = result_.seconds;
  if (seen_iteration_ == result_.iterations) {
    step.value = seen_.value;
    step.gap = seen_.gap;
    step.residual = seen_.residual;
  }
  if (!host([&] { return settings_.on_step(step); }) && !ended_) end(Status::stopped_by_host);
}

double Run::passes() const { return claros::passes(result_.counts, problem_.objective->components()); }

Index Run::most_steps() const {
  const Index limit = settings_.stop.iterations, budget = budget_ ? budget_->step_budget() : 0;
  return limit && budget ? std::min(limit, budget) : std::max(limit, budget);
}

/// What is yet to be measured at the end counts, as far as it leaves half of the time to the steps.
bool Run::time_is_up() const {
  const double limit = settings_.stop.seconds;
  return limit > 0 && waited() + std::min(last_measuring_, 0.5 * limit) >= limit;
}

void Run::check_budgets() {
  const StopOptions& stop = settings_.stop;
  if (settings_.interrupt && settings_.interrupt->load()) return end(Status::interrupted);
  if (const Index most = most_steps(); most && result_.iterations >= most) return end(Status::iterations);
  if (stop.epochs && (problem_.estimator->exact() || epoch_over()) &&
      problem_.estimator->epochs() >= stop.epochs)
    return end(Status::epochs);
  if (stop.passes > 0 && passes() >= stop.passes) return end(Status::passes);
  if (time_is_up()) return end(Status::seconds);
  if (stop.sfo && result_.counts.sfo >= stop.sfo) return end(Status::sfo);
  if (stop.lo && result_.counts.lo >= stop.lo) return end(Status::lo);
  if (stop.stall && stalled()) end(Status::stall);
}

/// Judged by the value here and now: since the last row it may have fallen.
bool Run::stalled() {
  const auto too_long = [&] { return result_.iterations - loop_.best_iteration >= settings_.stop.stall; };
  if (too_long() && loop_.measured_iteration < result_.iterations)
    note_value(measuring([&] { return measurer_.value(algorithm_.iterate()); }), algorithm_.iterate());
  return too_long() && !ended_;
}

Status Run::target_met(const Measurement& m) const {
  const StopOptions& stop = settings_.stop;
  if (!std::isfinite(m.value)) return Status::failed;
  if (value_wanted() && m.value <= stop.value) return Status::value;
  const bool certain = m.confirmed && std::isfinite(m.gap);
  if (certain && stop.gap > 0 && m.gap <= stop.gap) return Status::gap;
  if (certain && stop.relative_gap > 0 && m.gap <= stop.relative_gap * std::abs(m.value))
    return Status::relative_gap;
  if (residual_wanted() && m.residual <= stop.residual) return Status::residual;
  return Status::failed;
}

/// Where the steps themselves see the gap on the full gradient, or have made that gradient at a point that
/// can be looked at for next to nothing, it is measured when it seems met there (and now and then: the point
/// of the gradient, which momentum may carry out of the domain, need not say anything); all else at the pace
/// of the rows, but not before another pass was made: measuring takes one.
void Run::check_targets() {
  if (!gap_wanted() && !value_wanted() && !residual_wanted()) return;
  const Index t = result_.iterations;
  const StepReport report = algorithm_.report();
  const bool told = gap_wanted() && !residual_wanted() && report.full_gradient && std::isfinite(report.gap);
  const bool at_hand = informed(), here = at_hand && report.gradient_at == &algorithm_.iterate();
  const bool may_confirm =
      t >= loop_.next_confirmation && (result_.confirmations_failed == 0 || affordable());
  const bool confirm = may_confirm && (told ? seems_met(report.gap) : at_hand && !here && hinted());
  const bool unhinted = value_wanted() || residual_wanted() ? !at_hand : !told && !at_hand;
  const bool due =
      (here && affordable()) || ((unhinted || at_hand) && t >= loop_.next_look &&
                                 work() >= std::max(loop_.next_look_work, patience(at_hand)) && affordable());
  if (!confirm && !due) return;
  if (!answers_iterate() && loop_.looked_iteration < t)
    (void)look_at_iterate();  // an algorithm that chooses has to know this one
  const Measurement m = measured_answer();
  if (!answers_iterate() || loop_.looked_iteration < t) judge(m);
  if (ended_) return;
  if (const Status status = target_met(m); is_target(status)) return end_at_target(status, m);
  if (due) space_looks(at_hand);
  if (!confirm) return;
  ++result_.confirmations_failed;
  // A failed confirmation costs a few steps: the next waits for half a percent of the steps so far.
  loop_.next_confirmation = t + std::max<Index>(1, t / 200);
}

bool Run::seems_met(double gap) {
  const StopOptions& stop = settings_.stop;
  if (stop.gap > 0 && gap <= stop.gap) return true;
  if (!(stop.relative_gap > 0)) return false;
  if (std::isfinite(loop_.last_value) && gap > stop.relative_gap * std::abs(loop_.last_value)) return false;
  loop_.last_value = measuring([&] { return measurer_.value(algorithm_.iterate()); });
  return gap <= stop.relative_gap * std::abs(loop_.last_value);
}

void Run::report_progress() {
  if (!settings_.on_progress || seconds_since(last_progress_) < 0.1) return;
  last_progress_ = Clock::now();
  const Progress progress{result_.iterations, problem_.estimator->epochs(), result_.seconds, loop_.last_value,
                          loop_.last_gap,     loop_.last_residual};
  host([&] {
    settings_.on_progress(progress);
    return true;
  });
}

/// By time, by steps, and when the run has ended well. By time, as long as all of them together stay below
/// kCheckpointShare of what has passed, were the next to cost what the last did.
void Run::checkpoint() {
  if (!settings_.on_checkpoint || (ended_ && in_trouble()) || given_up_ == Work::step) return;
  const bool counted = settings_.checkpoint_every && result_.iterations % settings_.checkpoint_every == 0;
  const bool due = seconds_since(last_checkpoint_) >= settings_.checkpoint_seconds &&
                   checkpoint_sum_ + checkpoint_cost_ <= kCheckpointShare * waited();
  if (!ended_ && !counted && !due) return;
  result_.waited_seconds = waited();
  const auto begin = Clock::now();
  host([&] {
    settings_.on_checkpoint([this](const ByteSink& sink) { state_.save(sink); }, ended_);
    return true;
  });
  last_checkpoint_ = Clock::now();
  checkpoint_cost_ = seconds_since(begin);
  result_.checkpoint_seconds += checkpoint_cost_;
  if (!counted) checkpoint_sum_ += checkpoint_cost_;
}

/// Without images: shared ones would be updated in another order, and looking must change no bits.
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
