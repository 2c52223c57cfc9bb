// SPDX-License-Identifier: BSD-3-Clause
/// @file design_kernels.hpp  The loops over rows of a design. Every sum is made in a fixed order of eight
/// interleaved partial sums, so that it vectorises and yet has the same bits wherever it runs.
#pragma once

#include <claros/design.hpp>

#include <span>

namespace claros::kernels {

/// Rows that are worked on together: their entries are read from memory once and stay in cache for the way
/// back.
inline constexpr Index kBlock = 8;

/// How many rows of that length a block should have, 1 to kBlock.
Index block_rows(Index cols, Index bytes) noexcept;

/// The rows of a design and where they lie.
template <class Real>
struct DenseView {
  const Real* values;
  Index cols;
};
template <class Real>
struct SparseView {
  const Index* start;
  const std::int32_t* column;
  const Real* value;
  Index cols;
};

/// <a_i, x>
template <class Real>
double dot(const DenseView<Real>& a, Index i, const double* x);
template <class Real>
double dot(const SparseView<Real>& a, Index i, const double* x);
/// ||a_i||^2
template <class Real>
double squared_norm(const DenseView<Real>& a, Index i);
template <class Real>
double squared_norm(const SparseView<Real>& a, Index i);
/// g += c a_i
template <class Real>
void add(const DenseView<Real>& a, Index i, double c, double* g);
template <class Real>
void add(const SparseView<Real>& a, Index i, double c, double* g);
/// z[k * stride] = <a_{first+k}, x> for k < count <= kBlock.
template <class Real>
void dot_block(const DenseView<Real>& a, Index first, Index count, const double* x, double* z, Index stride);
template <class Real>
void dot_block(const SparseView<Real>& a, Index first, Index count, const double* x, double* z, Index stride);
/// g += sum_k c[k * stride] a_{first+k}, k < count <= kBlock; `more` rows follow, which will be read next.
template <class Real>
void add_block(const DenseView<Real>& a, Index first, Index count, const double* c, Index stride, double* g,
               bool more);
template <class Real>
void add_block(const SparseView<Real>& a, Index first, Index count, const double* c, Index stride, double* g,
               bool more);

template <class Real>
DenseView<Real> view(const DenseRows<Real>& rows, Index cols) {
  return {rows.values.data(), cols};
}
template <class Real>
SparseView<Real> view(const SparseRows<Real>& rows, Index cols) {
  return {rows.start.data(), rows.column.data(), rows.value.data(), cols};
}

}  // namespace claros::kernels
