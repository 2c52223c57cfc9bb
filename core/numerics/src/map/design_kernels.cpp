// SPDX-License-Identifier: BSD-3-Clause
#include "map/design_kernels.hpp"

#include <array>

namespace claros::kernels {
namespace {

template <class Real>
std::array<const Real*, kBlock> places(const DenseView<Real>& a, std::span<const Index> rows) {
  std::array<const Real*, kBlock> result{};
  for (std::size_t k = 0; k < rows.size(); ++k) result[k] = a.values + rows[k] * a.stride;
  return result;
}

template <class Real>
double dot_row(const SparseView<Real>& a, Index i, const double* x) {
  double even = 0.0, odd = 0.0;
  Index e = a.start[i];
  const Index end = a.start[i + 1];
  for (; e + 2 <= end; e += 2) {
    even += static_cast<double>(a.value[e]) * x[a.column[e]];
    odd += static_cast<double>(a.value[e + 1]) * x[a.column[e + 1]];
  }
  if (e < end) even += static_cast<double>(a.value[e]) * x[a.column[e]];
  return even + odd;
}

}  // namespace

Index block_rows(Index cols, Index bytes) noexcept {
  // Eight rows share the reads of point and sum. If so many do not stay in the second cache, four do better;
  // floats, which take longer to compute with, bear more. Fewer cost more reads of these two than they save,
  // whichever cache the rows are in.
  const Index cache = Index{1} << (bytes == sizeof(double) ? 19 : 20);
  return kBlock * cols * bytes > cache ? kBlock / 2 : kBlock;
}

template <class Real>
void dot(const DenseView<Real>& a, std::span<const Index> rows, const double* x, double* z) {
  dense_loops<Real>().dot(places(a, rows).data(), static_cast<int>(rows.size()), a.cols, x, z);
}

template <class Real>
void add(const DenseView<Real>& a, std::span<const Index> rows, const double* c, double* g,
         std::span<const Index> next) {
  const auto ahead = places(a, next);
  dense_loops<Real>().add(places(a, rows).data(), static_cast<int>(rows.size()), a.cols, c, g,
                          next.size() == rows.size() ? ahead.data() : nullptr);
}

template <class Real>
void dot(const SparseView<Real>& a, std::span<const Index> rows, const double* x, double* z) {
  for (std::size_t k = 0; k < rows.size(); ++k) z[k] = dot_row(a, rows[k], x);
}

template <class Real>
void add(const SparseView<Real>& a, std::span<const Index> rows, const double* c, double* g,
         std::span<const Index>) {
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (Index e = a.start[rows[k]]; e < a.start[rows[k] + 1]; ++e)
      g[a.column[e]] += c[k] * static_cast<double>(a.value[e]);
}

template <class Real>
double squared_norm(const DenseView<Real>& a, Index i) {
  double norm = 0.0;
  dense_loops<Real>().square(places(a, {&i, 1}).data(), 1, a.cols, &norm);
  return norm;
}

template <class Real>
double squared_norm(const SparseView<Real>& a, Index i) {
  double sum = 0.0;
  for (Index e = a.start[i]; e < a.start[i + 1]; ++e)
    sum += static_cast<double>(a.value[e]) * static_cast<double>(a.value[e]);
  return sum;
}

#define CLAROS_INSTANTIATE(View)                                                  \
  template double squared_norm(const View&, Index);                               \
  template void dot(const View&, std::span<const Index>, const double*, double*); \
  template void add(const View&, std::span<const Index>, const double*, double*, std::span<const Index>);
CLAROS_INSTANTIATE(DenseView<double>)
CLAROS_INSTANTIATE(DenseView<float>)
CLAROS_INSTANTIATE(SparseView<double>)
CLAROS_INSTANTIATE(SparseView<float>)
#undef CLAROS_INSTANTIATE

}  // namespace claros::kernels
