// SPDX-License-Identifier: BSD-3-Clause
/// @file features.hpp  Numbers that describe the rows, or the columns, of a matrix of ratings: X = A M B'.
#pragma once

#include <claros/context.hpp>
#include <claros/map/linear_operator.hpp>
#include <claros/results/prediction.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

/// A sparse matrix A with a row for each row (column) of X, by rows: entries [start[i], start[i + 1]).
struct CLAROS_API Features {
  Index width = 0;  ///< columns of A
  std::vector<Index> start = {0};
  std::vector<std::int32_t> column = {};
  std::vector<double> value = {};
  std::vector<std::string> ids = {};    ///< of the rows; empty where line k of the file is that of index k
  std::vector<std::string> names = {};  ///< of the columns; empty: 1, 2, ...

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

/// Reads features from a text file of three fields a line (id, feature, value; a list has no order), or from
/// any other file of read_matrix or of sparse coordinates (Matrix Market, .npz), of which line k belongs to
/// the row of index k. `key` names the option in errors. Throws Error(data) for missing and infinite numbers.
CLAROS_API Features read_features(const std::filesystem::path& file, const std::string& key,
                                  const Context& context = {});

/// The features in the order of `ids`, for which they were asked. Ids that only the features have are added
/// to `ids`, without entries. Throws Error(data, file) for an id that has entries and no features.
CLAROS_API Features in_order_of(Ids& ids, Features features, const std::string& side,
                                const std::string& file);

/// Ability of objectives whose variable is M, of X = A M B'.
class CLAROS_API SideFeatures {
 public:
  static constexpr std::string_view kAbility = "claros.side-features/1";
  virtual ~SideFeatures();
  /// As read; null where a side has none.
  virtual const Features* features(Side side) const = 0;
  /// M B' (Side::rows), or A M: what features of a row, or of a column, are multiplied by; indicators, if
  /// there are any, stand behind those that were read.
  virtual Element across(const Element& m, Side side) const = 0;
};

/// Writes row_features.csv and column_features.csv to `folder`: the factors that every feature adds to a row
/// of P, or of Q (Solution::factors), where X = `x` and M = `m`.
CLAROS_API void write_features(const std::filesystem::path& folder, const SideFeatures& of, const Element& m,
                               const Element& x);

/// Rows (columns) that the solution in `folder` does not have, by their features. Those that it has stay as
/// they are. Throws Error(data) for a run without features of that side, and for features that it does not
/// know.
struct Described {
  Index added = 0, present = 0;
};
CLAROS_API Described add_described(Solution& solution, const std::filesystem::path& folder, Side side,
                                   const Features& features, const std::string& where);

}  // namespace claros
