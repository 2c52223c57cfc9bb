// SPDX-License-Identifier: BSD-3-Clause
/// @file prediction.hpp  The solution in a run folder as a matrix of predictions, asked by the ids of its
/// data.
#pragma once

#include <claros/catalog.hpp>
#include <claros/matrix_market.hpp>
#include <claros/ratings.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace claros {

/// A matrix read back from what write_solution (run_folder.hpp) wrote.
class CLAROS_API Solution {
 public:
  /// Reads `folder`/solution: U.mtx, s.mtx and V.mtx, or x.mtx. Throws Error(data) when neither is there or
  /// they do not fit each other.
  static Solution read(const std::filesystem::path& folder);
  Index rows() const noexcept { return rows_; }
  Index cols() const noexcept { return cols_; }
  /// X_ij; i and j from 0, within the sizes.
  double at(Index i, Index j) const;

 private:
  Index rows_ = 0, cols_ = 0, rank_ = 0;
  bool dense_ = false;
  std::vector<double> left_, right_;  ///< row by row, left_ scaled by s; the dense matrix by columns is left_
};

/// What rows and columns are called.
struct MatrixIds {
  Index rows = 0, cols = 0;
  Index first = 1;                            ///< of the indices, where ids are indices
  std::vector<std::string> row_ids, col_ids;  ///< as in Ratings
};

/// The ids of the data that the run in `folder` was trained on: its specification is read, and where the
/// objective takes rating data (the keys of ratings_rows and `data`), the file is read again with the same
/// options. Indices from 1 for any other objective. Throws Error(data) when the data has another size than
/// the solution.
CLAROS_API MatrixIds training_ids(const Catalog& catalog, const std::filesystem::path& folder,
                                  const Solution& solution);

/// Positions to predict, in the order of their file.
struct Pairs {
  std::vector<std::string> row_ids, col_ids;  ///< as written
  std::vector<Index> row, col;                ///< from 0
  std::vector<double> known;                  ///< the third column; empty when the file has two
  std::string header;                         ///< the first line, when it was taken for a header
};

/// Reads one pair a line: row id, column id and perhaps a known value; the delimiter and the options mean
/// what they mean in ratings.hpp. With `auto` the first line is a header when none of its fields is a number
/// or a known id. Throws Error(data, "file:line", ...) for a pair outside the matrix.
CLAROS_API Pairs read_pairs(const std::filesystem::path& file, const MatrixIds& ids,
                            const std::string& delimiter = "auto", const std::string& header = "auto");

/// The predictions of the pairs, in their order.
CLAROS_API std::vector<double> predict(const Solution& solution, const Pairs& pairs);
/// row, column, prediction and, when there is one, the known value, as CSV with a header.
CLAROS_API std::string predictions_csv(const Pairs& pairs, const std::vector<double>& predictions);

/// sqrt(mean (p - k)^2) and mean |p - k|.
struct PredictionErrors {
  double rmse = 0.0, mae = 0.0;
};
/// Of as many predictions as known values, at least one.
CLAROS_API PredictionErrors prediction_errors(const std::vector<double>& predictions,
                                              const std::vector<double>& known);

}  // namespace claros
