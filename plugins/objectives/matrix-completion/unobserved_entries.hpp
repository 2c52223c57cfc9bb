// SPDX-License-Identifier: BSD-3-Clause
/// @file unobserved_entries.hpp  Implicit feedback, where positions that are not observed count as 0. Each
/// `require` throws Error(usage).
#pragma once

#include <claros/context.hpp>
#include <claros/io/ratings.hpp>
#include <claros/loss.hpp>

#include "options.hpp"

namespace matrix_completion {

using namespace claros;

void require_implicit(const Options& options);
/// Throws Error(data) if none of `all` counts is above 0; `views` of them are.
void expect_views(Index all, Index views, const Context& context);
/// Notes that values taken as ratings look like counts: 50 or more whole numbers, a third of them 1.
void notice_counts(const std::vector<double>& values, const Context& context);
/// For positions that are not observed.
void require_squares(const Options& options, const Loss& loss);
/// For other losses a value without its baseline is not a target.
void require_difference(const Options& options, const Loss& loss);

/// Sets the weights and targets of some of the n entries, whose weights had the mean `mean_weight`. Returns
/// their contribution to the constant.
double observe(const Options& options, double mean_weight, double n, Ratings& ratings);

}  // namespace matrix_completion
