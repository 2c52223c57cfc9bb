// SPDX-License-Identifier: BSD-3-Clause
/// @file row_parts.hpp  Objectives of rows that are no sum of a loss over them, and their folds.
#pragma once

#include <claros/api.hpp>
#include <claros/objective.hpp>

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

/// The measures by which cross-validation chooses, on the rows held back. `rmse` is the root of `mse`, `r2`
/// is 1 - mse / variance of the responses there, and `concordance` is that of survival times (survival.hpp).
enum class FoldMetric { loss, accuracy, auc, mse, mae, rmse, r2, concordance };

/// Two numbers of one solution on the rows held back.
struct HeldBack {
  double loss = std::numeric_limits<double>::quiet_NaN();
  double other = std::numeric_limits<double>::quiet_NaN();
};

/// The rows of one fold, held back.
class CLAROS_API FoldJudge {
 public:
  virtual ~FoldJudge();
  /// Judges a solution that was fitted to the other rows.
  virtual HeldBack operator()(const Element& x) = 0;
};

/// Ability of objectives of rows that are not a sum of a loss over them. Examples are a partial likelihood,
/// the likelihood of a covariance matrix, and a root mean square. Rows are counted from 0.
class CLAROS_API RowParts {
 public:
  static constexpr std::string_view kAbility = "claros.row-parts/1";
  static constexpr std::string_view kWords = "parts of rows for folds";
  virtual ~RowParts();
  virtual Index rows() const = 0;
  /// One a row; empty for 1.
  virtual std::span<const double> weights_of_rows() const { return {}; }
  /// One a row: drawn folds keep rows with the same number together. Empty for none.
  virtual std::vector<Index> groups_of_rows() const { return {}; }
  /// The measures available beside the loss, the usual one first; may be empty.
  virtual std::vector<FoldMetric> measures() const = 0;
  /// Throws Error(data) if `part` of these rows would; cheap.
  virtual void require(const std::vector<Index>& rows) const = 0;
  /// The function on those rows alone, with the variable of the whole: columns stay scaled as on all rows.
  virtual std::shared_ptr<Objective> part(const std::vector<Index>& rows) const = 0;
  /// Judges on these rows; `trained` is `part` of all others. The objective and `trained` outlive the judge.
  virtual std::unique_ptr<FoldJudge> judge(const std::vector<Index>& rows, Objective& trained,
                                           FoldMetric beside) = 0;
};

}  // namespace claros
