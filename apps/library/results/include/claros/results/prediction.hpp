// SPDX-License-Identifier: BSD-3-Clause
/// @file prediction.hpp  The solution in a run folder as predictions, asked by the ids of its data.
#pragma once

#include <claros/io/features.hpp>
#include <claros/io/pairs.hpp>
#include <claros/io/text_input.hpp>
#include <claros/io/training.hpp>

#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace claros {

/// Rows, or columns, that a solution gets after the run.
struct NewFactors {
  std::vector<std::string> names;
  std::vector<double> factors;  ///< of each as many numbers as the rank, in the units of Solution::factors
  std::vector<double> biases;   ///< one each; empty if the baseline has none
  std::vector<Index> entries;   ///< that each was fitted to
};

/// A matrix read back from the files of write_solution (run_folder.hpp), and of write_training beside it.
class CLAROS_API Solution {
 public:
  /// Reads `folder`/solution: U.mtx, s.mtx and V.mtx, or x.mtx. Throws Error(data) if neither is there or
  /// they do not fit each other. It throws if the folder holds no finished run, or the files of another one
  /// (run_identity.hpp). It also throws if `folder`/spec.ini names an objective of ratings and their ids are
  /// missing.
  static Solution read(const std::filesystem::path& folder);
  /// The matrix of a run that goes on, for predictions; `training` is that of its objective.
  static Solution of(const Element& x, const Training& training);
  Index rows() const noexcept { return rows_; }
  Index cols() const noexcept { return cols_; }
  const Training& training() const noexcept { return training_; }
  /// X_ij, without the baseline; i and j from 0, within the sizes.
  double at(Index i, Index j) const;
  /// X_ij + mean + row_i + col_j; -1 stands for a row (column) that the data does not have: X_ij and its bias
  /// are 0.
  double predict(Index i, Index j) const;
  /// out <- predict(i, .) of those rows, one after the other, cols() numbers each. -1 as above.
  void predict_rows(std::span<const Index> rows, std::span<double> out) const;

  Index rank() const noexcept { return rank_; }
  /// X = P Q' with P = U sqrt(S), Q = V sqrt(S): P or Q, rank() numbers a row (column). A dense solution
  /// becomes its singular pairs.
  std::vector<double> factors(Side side);
  /// Adds those whose name is new and replaces the others; returns their positions. After `factors`.
  std::vector<Index> put(Side side, const NewFactors& made);

 private:
  static Solution read_matrix(const std::filesystem::path& folder);

  void make_factors();

  Index rows_ = 0, cols_ = 0, rank_ = 0;
  bool dense_ = false;
  std::vector<double> left_, right_;  ///< row by row, left_ scaled by s; the dense matrix by columns is left_
  std::vector<double> s_;             ///< rank_ of them
  Training training_;
};

/// Predictions below `low` become `low`, above `high` `high`.
struct Clip {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

/// The predictions of the pairs, in their order.
CLAROS_API std::vector<double> predict(const Solution& solution, const Pairs& pairs, const Clip& clip = {});

/// Which ids of pair k the training data has entries of: both, row, column or none.
CLAROS_API std::string seen(const Training& training, const Pairs& pairs, std::size_t k);

/// row, column, prediction, if there is one the known value, and `seen`, as CSV with a header.
CLAROS_API std::string predictions_csv(const Training& training, const Pairs& pairs,
                                       const std::vector<double>& predictions);

/// sqrt(mean (p - k)^2) and mean |p - k|.
struct PredictionErrors {
  double rmse = 0.0, mae = 0.0;
};
/// The errors of as many predictions as known values, at least one.
CLAROS_API PredictionErrors prediction_errors(const std::vector<double>& predictions,
                                              const std::vector<double>& known);

}  // namespace claros
