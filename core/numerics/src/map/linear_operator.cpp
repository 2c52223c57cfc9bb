// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Core>
#include <algorithm>
#include <claros/error.hpp>
#include <claros/map/linear_operator.hpp>
#include <string>
#include <vector>

namespace claros {

namespace {

using ConstMatrix = Eigen::Map<const Eigen::MatrixXd>;
using Matrix = Eigen::Map<Eigen::MatrixXd>;
using ConstVector = Eigen::Map<const Eigen::VectorXd>;
using Vector = Eigen::Map<Eigen::VectorXd>;

std::span<const double> column(std::span<const double> block, Index length, Index j) {
  return block.subspan(static_cast<std::size_t>(j * length), static_cast<std::size_t>(length));
}

std::span<double> column(std::span<double> block, Index length, Index j) {
  return block.subspan(static_cast<std::size_t>(j * length), static_cast<std::size_t>(length));
}

}  // namespace

LinearOperator::~LinearOperator() = default;

void LinearOperator::apply_block(std::span<const double> x, Index count, std::span<double> y) const {
  for (Index j = 0; j < count; ++j) apply(column(x, cols(), j), column(y, rows(), j));
}

void LinearOperator::apply_adjoint_block(std::span<const double> y, Index count, std::span<double> x) const {
  for (Index j = 0; j < count; ++j) apply_adjoint(column(y, rows(), j), column(x, cols(), j));
}

void LinearOperator::round_trip(std::span<const double> x, double beta, std::span<double> image,
                                std::span<double> back) const {
  std::vector<double> product(image.size());
  apply(x, product);
  Vector now(image.data(), rows());
  now = ConstVector(product.data(), rows()) - beta * now;
  apply_adjoint(image, back);
}

void LinearOperator::entries(std::span<double> out) const {
  const Index m = rows(), n = cols(), shorter = std::min(m, n);
  std::vector<double> unit(static_cast<std::size_t>(shorter)), row(static_cast<std::size_t>(n));
  for (Index j = 0; j < shorter; ++j) {
    double& one = unit[static_cast<std::size_t>(j)];
    one = 1.0;
    if (n <= m) {
      apply(unit, column(out, m, j));
    } else {
      apply_adjoint(unit, row);
      Matrix(out.data(), m, n).row(j) = ConstVector(row.data(), n).transpose();
    }
    one = 0.0;
  }
}

DenseOperator::DenseOperator(Index rows, Index cols, std::span<const double> values)
    : rows_(rows), cols_(cols), values_(values) {
  if (rows < 0 || cols < 0 || static_cast<Index>(values.size()) != rows * cols)
    throw Error(ErrorKind::usage, "DenseOperator",
                std::to_string(values.size()) + " values for a " + std::to_string(rows) + " x " +
                    std::to_string(cols) + " matrix",
                "pass rows * cols values, column after column");
}

void DenseOperator::apply(std::span<const double> x, std::span<double> y) const {
  Vector(y.data(), rows_).noalias() =
      ConstMatrix(values_.data(), rows_, cols_) * ConstVector(x.data(), cols_);
}

void DenseOperator::apply_adjoint(std::span<const double> y, std::span<double> x) const {
  const ConstMatrix a(values_.data(), rows_, cols_);
  Vector(x.data(), cols_).noalias() = a.transpose() * ConstVector(y.data(), rows_);
}

void DenseOperator::apply_block(std::span<const double> x, Index count, std::span<double> y) const {
  const ConstMatrix a(values_.data(), rows_, cols_);
  Matrix(y.data(), rows_, count).noalias() = a * ConstMatrix(x.data(), cols_, count);
}

void DenseOperator::apply_adjoint_block(std::span<const double> y, Index count, std::span<double> x) const {
  const ConstMatrix a(values_.data(), rows_, cols_);
  Matrix(x.data(), cols_, count).noalias() = a.transpose() * ConstMatrix(y.data(), rows_, count);
}

void DenseOperator::entries(std::span<double> out) const {
  std::copy(values_.begin(), values_.end(), out.begin());
}

void CountingOperator::apply(std::span<const double> x, std::span<double> y) const {
  ++forward_;
  wrapped_.apply(x, y);
}

void CountingOperator::apply_adjoint(std::span<const double> y, std::span<double> x) const {
  ++adjoint_;
  wrapped_.apply_adjoint(y, x);
}

void CountingOperator::apply_block(std::span<const double> x, Index count, std::span<double> y) const {
  forward_ += count;
  wrapped_.apply_block(x, count, y);
}

void CountingOperator::apply_adjoint_block(std::span<const double> y, Index count,
                                           std::span<double> x) const {
  adjoint_ += count;
  wrapped_.apply_adjoint_block(y, count, x);
}

void CountingOperator::entries(std::span<double> out) const { wrapped_.entries(out); }

}  // namespace claros
