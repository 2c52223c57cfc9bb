// SPDX-License-Identifier: BSD-3-Clause
/// @file ranking.hpp  Functions that recommend, and predict --ranking, share.
#pragma once

#include "cli/arguments.hpp"

#include <claros/json_text.hpp>
#include <claros/results/recommendation.hpp>

#include <string>

namespace claros::cli {

/// The number of columns of a list: that of the option, else `otherwise`. Throws Error(usage).
Index list_length(const Arguments& arguments, const std::string& option, Index otherwise);
/// How pairs are read: --delimiter, --header and --columns.
PairsOptions pairs_options(const Arguments& arguments);
/// Reports the line that was taken for a header of the pairs, unless --header says so.
void report_header(const std::string& file, const Pairs& pairs, const Arguments& arguments);
/// The pairs of --without; none without it.
SeenColumns seen_of(const Arguments& arguments, const Training& training);

/// The quality of predict --ranking K: lists of K are compared with the pairs.
RankingQuality ranking_of(const Arguments& arguments, const Solution& solution, const Pairs& held);
Json ranking_json(const RankingQuality& quality);
std::string ranking_text(const RankingQuality& quality, Index count);

}  // namespace claros::cli
