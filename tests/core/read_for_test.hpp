// SPDX-License-Identifier: BSD-3-Clause
/// @file read_for_test.hpp  What the tests of readers ask for and compare with.
#pragma once

#include <claros/io/design_io.hpp>
#include <claros/io/ratings.hpp>

#include "test_files.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace claros::testing {

using Names = std::vector<std::string>;
using Positions = std::vector<std::int32_t>;
using Values = std::vector<double>;

/// The entries, row by row.
inline Values expanded(const Design& design) {
  Values all, row(static_cast<std::size_t>(design.cols));
  for (Index i = 0; i < design.rows; ++i) {
    design.row(i, row);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

inline RatingsOptions with_ids(const std::string& ids) {
  RatingsOptions options;
  options.ids = ids;
  return options;
}

}  // namespace claros::testing
