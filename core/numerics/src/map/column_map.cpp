// SPDX-License-Identifier: BSD-3-Clause
#include "map/column_map.hpp"

#include <claros/element/element.hpp>

#include <algorithm>
#include <numeric>
#include <unordered_set>
#include <utility>
#include <vector>

namespace claros {
namespace {

template <class Real>
Columns sparse_columns(const Design& design, const SparseRows<Real>& held) {
  const auto rows = held.view();
  std::vector<Index> start(at(design.cols) + 1, 0);
  for (const std::int32_t j : rows.column) ++start[at(j) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<Index> next(start.begin(), start.end() - 1);
  std::vector<std::int32_t> row(at(start.back()));
  std::vector<double> value(row.size());
  for (Index i = 0; i < design.rows; ++i)
    for (auto e = at(rows.start[at(i)]); e < at(rows.start[at(i) + 1]); ++e) {
      const auto to = at(next[at(rows.column[e])]++);
      row[to] = static_cast<std::int32_t>(i);
      value[to] = static_cast<double>(rows.value[e]);
    }
  return Columns::sparse(design.rows, std::move(start), std::move(row), std::move(value));
}

/// to[k] <- column columns[k], some rows at a time: a line of cache of each column is written at once.
template <class Real>
void gather(const Design& design, std::span<const Real> rows, std::span<const Index> columns,
            std::span<double* const> to) {
  constexpr Index kRows = 8;
  for (Index from = 0; from < design.rows; from += kRows) {
    const Index end = std::min(design.rows, from + kRows);
    for (std::size_t k = 0; k < columns.size(); ++k)
      for (Index i = from; i < end; ++i)
        to[k][i] =
            columns[k] < design.cols ? static_cast<double>(rows[at(i * design.cols + columns[k])]) : 1.0;
  }
}

void gather(const Design& design, std::span<const Index> columns, std::span<double* const> to) {
  if (const auto* rows = std::get_if<DenseRows<float>>(&design.entries))
    gather(design, rows->view(), columns, to);
  if (const auto* rows = std::get_if<DenseRows<double>>(&design.entries))
    gather(design, rows->view(), columns, to);
}

}  // namespace

Columns columns_of(const Design& design, bool intercept) {
  const auto complete = [&](const Columns& c) { return intercept ? c.with_ones() : c; };
  if (const ColumnEntries* held = design.by_columns()) return complete(held->columns());
  if (const auto* rows = std::get_if<SparseRows<double>>(&design.entries))
    return complete(sparse_columns(design, *rows));
  if (const auto* rows = std::get_if<SparseRows<float>>(&design.entries))
    return complete(sparse_columns(design, *rows));
  std::vector<Index> all(at(design.cols + (intercept ? 1 : 0)));
  std::vector<double> values(at(design.rows) * all.size());
  std::vector<double*> to(all.size());
  for (std::size_t j = 0; j < all.size(); ++j) {
    all[j] = static_cast<Index>(j);
    to[j] = values.data() + j * at(design.rows);
  }
  gather(design, all, to);
  return Columns::dense(design.rows, std::move(values));
}

/// If there is no room for more columns, earlier ones are dropped.
Columns GatheredColumns::chosen(const Design& design, std::span<const Index> coordinates) {
  if (design.by_columns()) {
    Columns columns = columns_of(design, true).chosen(coordinates);
    columns.share_gram(gram_, {coordinates.begin(), coordinates.end()});
    return columns;
  }
  const std::size_t rows = at(design.rows);
  if (rows * (kept_.size() + coordinates.size()) > kMost) {
    const std::unordered_set<Index> wanted(coordinates.begin(), coordinates.end());
    std::erase_if(kept_, [&](const auto& column) { return !wanted.contains(column.first); });
  }
  std::vector<Index> unknown;
  std::vector<double*> to;
  for (const Index j : coordinates) {
    const auto [place, is_new] = kept_.try_emplace(j);
    if (!is_new) continue;
    place->second.resize(rows);
    unknown.push_back(j);
    to.push_back(place->second.data());
  }
  gather(design, unknown, to);
  std::vector<double> values;
  values.reserve(rows * coordinates.size());
  for (const Index j : coordinates) values.insert(values.end(), kept_.at(j).begin(), kept_.at(j).end());
  if (values.size() > kMost) kept_.clear();
  Columns columns = Columns::dense(design.rows, std::move(values));
  columns.share_gram(gram_, {coordinates.begin(), coordinates.end()});
  return columns;
}

void GatheredColumns::share_gram(Columns& all) const {
  std::vector<Index> names(at(all.count()));
  std::iota(names.begin(), names.end(), Index{0});
  all.share_gram(gram_, std::move(names));
}

void ColumnMap::apply(double alpha, const Element& x, double beta, std::span<double> z) const {
  for (double& value : z) value = beta == 0.0 ? 0.0 : beta * value;
  const std::vector<double> values = x.to_dense();
  for (Index j = 0; j < columns_->count(); ++j)
    if (values[at(j)] != 0.0) columns_->add(j, alpha * values[at(j)], z);
}

void ColumnMap::add_adjoint(std::span<const double> c, std::span<double> g) const {
  for (Index j = 0; j < columns_->count(); ++j) g[at(j)] += columns_->dot(j, c);
}

const DesignMap& ColumnMap::by_rows() const {
  rows_made_([&] {
    const Index n = columns_->rows(), p = columns_->count();
    auto design = std::make_shared<Design>();
    design->rows = n;
    design->cols = p;
    const auto entries = std::make_shared<const ColumnEntries>(*columns_);
    if (columns_->are_sparse()) {
      const auto rows = entries->compressed_rows();
      design->entries = SparseRows<double>{{}, {}, {}, rows, entries};
    } else {
      design->entries = DenseRows<double>{{}, entries->dense_rows(), entries};
    }
    rows_ = std::make_unique<const DesignMap>(std::move(design), Shape::vector(p));
  });
  return *rows_;
}

}  // namespace claros
