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

Index width_of(const RowsOfModel& all) { return all.design->cols + (all.training.intercept ? 2 : 1); }

/// made <- the triangular factor of the first `count` rows.
void reduce(const Matrix& rows, Index count, Matrix& made) {
  const Eigen::HouseholderQR<Matrix> qr(rows.topRows(count));
  made = qr.matrixQR().topRows(made.rows()).triangularView<Eigen::Upper>();
}

/// The triangular factor of sqrt(w) [1 A y - o], the column of ones where there is an intercept.
Matrix factor(const RowsOfModel& all, const std::vector<Index>& rows) {
  const Index p = all.design->cols, width = width_of(all), ones = width - p - 1;
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
    reduce(stacked, width + count, made);
  }
  return made;
}

/// Column k of the orthonormal columns that are orthogonal to ones (Helmert), k from 0.
double helmert(Index row, Index k) {
  const auto size = static_cast<double>(k + 1);
  const double length = std::sqrt(size * (size + 1.0));
  return row <= k ? 1.0 / length : row == k + 1 ? -size / length : 0.0;
}

const std::vector<double>& factor_of(const RowsOfModel& all, const FoldPart& part, Index fold,
                                     FoldFactors& factors) {
  FoldFactors::One& one = factors.of(part.division, fold);
  std::call_once(one.made, [&] {
    std::vector<Index> rows;
    for (std::size_t i = 0; i < part.fold_of.size(); ++i)
      if (part.fold_of[i] == fold) rows.push_back(static_cast<Index>(i));
    const Matrix made = factor(all, rows);
    one.factor.assign(made.data(), made.data() + made.size());
  });
  return one.factor;
}

Matrix factor(const RowsOfModel& all, const FoldPart& part, FoldFactors& factors) {
  const Index folds = part.fold_of.empty() ? 0 : 1 + *std::ranges::max_element(part.fold_of),
              width = width_of(all);
  // Small folds have as many rows as their factors.
  if (folds == 0 || all.rows() < kTimes * folds * width) return factor(all, part.rows);
  const auto of = [&](Index fold) {
    return Eigen::Map<const Matrix>(factor_of(all, part, fold, factors).data(), width, width);
  };
  if (part.held_back) return of(part.fold);
  Matrix made = Matrix::Zero(width, width);
  Matrix stacked(2 * width, width);
  for (Index k = 1; k < folds; ++k) {
    stacked << made, of((part.fold + k) % folds);
    reduce(stacked, 2 * width, made);
  }
  return made;
}

}  // namespace

std::optional<Design> equal_rows(const RowsOfModel& all, const FoldPart& part, FoldFactors& factors) {
  const std::vector<Index>& rows = part.rows;
  const Design& design = *all.design;
  const Index p = design.cols, count = width_of(all);
  if (all.loss_name != "squared" || all.training.outputs > 1 || design.responses || design.is_sparse() ||
      design.source || p > kMostColumns || std::ssize(rows) < kTimes * count)
    return std::nullopt;
  double mass = 0.0;
  for (const Index i : rows) mass += all.weights.empty() ? 1.0 : all.weights[at(i)];
  Matrix made = factor(all, part, factors);
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
  return (!composition.estimator || composition.estimator->exact()) && composition.run.trial_count() <= 1 &&
         stop.epochs == 0 && stop.passes == 0.0 && stop.sfo == 0 && stop.lo == 0;
}

}  // namespace claros
