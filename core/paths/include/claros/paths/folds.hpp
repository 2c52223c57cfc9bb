// SPDX-License-Identifier: BSD-3-Clause
/// @file folds.hpp  Cross-validation of a path: what each lambda costs on rows that were held back.
#pragma once

#include <claros/api.hpp>
#include <claros/paths/path.hpp>
#include <claros/paths/rows_of_model.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace claros {

/// The fold 0, ..., folds - 1 of every row, drawn from the seed alone; sizes differ by 1 at most.
CLAROS_API std::vector<Index> draw_folds(Index rows, Index folds, std::uint64_t seed);

/// Those rows of a design, copied, in that order; the responses too.
CLAROS_API Design chosen_rows(const Design& design, const std::vector<Index>& rows);

/// Over the folds, weighed by their rows.
struct CLAROS_API FoldMean {
  double mean = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();  ///< standard error of the mean
};

struct CLAROS_API CrossValidation {
  Index folds = 0;
  std::string other;             ///< "accuracy", "mse", or empty
  std::vector<FoldMean> loss;    ///< a lambda: mean psi of the rows held back
  std::vector<FoldMean> beside;  ///< likewise, of `other`
  std::size_t least = 0;         ///< the lambda of the least mean loss
  std::size_t simplest =
      0;  ///< the largest lambda whose mean is within one standard error of it (Breiman et al. 1984)
  Index missed = 0;  ///< fits that ended without their target
};

/// Weighted mean and standard error of one number a fold: with shares p_k of the rows,
/// error^2 = sum_k p_k (m_k - mean)^2 / (K - 1). NaN where a number is.
CLAROS_API FoldMean fold_mean(const std::vector<double>& numbers, const std::vector<Index>& sizes);
/// Sets `least` and `simplest`; throws Error(numerical) where no lambda has a loss.
CLAROS_API void select_lambdas(CrossValidation& validation);

/// A model of rows with its folds.
class CLAROS_API Folds {
 public:
  /// Throws Error(usage) where the composition is not a model of rows, for more folds than rows, and where
  /// the rows of a training lack a class.
  Folds(const Composition& whole, Index folds);

  /// The path on the other rows of each fold, held against its own; false where it was interrupted. The
  /// training rows are copied, one fold at a time: a copy costs one pass, and rows of weight 0 would be read
  /// in all passes after it. Columns stay scaled as on all rows.
  bool run(const Catalog& catalog, const std::string& parameter, const std::vector<double>& lambdas,
           const PathSettings& settings, const std::function<void(Index fold)>& on_fold,
           CrossValidation& validation) const;

 private:
  std::vector<Index> rows_in(Index fold, bool held_back) const;
  Composition training(const Catalog& catalog, Index fold) const;
  void require_classes() const;

  const Composition& whole_;
  RowsOfModel rows_;
  Index count_;
  std::vector<Index> fold_of_;
};

}  // namespace claros
