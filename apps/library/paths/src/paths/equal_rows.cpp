// SPDX-License-Identifier: BSD-3-Clause
#include "paths/equal_rows.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <utility>

namespace claros {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;

constexpr Index kMostColumns = 256, kTimes = 10, kBlock = 256;

/// The triangular factor of sqrt(w) [1 A y - o], the column of ones where there is an intercept.
Matrix factor(const RowsOfModel& all, const std::vector<Index>& rows) {
  const Index p = all.design->cols, ones = all.training.intercept ? 1 : 0, width = p + 1 + ones;
  Matrix stacked(width + kBlock, width);
  Matrix made = Matrix::Zero(width, width);
  std::vector<double> a(at(p));
  for (std::size_t first = 0; first < rows.size(); first += at(kBlock)) {
    const Index count = std::min<Index>(kBlock, std::ssize(rows) - static_cast<Index>(first));
    stacked.topRows(width) = made;
    for (Index k = 0; k < count; ++k) {
      const Index i = rows[first + at(k)];
      const double w = all.weights.empty() ? 1.0 : std::sqrt(all.weights[at(i)]);
      all.design->row(i, a);
      if (ones) stacked(width + k, 0) = w;
      for (Index j = 0; j < p; ++j) stacked(width + k, ones + j) = w * a[at(j)];
      stacked(width + k, width - 1) =
          w * (all.targets[at(i)] - (all.offsets.empty() ? 0.0 : all.offsets[at(i)]));
    }
    const Eigen::HouseholderQR<Matrix> qr(stacked.topRows(width + count));
    made = qr.matrixQR().topRows(width).triangularView<Eigen::Upper>();
  }
  return made;
}

/// Column k of the orthonormal columns that are orthogonal to ones (Helmert), k from 0.
double helmert(Index row, Index k) {
  const auto size = static_cast<double>(k + 1);
  const double length = std::sqrt(size * (size + 1.0));
  return row <= k ? 1.0 / length : row == k + 1 ? -size / length : 0.0;
}

}  // namespace

std::optional<Design> equal_rows(const RowsOfModel& all, const std::vector<Index>& rows) {
  const Design& design = *all.design;
  const Index p = design.cols, count = p + (all.training.intercept ? 2 : 1);
  if (all.loss_name != "squared" || all.training.outputs > 1 || design.responses || design.is_sparse() ||
      design.source || p > kMostColumns || std::ssize(rows) < kTimes * count)
    return std::nullopt;
  double mass = static_cast<double>(rows.size());
  if (!all.weights.empty()) {
    mass = 0.0;
    for (const Index i : rows) mass += all.weights[at(i)];
  }
  Matrix made = factor(all, rows);
  if (!(mass > 0.0) || !made.allFinite()) return std::nullopt;
  const double scale = std::sqrt(static_cast<double>(count) / mass);
  if (all.training.intercept) {
    const Eigen::RowVectorXd mean = made.row(0).tail(p + 1) / made(0, 0);
    const Matrix rest = scale * made.bottomRightCorner(p + 1, p + 1);
    Matrix turned(count, p + 1);
    for (Index i = 0; i < count; ++i)
      for (Index k = 0; k <= p; ++k) turned(i, k) = helmert(i, k);
    made = (turned * rest).rowwise() + mean;
  } else {
    made *= scale;
  }
  Design few;
  few.rows = count;
  few.cols = p;
  DenseRows<double> entries;
  for (Index i = 0; i < count; ++i) {
    for (Index j = 0; j < p; ++j) entries.values.push_back(made(i, j));
    few.response.push_back(made(i, p));
  }
  few.entries = std::move(entries);
  few.column_names = design.column_names;
  few.response_name = design.response_name;
  return few;
}

bool takes_equal_rows(const Composition& composition) {
  constexpr double kLeast = 1e-9;
  const StopOptions& stop = composition.stop;
  for (const double target : {stop.relative_gap, stop.residual})
    if (target > 0.0 && target < kLeast) return false;
  return (!composition.estimator || composition.estimator->exact()) && composition.run.trials <= 1 &&
         stop.epochs == 0 && stop.passes == 0.0 && stop.sfo == 0 && stop.lo == 0;
}

}  // namespace claros
