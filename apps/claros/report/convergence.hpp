// SPDX-License-Identifier: BSD-3-Clause
/// @file convergence.hpp  Traces of runs as a figure whose axes a reader chooses.
#pragma once

#include "report/report_data.hpp"

#include <claros/results/trace_table.hpp>

#include <string>
#include <vector>

namespace claros::cli {

/// The columns of a trace that a figure can have on an axis, kReportPoints rows of them or a few more.
ReportColumns drawn_columns(const TraceTable& trace);

/// The figure of these curves, without the columns that say nothing in any of them, and with at most about
/// `numbers` numbers. The axes shown are passes (else iterations) and the gap (else the residual, else the
/// value). Without a curve that holds a number it has no axes.
ReportFigure convergence(const std::string& title, std::vector<ReportCurve> curves,
                         std::size_t numbers = kReportNumbers);

}  // namespace claros::cli
