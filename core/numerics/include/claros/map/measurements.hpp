// SPDX-License-Identifier: BSD-3-Clause
/// @file measurements.hpp  Linear measurements of a matrix: the data of matrix sensing.
#pragma once

#include <claros/element/pattern.hpp>
#include <claros/map/design.hpp>

#include <memory>

namespace claros {

/// Responses y_i of <A_i, X>, X rows x cols, i < n. The rows of designs hold the parts of the A_i:
/// - dense: left has vec(A_i), column-major, rows * cols numbers.
/// - sparse: left has the values of A_i on the positions of a pattern that all share, sparse.
/// - rank_one: A_i = a_i b_i', a_i in left, b_i in right.
/// - symmetric: A_i = a_i a_i', a_i in left; rows = cols. Phase retrieval measures in this way.
/// The responses are those of left.
struct Measurements {
  enum class Kind { dense, sparse, rank_one, symmetric };
  Kind kind = Kind::dense;
  Index rows = 0, cols = 0;
  std::shared_ptr<const Design> left;
  std::shared_ptr<const Design> right = {};     ///< for rank_one only
  std::shared_ptr<const Pattern> pattern = {};  ///< for sparse only
};

}  // namespace claros
