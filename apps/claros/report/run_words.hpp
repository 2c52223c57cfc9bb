// SPDX-License-Identifier: BSD-3-Clause
/// @file run_words.hpp  result.json of a run in words and tables.
#pragma once

#include <claros/json_text.hpp>

#include "report/report_data.hpp"

#include <string>

namespace claros::cli {

/// A number of `json`; NaN if it is null or missing.
double number_in(const Json& json, const std::string& name);

/// "linear-model with the penalty l1, by proximal-gradient with the gradients of saga"; without the method up
/// to the comma.
std::string problem_words(const Json& versions, bool method = true);
/// How the run ended and what is certified, in a few sentences.
std::string ending_words(const Json& result);

/// Divides the wall time of a run by its uses.
ReportBars time_bars(const Json& result);
ReportTable counts_table(const Json& counts);
/// The software that computed: versions, then the arithmetic.
ReportTable versions_table(const Json& result);
/// Failures and notes; notices are a text of their own.
void add_remarks(Report& report, const Json& result);

}  // namespace claros::cli
