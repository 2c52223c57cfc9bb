// SPDX-License-Identifier: BSD-3-Clause
/// @file design_kernels.hpp  The loops over rows of a design.
#pragma once

#include "map/dense_loops.hpp"

#include <claros/map/design.hpp>

#include <span>

namespace claros::kernels {

/// The number of rows of that length to work on together, kBlock or half of it. They are read from memory
/// once and stay in a cache for the way back.
Index block_rows(Index cols, Index bytes) noexcept;

/// The rows of a design and where they lie.
template <class Real>
struct DenseView {
  using Value = Real;
  const Real* values;
  Index cols;
  Index stride = cols;  ///< from a row to the next
};
template <class Real>
struct SparseView {
  using Value = Real;
  const Index* start;
  const std::int32_t* column;
  const Real* value;
  Index cols;
};

/// ||a_i||^2
template <class Real>
double squared_norm(const DenseView<Real>& a, Index i);
template <class Real>
double squared_norm(const SparseView<Real>& a, Index i);
/// z[k] = <a_{rows[k]}, x>, at most kBlock rows.
template <class Real>
void dot(const DenseView<Real>& a, std::span<const Index> rows, const double* x, double* z);
template <class Real>
void dot(const SparseView<Real>& a, std::span<const Index> rows, const double* x, double* z);
/// g += sum_k c[k] a_{rows[k]} in the order of k, for at most kBlock rows. `next` are rows that will be read
/// soon, as many or none.
template <class Real>
void add(const DenseView<Real>& a, std::span<const Index> rows, const double* c, double* g,
         std::span<const Index> next = {});
template <class Real>
void add(const SparseView<Real>& a, std::span<const Index> rows, const double* c, double* g,
         std::span<const Index> next = {});

/// Columns [first, last) of all rows.
template <class Real>
DenseView<Real> columns(const DenseView<Real>& a, Index first, Index last) {
  return {a.values + first, last - first, a.stride};
}

template <class Real>
DenseView<Real> view(const DenseRows<Real>& rows, Index cols) {
  return {rows.view().data(), cols};
}
template <class Real>
SparseView<Real> view(const SparseRows<Real>& held, Index cols) {
  const auto rows = held.view();
  return {rows.start.data(), rows.column.data(), rows.value.data(), cols};
}

}  // namespace claros::kernels
