// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/io/run_identity.hpp>
#include <claros/io/spec.hpp>
#include <claros/results/prediction.hpp>

#include "element/gemm.hpp"
#include "io/triplets.hpp"

#include <algorithm>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

namespace claros {

namespace {

/// `table` row by row, column k multiplied by scale[k]; not at all where `scale` is empty.
std::vector<double> by_rows(const DenseTable& table, const std::vector<double>& scale) {
  std::vector<double> result(table.values.size());
  for (Index k = 0, at = 0; k < table.cols; ++k)
    for (Index i = 0; i < table.rows; ++i, ++at)
      result[static_cast<std::size_t>(i * table.cols + k)] =
          table.values[static_cast<std::size_t>(at)] *
          (scale.empty() ? 1.0 : scale[static_cast<std::size_t>(k)]);
  return result;
}

/// Without its ids a folder of ratings would be asked by indices, which may be other rows.
void require_ids(const std::filesystem::path& folder) {
  std::error_code code;
  if (std::filesystem::exists(folder / "solution/rows.csv", code) ||
      !std::filesystem::exists(folder / "spec.ini", code))
    return;
  if (Spec::read(folder / "spec.ini").get("objective", "ids"))
    throw Error(ErrorKind::data, (folder / "solution").string(),
                "lacks rows.csv, the ids of the training data", "run again");
}

}  // namespace

Solution Solution::read(const std::filesystem::path& folder) {
  const RunIdentity identity = RunIdentity::read(folder);
  identity.require_all(folder, "solution");
  Solution solution = read_matrix(folder / "solution");
  require_ids(folder);
  solution.training_ = read_training(folder / "solution", solution.rows_, solution.cols_);
  // Once more: a run that ended while this was read has put other files there.
  identity.require_all(folder, "solution");
  return solution;
}

Solution Solution::read_matrix(const std::filesystem::path& at) {
  std::error_code code;
  Solution solution;
  if (std::filesystem::exists(at / "x.mtx", code)) {
    if (const auto sizes = zero_matrix(at / "x.mtx")) {
      std::tie(solution.rows_, solution.cols_) = *sizes;
      return solution;
    }
    DenseTable x = read_matrix_market_array(at / "x.mtx");
    solution.rows_ = x.rows, solution.cols_ = x.cols, solution.dense_ = true;
    solution.left_ = std::move(x.values);
    return solution;
  }
  if (!std::filesystem::exists(at / "U.mtx", code))
    throw Error(ErrorKind::data, at.string(), "holds no solution; expected U.mtx, s.mtx and V.mtx, or x.mtx",
                "name the folder of a run with --out and output.solution = yes");
  const DenseTable u = read_matrix_market_array(at / "U.mtx"), v = read_matrix_market_array(at / "V.mtx"),
                   s = read_matrix_market_array(at / "s.mtx");
  if (u.cols != v.cols || s.rows * s.cols != u.cols)
    throw Error(ErrorKind::data, at.string(),
                "the factors do not fit: U has " + std::to_string(u.cols) + " columns, V " +
                    std::to_string(v.cols) + ", s " + std::to_string(s.rows * s.cols) +
                    " values; expected one number for all",
                "run again");
  solution.rows_ = u.rows, solution.cols_ = v.rows, solution.rank_ = u.cols;
  solution.left_ = by_rows(u, s.values);
  solution.right_ = by_rows(v, {});
  return solution;
}

double Solution::at(Index i, Index j) const {
  if (dense_) return left_[static_cast<std::size_t>(i + j * rows_)];
  double sum = 0.0;
  for (Index k = 0; k < rank_; ++k)
    sum += left_[static_cast<std::size_t>(i * rank_ + k)] * right_[static_cast<std::size_t>(j * rank_ + k)];
  return sum;
}

double Solution::predict(Index i, Index j) const {
  return training_.baseline.at(i, j) + (i < 0 || j < 0 ? 0.0 : at(i, j));
}

void Solution::predict_rows(std::span<const Index> rows, std::span<double> out) const {
  std::vector<double> left;
  for (const Index i : rows)
    for (Index k = 0; k < rank_; ++k)
      left.push_back(i < 0 ? 0.0 : left_[static_cast<std::size_t>(i * rank_ + k)]);
  const auto count = static_cast<Index>(rows.size());
  std::ranges::fill(out, 0.0);
  if (rank_ > 0 && !dense_)
    kernels::multiply(1.0, {right_.data(), cols_, rank_, true}, {left.data(), rank_, count}, 0.0, out.data());
  for (std::size_t n = 0, k = 0; n < rows.size(); ++n)
    for (Index j = 0; j < cols_; ++j, ++k) {
      if (dense_ && rows[n] >= 0) out[k] = left_[static_cast<std::size_t>(rows[n] + j * rows_)];
      out[k] += training_.baseline.at(rows[n], j);
    }
}

}  // namespace claros
