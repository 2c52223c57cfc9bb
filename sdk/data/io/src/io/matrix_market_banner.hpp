// SPDX-License-Identifier: BSD-3-Clause
/// @file matrix_market_banner.hpp  The first line of a Matrix Market file.
#pragma once

#include <claros/io/matrix_market.hpp>
#include <claros/io/text_input.hpp>

#include <string>

namespace claros {

/// Layout and format as the banner gives them; only combinations that exist.
struct Banner {
  std::string layout;  ///< array, coordinate
  MatrixMarketFormat format;

  bool is_symmetric() const { return format.symmetry == "symmetric"; }
  bool is_skew() const { return format.symmetry == "skew-symmetric"; }
  bool is_pattern() const { return format.field == "pattern"; }
  bool is_integer() const { return format.field == "integer"; }
  /// True if an entry in (row, col), counted from any number, may be in the file.
  bool holds(Index row, Index col) const { return is_skew() ? row > col : !is_symmetric() || row >= col; }
};

/// The fault of a banner of those words; empty if it has none.
std::string fault_of(const Banner& banner);

/// Reads the first line; Error(data) unless it is a banner of that layout.
Banner read_banner(TextInput& input, const std::string& layout);

}  // namespace claros
