// SPDX-License-Identifier: BSD-3-Clause
/// @file observed_entries.hpp  The observed entries: from a list, a matrix or a [data] section.
#pragma once

#include <claros/context.hpp>
#include <claros/io/ratings.hpp>
#include <claros/io/training.hpp>
#include <claros/loss.hpp>
#include <claros/parts/rating_parts.hpp>

#include "options.hpp"

#include <string>

namespace matrix_completion {

using namespace claros;

/// Throws Error(usage) if both or none of a file and the [data] section give entries.
Ratings observations(const Options& options, const Context& context);

/// Drops entries of weight 0, which are like none.
void drop_weightless(Ratings& ratings);

/// Names and numbers of entries of rows and columns, without a baseline; of one file also the range of
/// values.
Training training_of(const Ratings& ratings, const RatingsOptions& options);
Training training_of(const RatingParts& parts, const RatingsOptions& options);

/// Throws Error(data) for a value that is no target of the loss.
void require_accepted(const Ratings& ratings, const Loss& loss, const std::string& file);

}  // namespace matrix_completion
