// SPDX-License-Identifier: BSD-3-Clause
#include <claros/map/design.hpp>

#include <span>
#include <variant>

namespace claros {

namespace {

template <class Real>
DenseRows<Real> entries_of(const DenseRows<Real>& all, const std::vector<Index>& rows, Index cols) {
  DenseRows<Real> some;
  const std::span<const Real> from = all.view();
  some.values.reserve(rows.size() * at(cols));
  for (const Index i : rows)
    some.values.insert(some.values.end(), from.begin() + i * cols, from.begin() + (i + 1) * cols);
  return some;
}

template <class Real>
SparseRows<Real> entries_of(const SparseRows<Real>& held, const std::vector<Index>& rows, Index) {
  const auto all = held.view();
  SparseRows<Real> some{{0}, {}, {}};
  for (const Index i : rows) {
    const Index from = all.start[at(i)], to = all.start[at(i) + 1];
    some.column.insert(some.column.end(), all.column.begin() + from, all.column.begin() + to);
    some.value.insert(some.value.end(), all.value.begin() + from, all.value.begin() + to);
    some.start.push_back(static_cast<Index>(some.column.size()));
  }
  return some;
}

template <class T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<Index>& rows) {
  std::vector<T> some;
  for (const Index i : rows)
    if (!all.empty()) some.push_back(all[at(i)]);
  return some;
}

}  // namespace

Design chosen_rows(const Design& design, const std::vector<Index>& rows) {
  Design some;
  some.rows = static_cast<Index>(rows.size());
  some.cols = design.cols;
  std::visit([&](const auto& entries) { some.entries = entries_of(entries, rows, design.cols); },
             design.entries);
  some.response = chosen(design.response, rows);
  some.responses = design.responses;
  some.weights = chosen(design.weights, rows);
  some.offset = chosen(design.offset, rows);
  some.groups = chosen(design.groups, rows);
  some.labels = design.labels;
  some.column_names = design.column_names;
  some.response_name = design.response_name;
  return some;
}

}  // namespace claros
