// SPDX-License-Identifier: BSD-3-Clause
/// @file predictor.hpp  The data that predictions of ratings need beside the matrix X: the ids of the
/// training data, and the baseline that was subtracted from its values before X was fitted.
#pragma once

#include <claros/api.hpp>
#include <claros/element/element.hpp>
#include <claros/element/pattern.hpp>

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

/// x_ij = mean + row_i + col_j + X_ij: the part that is not X.
struct CLAROS_API Baseline {
  std::string center = "none";  ///< none: all is 0; mean: no biases; biases
  double mean = 0.0;
  std::vector<double> row, col;  ///< one a row and one a column, or empty

  bool is_none() const noexcept { return center == "none"; }
  /// mean + row_i + col_j; -1 stands for a row (column) that the data does not have, whose bias is 0.
  double at(Index i, Index j) const;
  /// The baseline of all entries, as a matrix of rank two.
  Element element(const Shape& shape) const;
};

/// The names of the rows or the columns, and how often the training data has each.
struct CLAROS_API Ids {
  Index count = 0;
  Index first = 1;                 ///< the first index, if ids are indices
  std::vector<std::string> names;  ///< as in Ratings: empty when ids are indices
  std::vector<Index> entries;      ///< the number of entries of each; empty if unknown

  std::string name(Index k) const;
  /// True if the data holds an entry of row or column k; false for k = -1.
  bool seen(Index k) const;
};

/// The way entries enter the objective, for rows and columns that come after the run (results/fold_in.hpp).
/// It is in the units of the weights w as they were given.
struct FoldingRule {
  double total_weight = 0.0;              ///< sum w over the entries; 0 when unknown
  double unobserved = 0.0;                ///< weight of a position that is not observed
  double row_bias = 0.0, col_bias = 0.0;  ///< lambda_b and lambda_c times the mean of w
  std::optional<double> confidence = {};  ///< of counts; nothing if values are values
  double ridge = 0.0;                     ///< lambda of the nuclear norm times total_weight
};

struct CLAROS_API Training {
  Ids rows, cols;
  double low = 0.0, high = 0.0;  ///< the range of the values; both NaN when unknown
  Baseline baseline;
  FoldingRule folding = {};
  /// The positions of the entries, and their values without the baseline, which live as long as the
  /// objective. `entries` is null and `targets` is empty if they are unknown.
  std::shared_ptr<const Pattern> entries;
  std::span<const double> targets, weights;  ///< weights empty for 1
  /// A bound on ||Y||_*, where Y has the values without the baseline at the entries and 0 elsewhere, of a
  /// loss that Y minimises; NaN if none is known.
  double nuclear_norm_of_values = std::numeric_limits<double>::quiet_NaN();

  /// The members that outlive the objective: all but the entries.
  Training without_entries() const { return {rows, cols, low, high, baseline, folding, nullptr, {}, {}}; }
};

/// Ability of objectives whose variable is a matrix of predictions by id.
class CLAROS_API Predictor {
 public:
  static constexpr std::string_view kAbility = "claros.predictor/1";
  static constexpr std::string_view kWords = "predictions by id";
  virtual ~Predictor();
  /// Lives as long as the objective, and never changes.
  virtual const Training& training() const = 0;
};

enum class Side { rows, cols };
struct Features;  // of the data library: claros/io/features.hpp

/// Ability of objectives whose variable is M, of X = A M B'. The numbers A and B describe the rows and the
/// columns of a matrix of ratings X.
class CLAROS_API SideFeatures {
 public:
  static constexpr std::string_view kAbility = "claros.side-features/1";
  static constexpr std::string_view kWords = "features of rows and columns";
  virtual ~SideFeatures();
  /// The features as they were read; null if a side has none.
  virtual const Features* features(Side side) const = 0;
  /// M B' (Side::rows), or A M: the matrix by which features of a row, or of a column, are multiplied.
  /// Indicators, if there are any, follow the features that were read.
  virtual Element across(const Element& m, Side side) const = 0;
};

}  // namespace claros
