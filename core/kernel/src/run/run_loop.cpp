// SPDX-License-Identifier: BSD-3-Clause
#include "map/spectral_work.hpp"
#include "proof/feasibility.hpp"
#include "run/run.hpp"
#include "surroundings.hpp"

#include <claros/abilities.hpp>
#include <claros/domain.hpp>
#include <claros/element/parallel.hpp>
#include <claros/run/dry_start.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

namespace {

/// Throws Error(usage) with all that keeps `algorithm` from running on `problem`, targets of `stop` included.
void refuse_unfit(const Problem& problem, const Algorithm& algorithm, const StopOptions& stop,
                  const ComponentNames& names) {
  std::vector<Complaint> complaints;
  if (problem.objective) complaints = unmeasured_targets(problem, stop);
  for (MissingPart& missing : missing_parts(problem, algorithm, names))
    complaints.push_back(std::move(missing.complaint));
  if (complaints.empty() && !problem.ledger)
    complaints.push_back({"problem", "its components are not behind watchers", "take that of a composition"});
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

/// A resisting oracle starts anew, and knows the start, at which the first row is measured.
void reset_adversaries(const Problem& problem, const Element& x0) {
  std::vector<Component*> parts{problem.objective};
  for (const Kept& kept : problem.kept) parts.push_back(kept.component);
  for (Component* part : parts)
    if (auto* adversary = query<Adversary>(*part)) adversary->forget(), adversary->asked(x0, false);
}

void expect_start_in_domain(const Problem& problem, const ComponentNames& names, const Element& x0) {
  const Uncounted measuring(*problem.ledger);
  if (!contain(names.objective, [&] { return leaves_domain(*problem.objective, x0); })) return;
  throw Error(ErrorKind::usage, "start",
              names.objective + " is infinite at the point to start from, which lies outside its domain",
              "give a point of the domain (start.from), or a set that holds the objective's inner point");
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

}  // namespace

Run::Run(const Problem& problem, Algorithm& algorithm, const RunSettings& settings,
         const ComponentNames& names)
    : problem_(problem),
      algorithm_(algorithm),
      settings_(settings),
      names_(names),
      sampler_(problem.context.stream(Purpose::sampling),
               contain(names.objective, [&] { return problem.objective->terms(); })),
      budgets_(problem_, settings_, result_),
      proof_(problem_, algorithm_, names_, settings_.stop, settings_.trace, result_, ending_,
             {.limited =
                  [this](const auto& call) {
                    fallback_.alive();
                    measuring(call);
                    fallback_.alive();
                  },
              .measured =
                  [this](const Element& x, const Measurement& m, double seconds) {
                    budgets_.note_measurement(seconds);
                    if (std::isfinite(m.value)) fallback_.keep(x, &m);
                  },
              .fingerprint = [this] { return state_.fingerprint(); }}),
      state_(problem_, algorithm_, sampler_, result_,
             [this](StateVisitor& v) { proof_.state(v, [&] { v("limits", budgets_); }); }),
      fallback_(problem_, settings_, budgets_, result_) {
  if (settings_.on_checkpoint || !settings_.resume.empty()) state_.require_savable();
  if (!settings_.trace.on || !settings_.trace.estimator_error) return;
  const auto see_estimate = [this](const Element& x, const Element& g) {
    const Index steps = result_.iterations + 1;
    if (!proof_.is_row_due(steps) && steps != budgets_.most_steps()) return;
    double seconds = 0.0;  // within a step, whose clock does not count it
    timed(seconds, [&] { proof_.note_estimate(x, g); });
    result_.seconds -= seconds;
    result_.measuring_seconds += seconds;
  };
  const std::shared_ptr<GradientEstimator> seen(std::shared_ptr<void>(), problem_.estimator);
  witness_ = std::make_shared<WatchedEstimator>(
      seen, Watch{Kind::estimator, names_.estimator, problem_.ledger}, see_estimate);
  problem_.estimator = witness_.get();
}

RunResult Run::operator()(Element x0) {
  const ThreadScope scope(settings_.threads);
  const Counting counting(*problem_.ledger, result_, settings_.trace.certificate);
  proof_.begin(x0);
  fallback_.start(x0);
  result_.answer = fallback_.point();
  attempt([&] { start(std::move(x0)); });
  if (budgets_.gave_up()) checkpoint();
  while (!ending_.over) {
    attempt([&] {
      step();
      if (!budgets_.time_is_up()) measure_due();
      if (!ending_.standstill.empty()) go_on();
      if (!ending_.over) check_budgets();
      report_step();
      report_progress();
    });
    checkpoint();
  }
  finish();
  return std::move(result_);
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
  if (x0.shape() != shape)
    throw Error(ErrorKind::usage, "start",
                "expected a point of " + shape.text() + ", the shape of " + names_.objective + ", got " +
                    x0.shape().text(),
                "start from a point of that shape");
  x0 = into_domain(problem_, names_, std::move(x0));
  expect_start_in_domain(problem_, names_, x0);
  contain(names_.objective, [&] { reset_adversaries(problem_, x0); });
  budgets_.limited(Work::step, result_.seconds, [&] {
    const SharedSurroundings shared;
    problem_.estimator->start(*problem_.objective, sampler_);
    algorithm_.start(problem_, std::move(x0));
    proof_.set_shape(shape);
  });
  // The size of an expectation's snapshots, from the estimator's options or the algorithm's theory.
  if (!algorithm_.plans_snapshots())
    contain(names_.estimator, [&] { problem_.estimator->require_snapshot_size(); });
  budgets_.set_step_budget(query<StepBudget>(algorithm_));
}

void Run::start(Element x0) {
  prepare(std::move(x0));
  const bool resumes = !settings_.resume.empty();
  if (resumes) state_.load(settings_.resume);
  started_ = true;
  if (resumes) fallback_.watch();
  if (resumes && (result_.iterations > 0 || !proof_.last().due_again)) return resume();
  proof_.make_due([&] {
    proof_.start(algorithm_.iterate());
    if (settings_.trace.on) add_row();
  });
}

/// If the saved run had ended, this one ends too, before another step. First it measures what the saved run
/// gave up.
void Run::resume() {
  if (proof_.last().due_again) measure_due();
  if (ending_.over) return;
  if (proof_.is_solution_measured() && proof_.end_at_target(proof_.last().solution)) return;
  check_budgets();
}

void Run::step() {
  proof_.begin_step();
  const double spectral = detail::spectral_work(), before = result_.seconds;
  budgets_.limited(Work::step, result_.seconds, [&] { algorithm_.step(); });
  budgets_.note_step(result_.seconds - before);
  ++result_.iterations;
  proof_.end_step(detail::spectral_work() - spectral);
  fallback_.alive();
}

void Run::measure_due() {
  proof_.make_due([&] {
    if (proof_.is_row_due(result_.iterations)) add_row();
    if (!ending_.over) proof_.check_targets();
    if (!ending_.over) proof_.check_held_out();
    if (!ending_.over) proof_.check_growth();
  });
}

/// After a standstill, if the host has another way.
void Run::go_on() {
  if (!settings_.on_stand || ending_.status != Status::stall || !ending_.unattained.empty()) return;
  bool otherwise = false;
  budgets_.limited(Work::step, result_.seconds,
                   [&] { otherwise = settings_.on_stand(result_.iterations, ending_.standstill); });
  if (otherwise) proof_.go_on();
}

void Run::check_budgets() {
  if (const auto status = budgets_.reached())
    ending_.end(*status);
  else if (proof_.is_patience_over())
    ending_.end(Status::validation);
  else if (settings_.stop.stall && proof_.is_stalled(settings_.stop.stall))
    ending_.end(Status::stall);
}

void Run::add_row() {
  proof_.made_row();
  const Measurement m = proof_.of_iterate();
  fallback_.add(row(m));
  if (ending_.over) return;
  if (settings_.on_row && !host([&] { return settings_.on_row(result_.trace.back()); }))
    return ending_.end(Status::stopped_by_host);
  if (proof_.is_solution_iterate()) (void)proof_.end_at_target(m);
}

/// The row of the point that the trace is to follow; `of_iterate` was measured at the iterate.
TraceRow Run::row(const Measurement& of_iterate) {
  const bool is_of_answer = settings_.trace.point == "answer" && !proof_.is_solution_iterate();
  const Measurement m = is_of_answer ? proof_.of_solution() : of_iterate;
  const Element& x = is_of_answer ? algorithm_.answer() : algorithm_.iterate();
  TraceRow r;
  r.iteration = result_.iterations;
  r.epoch = problem_.estimator->epochs();
  r.passes = budgets_.passes();
  r.seconds = result_.seconds;
  r.value = m.value;
  r.gap = m.gap;
  r.residual = m.residual;
  r.unsmoothed = m.unsmoothed;
  r.estimator_error = proof_.last().estimator_error;
  r.rmse_truth = m.rmse_truth;
  r.test_rmse = m.test_rmse;
  r.step = algorithm_.report().weight;
  // The rank itself would cost a decomposition a row; the result has it.
  const Index columns = std::min({x.columns(), x.shape().rows, x.shape().cols});
  r.rank_or_support = columns > 0 ? columns : rank_or_support(x);
  const Certification& c = result_.certification;
  r.rank_asked = c.asked;
  r.rank_needed = c.needed;
  if ((settings_.trace.certificate || c.exact > 0) && result_.counts.po > 0)
    r.certified = static_cast<double>(c.exact) / static_cast<double>(result_.counts.po);
  if (settings_.trace.certificate && result_.counts.po > 0) r.certificate_error = c.error;
  r.counts = result_.counts;
  return r;
}

/// Last of all, so that everything measured at this iterate is known.
void Run::report_step() {
  if (!settings_.on_step || (ending_.over && ending_.in_trouble())) return;
  Step step(algorithm_.iterate(), result_.iterations);
  step.epoch = problem_.estimator->epochs();
  step.seconds = result_.seconds;
  if (const Measurement* m = proof_.iterate()) {
    step.value = m->value;
    step.gap = m->gap;
    step.residual = m->residual;
  }
  if (!host([&] { return settings_.on_step(step); }) && !ending_.over) ending_.end(Status::stopped_by_host);
}

void Run::report_progress() {
  if (!settings_.on_progress || seconds_since(last_progress_) < 0.1) return;
  last_progress_ = RunClock::now();
  const LastMeasured& last = proof_.last();
  const Progress progress{
      result_.iterations, problem_.estimator->epochs(), result_.seconds, last.value, last.gap, last.residual};
  host([&] {
    settings_.on_progress(progress);
    return true;
  });
}

/// By time, by steps, and when the run has ended well. By time, as long as all of them together stay below
/// kCheckpointShare of what has passed, were the next to cost what the last did.
void Run::checkpoint() {
  if (!settings_.on_checkpoint || (ending_.over && ending_.in_trouble()) || budgets_.gave_up_step()) return;
  const bool counted = settings_.checkpoint_every && result_.iterations % settings_.checkpoint_every == 0;
  const bool due = seconds_since(checkpoints_.last) >= settings_.checkpoint_seconds &&
                   checkpoints_.sum + checkpoints_.cost <= kCheckpointShare * budgets_.elapsed();
  if (!ending_.over && !counted && !due) return;
  const auto begin = RunClock::now();
  host([&] {
    settings_.on_checkpoint([this](const ByteSink& sink) { state_.save(sink); }, ending_.over);
    return true;
  });
  checkpoints_.last = RunClock::now();
  checkpoints_.cost = seconds_since(begin);
  result_.checkpoint_seconds += checkpoints_.cost;
  if (!counted) checkpoints_.sum += checkpoints_.cost;
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
