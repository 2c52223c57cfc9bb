// SPDX-License-Identifier: BSD-3-Clause
#include <shared/maps/rank_one_rows.hpp>

#include <claros/element/sum_arrays.hpp>
#include <claros/error.hpp>

#include <algorithm>
#include <string>

namespace claros {

std::span<const double> RankOneRows::Side::values() const {
  return own.empty() ? std::get<DenseRows<double>>(design->entries).view() : std::span<const double>(own);
}

RankOneRows::Side RankOneRows::side_of(std::shared_ptr<const Design> design) {
  Side side{design->cols, std::move(design), {}};
  if (std::holds_alternative<DenseRows<double>>(side.design->entries)) return side;
  side.own.resize(at(side.design->rows * side.size));
  for (Index i = 0; i < side.design->rows; ++i)
    side.design->row(i, std::span(side.own).subspan(at(i * side.size), at(side.size)));
  side.design = nullptr;
  return side;
}

RankOneRows::RankOneRows(std::shared_ptr<const Design> left, std::shared_ptr<const Design> right)
    : symmetric_(!right) {
  count_ = left->rows;
  if (right && right->rows != count_)
    throw Error(ErrorKind::data, "measurements",
                std::to_string(count_) + " left rows and " + std::to_string(right->rows) + " right ones",
                "give a pair a_i, b_i a measurement");
  if (count_ < 1 || left->cols < 1 || (right && right->cols < 1))
    throw Error(ErrorKind::data, "measurements", "there is none, or its rows are empty",
                "give at least one number a row");
  left_ = side_of(std::move(left));
  if (right) right_ = side_of(std::move(right));
}

rank_one::Rows RankOneRows::block(Index first, Index last) const {
  const double* left = left_.values().data() + first * left_.size;
  const double* right = symmetric_ ? left : right_.values().data() + first * right_.size;
  return {left, right, left_.size, right_size(), last - first};
}

RankOneRows::Side RankOneRows::gathered(const Side& side, std::span<const Index> rows) {
  Side some{side.size, nullptr, {}};
  some.own.reserve(rows.size() * at(side.size));
  for (const Index i : rows) {
    const double* row = side.values().data() + i * side.size;
    some.own.insert(some.own.end(), row, row + side.size);
  }
  return some;
}

RankOneRows RankOneRows::gathered(std::span<const Index> rows) const {
  RankOneRows some;
  some.count_ = static_cast<Index>(rows.size());
  some.symmetric_ = symmetric_;
  some.left_ = gathered(left_, rows);
  if (!symmetric_) some.right_ = gathered(right_, rows);
  return some;
}

Index RankOneRows::sum_grain() const {
  constexpr Index kChunks = 8;
  return std::max<Index>(1, chunk_count(chunk_count(count_, kChunks), kBlock)) * kBlock;
}

void RankOneOperator::multiply(bool adjoint, std::span<const double> x, Index count,
                               std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  sum_arrays(rows_->count(), rows_->sum_grain(), y, [&](Index from, Index to, double* partial) {
    RankOneRows::for_blocks(from, to, [&](Index first, Index last) {
      const auto rows = rows_->block(first, last);
      const auto c = std::span(c_).subspan(at(first), at(last - first));
      rank_one::add_products(adjoint ? rows.transposed() : rows, c, x, count, partial);
    });
  });
}

void RankOneOperator::apply_block(std::span<const double> x, Index count, std::span<double> y) const {
  multiply(false, x, count, y);
}
void RankOneOperator::apply_adjoint_block(std::span<const double> y, Index count, std::span<double> x) const {
  multiply(true, y, count, x);
}

void RankOneOperator::entries(std::span<double> out) const {
  std::fill(out.begin(), out.end(), 0.0);
  sum_arrays(rows_->count(), rows_->sum_grain(), out, [&](Index from, Index to, double* partial) {
    RankOneRows::for_blocks(from, to, [&](Index first, Index last) {
      const auto c = std::span(c_).subspan(at(first), at(last - first));
      rank_one::add_adjoint(rows_->block(first, last), c, partial);
    });
  });
}

}  // namespace claros
