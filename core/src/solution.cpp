// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/prediction.hpp>

#include <system_error>

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

}  // namespace

Solution Solution::read(const std::filesystem::path& folder) {
  const std::filesystem::path at = folder / "solution";
  std::error_code code;
  Solution solution;
  if (std::filesystem::exists(at / "x.mtx", code)) {
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

}  // namespace claros
