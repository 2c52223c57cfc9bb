// SPDX-License-Identifier: BSD-3-Clause
/// @file side_features.hpp  Numbers that describe the rows, or the columns, of a matrix of ratings: X = A M
/// B'.
#pragma once

#include <claros/api.hpp>
#include <claros/element/element.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

enum class Side { rows, cols };

/// A sparse matrix A with a row for each row (column) of X, by rows: entries [start[i], start[i + 1]).
struct CLAROS_API Features {
  Index width = 0;  ///< columns of A
  std::vector<Index> start = {0};
  std::vector<std::int32_t> column = {};
  std::vector<double> value = {};
  std::vector<std::string> ids = {};    ///< of the rows; empty if line k of the file is that of index k
  std::vector<std::string> names = {};  ///< the names of the columns; empty: 1, 2, ...

  Index rows() const noexcept { return static_cast<Index>(start.size()) - 1; }
  std::string name(Index k) const;
  /// c I: an own column for each row.
  static Features indicators(Index rows, double c);
  /// sum_k a_ik^2 of every row.
  std::vector<double> squared_norms() const;
  /// y <- A x, and x <- A'y.
  void apply(std::span<const double> x, std::span<double> y) const;
  void apply_adjoint(std::span<const double> y, std::span<double> x) const;
  /// An upper bound on the largest singular value.
  double norm_bound() const;
};

/// Ability of objectives whose variable is M, of X = A M B'.
class CLAROS_API SideFeatures {
 public:
  static constexpr std::string_view kAbility = "claros.side-features/1";
  virtual ~SideFeatures();
  /// The features as they were read; null if a side has none.
  virtual const Features* features(Side side) const = 0;
  /// M B' (Side::rows), or A M: the matrix by which features of a row, or of a column, are multiplied.
  /// Indicators, if there are any, follow the features that were read.
  virtual Element across(const Element& m, Side side) const = 0;
};

}  // namespace claros
