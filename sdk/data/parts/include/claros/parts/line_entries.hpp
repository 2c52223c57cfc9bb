// SPDX-License-Identifier: BSD-3-Clause
/// @file line_entries.hpp  Entries of a matrix by lines: its rows, or its columns where it is wide.
#pragma once

#include <claros/api.hpp>

#include <cstdint>
#include <vector>

namespace claros {

/// The entries of the lines [first_line, last_line), sorted by (line, across), each position once.
struct LineEntries {
  Index first_line = 0, last_line = 0;
  std::vector<std::int32_t> line, across;
  std::vector<double> value;
  std::vector<double> weight = {};  ///< or empty for 1

  std::size_t size() const { return value.size(); }
  Index lines() const { return last_line - first_line; }
};

/// The first line of each chunk, and the number of lines. Chunk k of `count` begins with the first line
/// before which there are at least k/count of all entries. The numbers in `starts` are the entries before
/// each line, and all. A line is in one chunk whole, so that a chunk may be empty.
CLAROS_API std::vector<Index> chunk_lines(const std::vector<Index>& starts, Index count);

}  // namespace claros
