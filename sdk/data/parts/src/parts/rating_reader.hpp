// SPDX-License-Identifier: BSD-3-Clause
/// @file rating_reader.hpp  The units of ratings in parts that one rank reads: files, or pieces of their
/// text.
#pragma once

#include "io/list_columns.hpp"
#include "parts/block_queue.hpp"
#include "parts/rating_ids.hpp"
#include "parts/text_pieces.hpp"

#include <claros/context.hpp>
#include <claros/io/ratings.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace claros {

/// The ratings that a rank has read, in the order of the files.
struct RatingQueue {
  RatingIds rows, cols;
  BlockQueue<double> value, fourth;         ///< the fourth field, of options that read it
  std::vector<GuessedHeader> headers = {};  ///< of this rank's units
};

/// The facts known of a unit once it was read.
struct UnitFacts {
  Index entries = 0;
  Index fields = 0;          ///< of a line; 0 of a file that holds positions
  Index rows = 0, cols = 0;  ///< the sizes in a file that holds positions
  Index decimals = 0;        ///< bits: a point in a value, a comma, one before decimals; in a fourth likewise
};

bool reads_fourth_field(const RatingsOptions& options);

/// Throws Error(data) for a file that is neither text (lines of row, column, value; Matrix Market of
/// coordinates) nor a sparse .npz.
void expect_ratings_in_parts(const std::filesystem::path& file);
/// True if a file may be cut at ends of lines: lines of row, column, value that are not compressed.
bool is_plain_list(const std::filesystem::path& file);

/// Appends the ratings of a unit of `file`. Throws Error(data) at the line that does not fit.
UnitFacts read_unit(const std::filesystem::path& file, const TextPiece& unit, const RatingsOptions& options,
                    const Context& context, RatingQueue& to);

/// The places at which a unit holds ratings of a position: "part-2.tsv:17"; at most two places.
std::vector<std::string> places_in_unit(const std::filesystem::path& file, const TextPiece& unit,
                                        const RatingsOptions& options, const RatingIds& rows,
                                        const RatingIds& cols, Index row, Index col);

}  // namespace claros
