// SPDX-License-Identifier: BSD-3-Clause
#include "axis_labels.hpp"

#include <claros/run/trace.hpp>

namespace claros::cli {

std::string axis_label(const std::string& column) {
  for (const TraceColumn& known : trace_columns())
    if (column == known.name) return known.label;
  return column;
}

}  // namespace claros::cli
