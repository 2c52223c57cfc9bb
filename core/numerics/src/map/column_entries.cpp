// SPDX-License-Identifier: BSD-3-Clause
// Rows that are copied from columns.
#include <claros/map/design.hpp>

#include <claros/memory_limits.hpp>

#include <algorithm>
#include <utility>

namespace claros {
namespace {

std::size_t position(Index k) { return static_cast<std::size_t>(k); }

/// A square of entries at a time, which a cache holds by rows and by columns.
std::vector<double> transposed(const Columns& columns) {
  constexpr Index kSide = 64;
  const Index n = columns.rows(), p = columns.count();
  std::vector<double> rows(position(n * p));
  for (Index top = 0; top < n; top += kSide)
    for (Index left = 0; left < p; left += kSide)
      for (Index j = left; j < std::min(p, left + kSide); ++j) {
        const auto column = columns.values(j);
        for (Index i = top; i < std::min(n, top + kSide); ++i)
          rows[position(i * p + j)] = column[position(i)];
      }
  return rows;
}

}  // namespace

struct ColumnEntries::Rows {
  std::vector<Index> start;
  std::vector<std::int32_t> column;
  std::vector<double> value;

  explicit Rows(const Columns& columns) {
    if (!columns.are_sparse()) {
      value = transposed(columns);
      return;
    }
    start.assign(position(columns.rows()) + 1, 0);
    for (Index j = 0; j < columns.count(); ++j)
      for (const std::int32_t i : columns.rows_of(j)) ++start[position(i) + 1];
    for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
    std::vector<Index> next(start.begin(), start.end() - 1);
    column.resize(position(start.back()));
    value.resize(column.size());
    for (Index j = 0; j < columns.count(); ++j) {
      const auto members = columns.rows_of(j);
      for (std::size_t e = 0; e < members.size(); ++e) {
        const auto to = position(next[position(members[e])]++);
        column[to] = static_cast<std::int32_t>(j);
        value[to] = columns.values(j)[e];
      }
    }
  }
};

ColumnEntries::ColumnEntries(Columns columns) : columns_(std::move(columns)) {}
ColumnEntries::~ColumnEntries() = default;

const ColumnEntries::Rows& ColumnEntries::rows() const {
  once_([&] {
    expect_memory((columns_.are_sparse() ? 12.0 : 8.0) * static_cast<double>(columns_.stored()), "data",
                  "a copy by rows of the design of " + std::to_string(columns_.rows()) + " x " +
                      std::to_string(columns_.count()) + ", which lies by columns",
                  "choose an algorithm that takes full gradients or goes by coordinates");
    rows_ = std::make_unique<const Rows>(columns_);
  });
  return *rows_;
}

std::span<const double> ColumnEntries::dense_rows() const { return rows().value; }

CompressedRows<double> ColumnEntries::compressed_rows() const {
  const Rows& all = rows();
  return {all.start, all.column, all.value};
}

}  // namespace claros
