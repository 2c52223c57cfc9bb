// SPDX-License-Identifier: BSD-3-Clause
/// @file run_loop.hpp  The one place that owns limits, the clock, stopping, status, tracing, progress and
/// interrupts.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/missing_parts.hpp>
#include <claros/parameters.hpp>
#include <claros/run/trace.hpp>
#include <claros/state/state.hpp>
#include <claros/watch/counts.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

struct Training;
class Watchdog;

/// The keys of [stop]. 0 (or, for value, -inf) means no such rule. A run ends at the first rule that holds.
struct StopOptions {
  Index iterations = 0;
  Index epochs = 0;
  double passes = 0.0;
  double seconds = 0.0;  ///< that pass, measuring included
  double gap = 0.0;
  double relative_gap = 0.0;  ///< gap / |value|; below 1 it bounds (value - min) / |min| where f is convex
  double residual = 0.0;      ///< see Measurement
  double value = -std::numeric_limits<double>::infinity();
  Index sfo = 0;
  Index lo = 0;
  Index stall = 0;  ///< iterations without a new best measured value; measured at least that often
};
CLAROS_API const ParameterTable<StopOptions>& stop_parameters();

/// The keys of [trace].
struct TraceOptions {
  bool on = true;
  Index every = 0;  ///< iterations between rows; 0: ten rows a decade, and the end of every epoch
  bool estimator_error = false;
  std::string point = "iterate";  ///< what rows are measured at: iterate or answer
  bool certificate = false;       ///< proximal steps are asked how exact they are: Accuracy::certify
  std::string truth;              ///< a file with the point that is to be found
  double tolerance = 1e-4;        ///< relative tolerance of the oracle calls that measure a gap
};
CLAROS_API const ParameterTable<TraceOptions>& trace_parameters();

/// Why a run ended: a target that was met, a budget that was used up, or trouble.
enum class Status {
  gap,
  relative_gap,
  residual,
  value,
  iterations,
  epochs,
  passes,
  seconds,
  sfo,
  lo,
  stall,
  interrupted,
  stopped_by_host,
  diverged,
  unbounded,
  failed,
  rounding  ///< the gap asked for is below the error of the arithmetic: no target is met, no step shows more
};
CLAROS_API std::string text(Status status);          ///< "relative-gap"
CLAROS_API std::string explanation(Status status);   ///< a sentence
CLAROS_API bool is_target(Status status) noexcept;   ///< gap, relative_gap, residual, value
CLAROS_API bool is_trouble(Status status) noexcept;  ///< diverged, unbounded, failed

/// The state that a progress callback gets, at most ten times a second.
struct Progress {
  Index iteration = 0;
  Index epoch = 0;
  double seconds = 0.0;
  double value = std::numeric_limits<double>::quiet_NaN();
  double gap = std::numeric_limits<double>::quiet_NaN();
  double residual = std::numeric_limits<double>::quiet_NaN();
};

/// The state that a callback gets after a step.
class CLAROS_API Step {
 public:
  Step(const Element& point, Index steps) : iteration(steps), point_(point) {}

  Index iteration = 0;  ///< steps made
  Index epoch = 0;
  double seconds = 0.0;
  double value = std::numeric_limits<double>::quiet_NaN();  ///< at the iterate, when this step was measured
  double gap = std::numeric_limits<double>::quiet_NaN();    ///< likewise
  double residual = std::numeric_limits<double>::quiet_NaN();  ///< likewise
  /// A copy of the iterate, made on the first call, to be read or kept; it shares arrays until the next step.
  const Element& iterate() const;

 private:
  const Element& point_;
  mutable std::optional<Element> copy_;
};

struct RunSettings {
  StopOptions stop;
  TraceOptions trace;
  int threads = 1;
  /// Polled after every step, and by long loops (interruption.hpp).
  const std::atomic<bool>* interrupt = nullptr;
  Watchdog* watchdog = nullptr;  ///< for a step that never ends (watchdog.hpp)
  // Callbacks on the running thread. An exception that they throw ends run() unchanged.
  std::function<void(const Progress&)> on_progress;
  std::function<bool(const TraceRow&)> on_row;  ///< on every trace row; false ends the run
  std::function<bool(const Step&)> on_step;     ///< after every step; false ends the run

