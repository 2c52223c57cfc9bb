// SPDX-License-Identifier: BSD-3-Clause
/// @file trace.hpp  The numbers known of a run over time.
#pragma once

#include <claros/api.hpp>
#include <claros/watch/counts.hpp>

#include <limits>
#include <string>
#include <variant>
#include <vector>

namespace claros {

/// One measured point. NaN if a column does not apply. Seconds are those of the run, without measuring.
struct TraceRow {
  Index iteration = 0;
  Index epoch = 0;
  double passes = 0.0;  ///< (sfo + hvp) / n
  double seconds = 0.0;
  double value = std::numeric_limits<double>::quiet_NaN();
  double gap = std::numeric_limits<double>::quiet_NaN();
  double residual = std::numeric_limits<double>::quiet_NaN();    ///< see Measurement (algorithm.hpp)
  double unsmoothed = std::numeric_limits<double>::quiet_NaN();  ///< likewise
  /// ||g - grad f(x)||_F of the step that led here.
  double estimator_error = std::numeric_limits<double>::quiet_NaN();
  double rmse_truth = std::numeric_limits<double>::quiet_NaN();  ///< see Measurement (algorithm.hpp)
  double test_rmse = std::numeric_limits<double>::quiet_NaN();
  double step = std::numeric_limits<double>::quiet_NaN();  ///< length or weight of the step that led here
  /// Low-rank columns held, at most min(m, n): a bound of the rank; else nonzero values.
  Index rank_or_support = -1;
  Index rank_asked = -1, rank_needed = -1;  ///< Certification's, of the last spectral proximal step
  double certified = std::numeric_limits<double>::quiet_NaN();  ///< share of the proximal steps so far that
                                                                ///< were verified to be exact
  /// Certification::error so far, where asked for.
  double certificate_error = std::numeric_limits<double>::quiet_NaN();
  Counts counts;
};

/// One column of a trace. A whole number below 0 is empty, and so is NaN.
struct CLAROS_API TraceColumn {
  const char* name;
  std::variant<Index TraceRow::*, double TraceRow::*, Index Counts::*> member;
  const char* label;              ///< on an axis
  bool only_where_known = false;  ///< not in a CSV whose rows are all empty there

  bool whole() const { return !std::holds_alternative<double TraceRow::*>(member); }
  double value(const TraceRow& row) const;  ///< NaN: empty
  void set(TraceRow& row, double value) const;
};
/// All of them in their order, the counters (counts.hpp) among them.
CLAROS_API const std::vector<TraceColumn>& trace_columns();

/// The header and the rows as CSV, numbers in the shortest form that reads back to the same bits.
CLAROS_API std::string trace_csv(const std::vector<TraceRow>& rows);

}  // namespace claros
