// SPDX-License-Identifier: BSD-3-Clause
/// @file features.hpp  Features: numbers that describe the rows, or the columns, of a matrix of ratings, and
/// their files.
#pragma once

#include <claros/api.hpp>
#include <claros/context.hpp>
#include <claros/predictor.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace claros {

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

/// Reads features from a text file of three fields a line (id, feature, value; a list has no order). Any
/// other file of read_matrix or of sparse coordinates (Matrix Market, .npz) works too. Its line k belongs to
/// the row of index k. Errors name the option `key`. Throws Error(data) for missing and infinite numbers.
CLAROS_API Features read_features(const std::filesystem::path& file, const std::string& key,
                                  const Context& context = {});

/// The features in the order of `ids`, for which they were asked. Ids that only the features have are added
/// to `ids`, without entries. Throws Error(data, file) for an id that has entries and no features.
CLAROS_API Features in_order_of(Ids& ids, Features features, const std::string& side,
                                const std::string& file);

}  // namespace claros