  /// Called between two steps with the whole state, every `checkpoint_seconds` of wall time and when the run
  /// has `ended`. It is a stream, to be written before the call returns: its arrays go to the sink without a
  /// copy. Saving changes nothing in the run. Error(usage) at the start: a component cannot be saved.
  std::function<void(const StateStream& state, bool ended)> on_checkpoint;
  /// More, where the last one took longer than kCheckpointShare of them.
  double checkpoint_seconds = 10.0;
  Index checkpoint_every = 0;  ///< steps between checkpoints, whatever they take; 0: by time alone
  /// The bytes that on_checkpoint got, read until run() returns: the run continues from there, bit for bit.
  /// If empty, a fresh run.
  std::string_view resume;
};

/// The share of a run's time that checkpoints by time may take, the one at the end apart.
inline constexpr double kCheckpointShare = 0.02;

/// How one of several independent runs ended.
struct Trial {
  Status status = Status::failed;
  double value = std::numeric_limits<double>::quiet_NaN();
  double gap = std::numeric_limits<double>::quiet_NaN();
  Index iterations = 0;
};

struct RunResult {
  Status status = Status::failed;
  std::string failure;  ///< after how many steps who did what, where is_trouble(status); empty otherwise
  ErrorKind failure_kind = ErrorKind::numerical;
  Element answer;  ///< of a failed run the last one that was sound, of one that diverged the best measured
  Measurement measurement;                                        ///< at the answer, on the full data
  double lower_bound = -std::numeric_limits<double>::infinity();  ///< of the minimum, where f is convex
  /// The eigengap of the gradient at the solution (SpectralGap); NaN without such a set or a low-rank
  /// solution.
  double eigengap = std::numeric_limits<double>::quiet_NaN();
  double violation = 0.0;  ///< how far the answer lies outside the set (Membership), 0 without a set; NaN
                           ///< if it cannot be checked
  double step = std::numeric_limits<double>::quiet_NaN();  ///< length or weight of the last one, where the
                                                           ///< algorithm reports it
  Index iterations = 0;
  Index epochs = 0;
  Index confirmations_failed = 0;
  double residual_scale = std::numeric_limits<double>::quiet_NaN();  ///< what `residual` is relative to
  double seconds = 0.0;                                              ///< of the run, without measuring
  double measuring_seconds = 0.0;
  double checkpoint_seconds = 0.0;
  double elapsed_seconds = 0.0;  ///< wall time, measuring and checkpoints included: what stop.seconds limits
  double preparing_seconds = 0.0;  ///< before the run, where the caller says so: reading and composing
  double work = 0.0;            ///< of the steps, counted in component gradients: by it gap checks are spaced
  double measuring_work = 0.0;  ///< likewise, of measuring
  std::string note;  ///< what was given up at an interrupt or a limit: the last gap check, or a step; or what
                     ///< came to a stand
  Counts counts;
  Certification certification;  ///< the certification of the counts.po proximal steps
  ComponentSeconds component_seconds;
  std::vector<TraceRow> trace;
  std::vector<Trial> trials;  ///< of a run with several: all of them, in their order
  /// For Solver::solve with an objective of ratings: the baseline that predictions add to the solution
  /// (training.hpp). Otherwise null.
  std::shared_ptr<const Training> training;
};

/// Targets for what is not measured on `problem`: a gap where only a residual is, and the other way round.
CLAROS_API std::vector<Complaint> unmeasured_targets(const Problem& problem, const StopOptions& stop);

/// Runs `algorithm` on `problem` from x0. Components are watched (watched.hpp) and named by `names` in
/// errors. Prints nothing and installs no signal handler. Numerical outcomes are statuses; Error(usage) is
/// thrown before the first step when the composition lacks something.
CLAROS_API RunResult run(const Problem& problem, Algorithm& algorithm, Element x0,
                         const RunSettings& settings, const ComponentNames& names = {});

}  // namespace claros
