// SPDX-License-Identifier: BSD-3-Clause
#include "plot/axis_labels.hpp"

#include <claros/run/trace.hpp>

#include "papers/experiment.hpp"

namespace claros::cli {

std::string axis_label(const std::string& column) {
  if (column == kIndexPasses) return "passes, an index of a difference counted once";
  if (column == kOracleCalls) return "linear minimisations and projections";
  if (column == kRankIterations) return "iterations x rank of the SVD";
  for (const TraceColumn& known : trace_columns())
    if (column == known.name) return known.label;
  return column;
}

}  // namespace claros::cli
