// SPDX-License-Identifier: BSD-3-Clause
#include "map/dense_loops.hpp"

#include <claros/map/columns.hpp>
#include <claros/map/design.hpp>

#include <numeric>
#include <utility>

namespace claros {

Columns Columns::dense(Index rows, std::span<const double> values, std::shared_ptr<const void> keeper) {
  Columns columns;
  columns.rows_ = rows;
  columns.count_ = rows > 0 ? static_cast<Index>(values.size()) / rows : 0;
  columns.value_ = values;
  columns.keeper_ = std::move(keeper);
  return columns;
}

Columns Columns::sparse(Index rows, std::span<const Index> start, std::span<const std::int32_t> row,
                        std::span<const double> value, std::shared_ptr<const void> keeper) {
  Columns columns;
  columns.rows_ = rows;
  columns.count_ = static_cast<Index>(start.size()) - 1;
  columns.sparse_ = true;
  columns.start_ = start;
  columns.row_ = row;
  columns.value_ = value;
  columns.keeper_ = std::move(keeper);
  columns.keep_rows();
  return columns;
}

void Columns::keep_rows() {
  by_row_ = nullptr;
  by_row_ = std::make_shared<const ColumnEntries>(*this);
}

Columns Columns::of_held(Index rows, Held held, bool sparse) {
  const auto all = std::make_shared<const Held>(std::move(held));
  return sparse ? Columns::sparse(rows, all->start, all->row, all->value, all) : dense(rows, all->value, all);
}

Columns Columns::dense(Index rows, std::vector<double> values) {
  return of_held(rows, {{}, {}, std::move(values)}, false);
}

Columns Columns::sparse(Index rows, std::vector<Index> start, std::vector<std::int32_t> row,
                        std::vector<double> value) {
  return of_held(rows, {std::move(start), std::move(row), std::move(value)}, true);
}

Columns Columns::with_ones() const {
  Held ones{{}, {}, std::vector<double>(static_cast<std::size_t>(rows_), 1.0)};
  if (sparse_) {
    ones.row.resize(ones.value.size());
    std::iota(ones.row.begin(), ones.row.end(), 0);
  }
  Columns columns(*this);
  columns.ones_ = std::make_shared<const Held>(std::move(ones));
  ++columns.count_;
  if (sparse_) columns.keep_rows();
  return columns;
}

double Columns::dot(Index j, std::span<const double> c) const {
  const std::span<const double> a = values(j);
  if (!sparse_) {
    const double* column = a.data();
    double sum = 0.0;
    kernels::dense_loops<double>().dot(&column, 1, rows_, c.data(), &sum);
    return sum;
  }
  const std::int32_t* row = rows_of(j).data();
  double even = 0.0, odd = 0.0;
  std::size_t e = 0;
  for (; e + 2 <= a.size(); e += 2) {
    even += a[e] * c[static_cast<std::size_t>(row[e])];
    odd += a[e + 1] * c[static_cast<std::size_t>(row[e + 1])];
  }
  if (e < a.size()) even += a[e] * c[static_cast<std::size_t>(row[e])];
  return even + odd;
}

double Columns::weighted_square(Index j, std::span<const double> w) const {
  // Several sums, so that none waits for the one before.
  constexpr std::size_t kSums = 8;
  const std::span<const double> a = values(j);
  const std::int32_t* row = sparse_ ? rows_of(j).data() : nullptr;
  double sums[kSums] = {};
  const auto term = [&](std::size_t e) {
    return w[row ? static_cast<std::size_t>(row[e]) : e] * a[e] * a[e];
  };
  std::size_t e = 0;
  for (; e + kSums <= a.size(); e += kSums)
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += term(e + k);
  for (; e < a.size(); ++e) sums[0] += term(e);
  return ((sums[0] + sums[2]) + (sums[4] + sums[6])) + ((sums[1] + sums[3]) + (sums[5] + sums[7]));
}

void Columns::add(Index j, double a, std::span<double> z) const {
  const std::span<const double> from = values(j);
  if (!sparse_) {
    const double* column = from.data();
    return kernels::dense_loops<double>().add(&column, 1, rows_, &a, z.data(), nullptr);
  }
  const std::int32_t* row = rows_of(j).data();
  for (std::size_t e = 0; e < from.size(); ++e) z[static_cast<std::size_t>(row[e])] += a * from[e];
}

void Columns::add_weighted(Index j, double a, std::span<const double> w, std::span<double> c) const {
  const std::span<const double> from = values(j);
  if (!sparse_) {
    for (std::size_t i = 0; i < from.size(); ++i) c[i] += a * w[i] * from[i];
    return;
  }
  const std::int32_t* row = rows_of(j).data();
  for (std::size_t e = 0; e < from.size(); ++e) {
    const auto i = static_cast<std::size_t>(row[e]);
    c[i] += a * w[i] * from[e];
  }
}

void Columns::share_gram(std::shared_ptr<KeptGram> kept, std::vector<Index> names) {
  kept_ = std::move(kept);
  names_ = std::move(names);
}

Columns Columns::chosen(std::span<const Index> columns) const {
  if (!sparse_ && keeper_ && are_side_by_side(columns)) {
    const auto from = static_cast<std::size_t>(first(columns.front()));
    return dense(rows_, value_.subspan(from, columns.size() * static_cast<std::size_t>(rows_)), keeper_);
  }
  Held some;
  std::size_t entries = 0;
  for (const Index j : columns) entries += values(j).size();
  some.value.reserve(entries);
  some.row.reserve(sparse_ ? entries : 0);
  if (sparse_) some.start.push_back(0);
  for (const Index j : columns) {
    const auto a = values(j);
    const auto rows = rows_of(j);
    some.value.insert(some.value.end(), a.begin(), a.end());
    some.row.insert(some.row.end(), rows.begin(), rows.end());
    if (sparse_) some.start.push_back(static_cast<Index>(some.value.size()));
  }
  return of_held(rows_, std::move(some), sparse_);
}

bool Columns::are_side_by_side(std::span<const Index> columns) const {
  if (columns.empty() || is_ones(columns.back())) return false;
  for (std::size_t k = 1; k < columns.size(); ++k)
    if (columns[k] != columns[k - 1] + 1) return false;
  return true;
}

}  // namespace claros
