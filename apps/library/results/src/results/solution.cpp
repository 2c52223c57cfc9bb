// SPDX-License-Identifier: BSD-3-Clause
#include <claros/compose/spec.hpp>
#include <claros/error.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/results/fold_in.hpp>
#include <claros/results/prediction.hpp>
#include <claros/results/run_identity.hpp>
#include <claros/spectral/spectral.hpp>

#include <claros/element/gemm.hpp>
#include <claros/io/id_lookup.hpp>
#include <claros/io/triplets.hpp>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <tuple>
#include <utility>

namespace claros {

namespace {

/// `table` row by row, column k multiplied by scale[k]; not at all if `scale` is empty.
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
  solution.training_.folding = read_folding(folder / "solution");
  // Once more: a run that ended while this was read has put other files there.
  identity.require_all(folder, "solution");
  return solution;
}

Solution Solution::of(const Element& x, const Training& training) {
  Solution solution;
  solution.rows_ = x.shape().rows;
  solution.cols_ = x.shape().cols;
  solution.training_ = training.without_entries();
  if (x.is_zero()) return solution;
  Element svd(x);
  if (only_low_rank(svd)) svd.recompress(0.0);
  const LowRankForm* form = only_low_rank(svd);
  if (!form) {
    solution.dense_ = true;
    solution.left_ = svd.to_dense();
    return solution;
  }
  const double weight = svd.parts().front().weight;
  DenseTable u{solution.rows_, std::ssize(form->weights), {}}, v{solution.cols_, u.cols, {}};
  for (Index k = 0; k < u.cols; ++k) {
    const auto left = form->store->left(k), right = form->store->right(k);
    u.values.insert(u.values.end(), left.begin(), left.end());
    v.values.insert(v.values.end(), right.begin(), right.end());
    solution.s_.push_back(weight * form->weights[static_cast<std::size_t>(k)]);
  }
  solution.rank_ = u.cols;
  solution.left_ = by_rows(u, solution.s_);
  solution.right_ = by_rows(v, {});
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
    solution.rows_ = x.rows;
    solution.cols_ = x.cols;
    solution.dense_ = true;
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
  solution.rows_ = u.rows;
  solution.cols_ = v.rows;
  solution.rank_ = u.cols;
  solution.left_ = by_rows(u, s.values);
  solution.right_ = by_rows(v, {});
  solution.s_ = s.values;
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

void Solution::make_factors() {
  if (!dense_) return;
  constexpr double kRounding = 1e-14;
  TruncatedSvd svd = dense_svd(rows_, cols_, left_);
  rank_ = std::ranges::count_if(svd.s, [&](double s) { return s > kRounding * svd.s.front(); });
  svd.s.resize(static_cast<std::size_t>(rank_));
  svd.u.resize(static_cast<std::size_t>(rank_ * rows_)),
      svd.v.resize(static_cast<std::size_t>(rank_ * cols_));
  left_ = by_rows({rows_, rank_, std::move(svd.u)}, svd.s);
  right_ = by_rows({cols_, rank_, std::move(svd.v)}, {});
  s_ = std::move(svd.s);
  dense_ = false;
}

std::vector<double> Solution::factors(Side side) {
  make_factors();
  std::vector<double> made = side == Side::rows ? left_ : right_;
  for (std::size_t k = 0; k < made.size(); ++k) {
    const double root = std::sqrt(s_[k % s_.size()]);
    made[k] = side == Side::cols ? made[k] * root : root > 0.0 ? made[k] / root : 0.0;
  }
  return made;
}

std::vector<Index> Solution::put(Side side, const NewFactors& made) {
  const bool rows = side == Side::rows;
  Ids& ids = rows ? training_.rows : training_.cols;
  std::vector<double>& numbers = rows ? left_ : right_;
  std::vector<double>& biases = rows ? training_.baseline.row : training_.baseline.col;
  std::vector<std::string> names;
  for (Index k = 0; k < ids.count; ++k) names.push_back(ids.name(k));
  const IdLookup lookup(ids);
  std::vector<Index> at;
  for (const std::string& name : made.names) {
    at.push_back(lookup.find(name));
    if (at.back() < 0) at.back() = std::ssize(names), names.push_back(name);
  }
  const std::size_t r = s_.size();
  numbers.resize(names.size() * r);
  if (!made.biases.empty()) biases.resize(names.size());
  if (!ids.entries.empty()) ids.entries.resize(names.size());
  for (std::size_t n = 0; n < at.size(); ++n) {
    const auto k = static_cast<std::size_t>(at[n]);
    for (std::size_t c = 0; c < r; ++c) {
      const double root = std::sqrt(s_[c]), f = made.factors[n * r + c];
      numbers[k * r + c] = rows ? f * root : root > 0.0 ? f / root : 0.0;
    }
    if (!made.biases.empty()) biases[k] = made.biases[n];
    if (!ids.entries.empty()) ids.entries[k] = made.entries[n];
  }
  if (std::ssize(names) > ids.count) {
    (rows ? rows_ : cols_) = ids.count = std::ssize(names);
    ids.names = std::move(names);
  }
  return at;
}

}  // namespace claros
