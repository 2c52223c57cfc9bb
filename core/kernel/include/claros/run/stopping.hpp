// SPDX-License-Identifier: BSD-3-Clause
/// @file stopping.hpp  What ends a run, what is measured on its way, and its numbers.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>
#include <claros/watch/counts.hpp>

#include <limits>
#include <string>
#include <vector>

namespace claros {

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
  Index stall = 0;     ///< iterations without a new best measured value; measured at least that often
  Index patience = 0;  ///< iterations without a lower error on held-out data, the least of which is kept
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
  rounding,   ///< the gap asked for is below the error of the arithmetic: no step shows more
  validation  ///< the error on held-out data has stopped falling: no target is met
};
CLAROS_API std::string text(Status status);          ///< "relative-gap"
CLAROS_API std::string explanation(Status status);   ///< a sentence
CLAROS_API bool is_target(Status status) noexcept;   ///< gap, relative_gap, residual, value
CLAROS_API bool is_trouble(Status status) noexcept;  ///< diverged, unbounded, failed

/// The numbers of a run so far. Those of RunResult are the last ones.
struct RunNumbers {
  Index iterations = 0;
  Index epochs = 0;
  Index confirmations_failed = 0;
  double lower_bound = -std::numeric_limits<double>::infinity();     ///< of the minimum, where f is convex
  double residual_scale = std::numeric_limits<double>::quiet_NaN();  ///< what `residual` is relative to
  double violation = 0.0;  ///< how far the answer lies outside the set (Membership), 0 without a set; NaN
                           ///< if it cannot be checked
  double step = std::numeric_limits<double>::quiet_NaN();  ///< length or weight of the last one, where the
                                                           ///< algorithm reports it
  double seconds = 0.0;                                    ///< of the run, without measuring
  double measuring_seconds = 0.0;
  double checkpoint_seconds = 0.0;
  double elapsed_seconds = 0.0;  ///< wall time, measuring and checkpoints included: what stop.seconds limits
  double work = 0.0;            ///< of the steps, counted in component gradients: by it gap checks are spaced
  double measuring_work = 0.0;  ///< likewise, of measuring
  Counts counts;
  Certification certification;  ///< the certification of the counts.po proximal steps
  ComponentSeconds component_seconds;
};

/// Targets for what is not measured on `problem`: a gap where only a residual is, and the other way round.
CLAROS_API std::vector<Complaint> unmeasured_targets(const Problem& problem, const StopOptions& stop);

}  // namespace claros
