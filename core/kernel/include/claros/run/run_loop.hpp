// SPDX-License-Identifier: BSD-3-Clause
/// @file run_loop.hpp  The one place that owns limits, the clock, stopping, status, tracing, progress and
/// interrupts.
#pragma once

#include <claros/missing_parts.hpp>
#include <claros/run/stopping.hpp>
#include <claros/run/trace.hpp>
#include <claros/state/state.hpp>

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

  /// Called when steps towards a target stand still, with their number and how, in words. True: the algorithm
  /// goes on otherwise; false ends the run.
  std::function<bool(Index steps, const std::string& how)> on_stand;

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

struct RunResult : RunNumbers {
  Status status = Status::failed;
  std::string failure;  ///< after how many steps who did what, where is_trouble(status); empty otherwise
  ErrorKind failure_kind = ErrorKind::numerical;
  Element answer;  ///< of a failed run the last one that was sound, of one that diverged the best measured
  Measurement measurement;  ///< at the answer, on the full data
  /// The eigengap of the gradient at the solution (SpectralGap); NaN without such a set or a low-rank
  /// solution.
  double eigengap = std::numeric_limits<double>::quiet_NaN();
  double preparing_seconds = 0.0;  ///< before the run, where the caller says so: reading and composing
  std::string note;  ///< what was given up at an interrupt or a limit: the last gap check, or a step; or what
                     ///< came to a stand
  std::vector<TraceRow> trace;
  std::vector<Trial> trials;  ///< of a run with several: all of them, in their order
  /// For Solver::solve with an objective of ratings: the baseline that predictions add to the solution
  /// (training.hpp). Otherwise null.
  std::shared_ptr<const Training> training;
};

/// Runs `algorithm` on `problem` from x0. Components are watched (watched.hpp) and named by `names` in
/// errors. Prints nothing and installs no signal handler. Numerical outcomes are statuses; Error(usage) is
/// thrown before the first step when the composition lacks something.
CLAROS_API RunResult run(const Problem& problem, Algorithm& algorithm, Element x0,
                         const RunSettings& settings, const ComponentNames& names = {});

}  // namespace claros
