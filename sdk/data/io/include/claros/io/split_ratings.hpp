// SPDX-License-Identifier: BSD-3-Clause
/// @file split_ratings.hpp  A list of ratings divided into two: to train on, and to be held out.
#pragma once

#include <claros/api.hpp>

#include <cstdint>
#include <filesystem>
#include <string>

namespace claros {

struct SplitRule {
  double share = 0.2;      ///< of the lines, held out
  bool one_a_row = false;  ///< instead: one line of every row that has another (leave one out)
  bool newest = false;  ///< the newest by the fourth field, or the time of `columns` or a header, instead of
                        ///< lines that the seed draws
  std::uint64_t seed = 0;
  std::string delimiter = "auto", header = "auto", columns = {};  ///< as in RatingsOptions
};
struct SplitCounts {
  Index kept = 0, held = 0;
};

/// Writes every record of `file` (row, column, perhaps value and time; may be compressed) as it is to `out`
/// or to `held`. Each has the header of the file. Blank lines are left out. Lines end in LF. If
/// times are equal, the later line is the newer. Throws Error(data) if a file would be empty. Throws
/// Error(usage) for a share out of range, for the name of a compressed file to write, and if two of the three
/// names are of one file.
CLAROS_API SplitCounts split_ratings(const std::filesystem::path& file, const std::filesystem::path& out,
                                     const std::filesystem::path& held, const SplitRule& rule);

}  // namespace claros
