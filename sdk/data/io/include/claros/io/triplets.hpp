// SPDX-License-Identifier: BSD-3-Clause
/// @file triplets.hpp  Triplets as they stand in a file, before they are sorted.
#pragma once

#include <claros/io/ratings.hpp>
#include <claros/io/text_input.hpp>

#include <claros/error.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace claros {

/// The limit on rows, columns and entries: indices are kept in 32 bits.
inline constexpr Index kLargestIndex = std::numeric_limits<std::int32_t>::max();

/// Entries in the order of the file, each with its line there.
struct Triplets {
  Index rows = 0, cols = 0;
  std::vector<std::int32_t> row, col;
  std::vector<double> value;
  std::vector<std::uint32_t> line;
  std::vector<double> weight = {};  ///< or empty for 1
};

/// The complaint about the triplets number `first` and `second`, which stand at one position.
using DuplicateError = std::function<Error(const Triplets& triplets, std::size_t first, std::size_t second)>;

/// The entries sorted by (row, col), duplicates treated as RatingsOptions::duplicates says; without ids.
Ratings sorted(Triplets triplets, std::string_view duplicates, const DuplicateError& error);
/// Sorts the entries of a text file.
Ratings sorted(const TextInput& input, Triplets triplets, std::string_view duplicates);

/// Throws Error(data) at `where`(k) of a weight that is negative or not finite, or where all are 0.
void expect_weights(std::span<const double> weights, const std::function<std::string(std::size_t)>& where);

/// The complaint about entries of the file `where` that are known by their number only.
DuplicateError same_position(const std::string& where);

/// Throws Error(data) for a side above 10^8 that is more than a hundred times the number of entries and
/// larger than declared. It is more likely a damaged number than a matrix, and vectors of that size would be
/// made. The text `remedy` says how a side is declared; it is empty if that cannot be done.
void expect_plausible_sizes(const Triplets& triplets, const std::string& where, const std::string& remedy,
                            Index declared_rows = 0, Index declared_cols = 0);
/// Checks one side.
void expect_plausible_size(const std::string& side, Index size, std::size_t entries, const std::string& where,
                           const std::string& remedy);

/// The sizes of a coordinate file without entries, as which a solution that is 0 is written; nothing for
/// another layout. Throws Error(data) for one with entries.
CLAROS_API std::optional<std::pair<Index, Index>> zero_matrix(const std::filesystem::path& file);

/// True if `line`, the first of a file, is a Matrix Market banner.
CLAROS_API bool is_matrix_market(std::string_view line);
/// The entries of a coordinate file of which no line was read yet.
Triplets read_coordinates(TextInput& input);

}  // namespace claros
