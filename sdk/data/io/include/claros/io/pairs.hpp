// SPDX-License-Identifier: BSD-3-Clause
/// @file pairs.hpp  Positions of a matrix by the ids of its data.
#pragma once

#include <claros/api.hpp>
#include <claros/io/text_input.hpp>
#include <claros/predictor.hpp>

#include <string>
#include <vector>

namespace claros {

/// Positions to predict, in the order of their file.
struct Pairs {
  std::vector<std::string> row_ids, col_ids;  ///< as written
  std::vector<Index> row, col;                ///< from 0; -1 for one that the training data does not have
  std::vector<double> known;                  ///< the third column; empty when the file has two
  std::string header;                         ///< the first line, when it was taken for a header
  Index skipped = 0;                          ///< pairs that were left out (PairsOptions)
};

struct PairsOptions {
  std::string delimiter = "auto", header = "auto";  ///< as in RatingsOptions
  bool strict = false;  ///< every row and column must have an entry in the training data
  std::string columns = {}, decimal = "auto";  ///< as in RatingsOptions; a value may be missing
  /// Pairs of which nothing is known (an id outside of the matrix, and no baseline) are left out and counted.
  bool skips_unknown = false;
};

/// Reads one pair a line: row id, column id and perhaps a known value. With `auto` the first line is a header
/// as in read_ratings (ratings.hpp), and if none of its fields is a known id. An id outside the matrix is an
/// Error(data, "file:line", ...) unless a baseline says something of it or unknown ids are skipped. If all
/// ids are integers, one that is none is an error too.
CLAROS_API Pairs read_pairs(TextInput& input, const Training& training, const PairsOptions& options = {});

/// What the objective of `training` makes of values: of counts (FoldingRule::confidence) 1 or 0, else the
/// values.
CLAROS_API std::vector<double> preferences(const Training& training, std::vector<double> values);

}  // namespace claros
