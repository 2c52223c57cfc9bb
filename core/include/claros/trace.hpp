// SPDX-License-Identifier: BSD-3-Clause
/// @file trace.hpp  What is known of a run over time.
#pragma once

#include <claros/api.hpp>
#include <claros/counts.hpp>

#include <limits>
#include <string>
#include <vector>

namespace claros {

/// One measured point. NaN where a column does not apply. Seconds are those of the run, without measuring.
struct TraceRow {
  Index iteration = 0;
  Index epoch = 0;
  double passes = 0.0;  ///< (sfo + hvp) / n
  double seconds = 0.0;
  double value = std::numeric_limits<double>::quiet_NaN();
  double gap = std::numeric_limits<double>::quiet_NaN();
  double residual = std::numeric_limits<double>::quiet_NaN();  ///< see Measurement (algorithm.hpp)
  double estimator_error = std::numeric_limits<double>::quiet_NaN();  ///< ||g - grad f(x)||_F of the step that led here
  double rmse_truth = std::numeric_limits<double>::quiet_NaN();       ///< see Measurement (algorithm.hpp)
  double test_rmse = std::numeric_limits<double>::quiet_NaN();
  double step = std::numeric_limits<double>::quiet_NaN();             ///< length or weight of the step that led here
  Index rank_or_support = -1;  ///< low-rank columns held, at most min(m, n): a bound of the rank; else nonzero values
  Counts counts;
};

/// The header and the rows as CSV, numbers in the shortest form that reads back to the same bits.
CLAROS_API std::string trace_csv(const std::vector<TraceRow>& rows);

}  // namespace claros
