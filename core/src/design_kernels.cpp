// SPDX-License-Identifier: BSD-3-Clause
#include "design_kernels.hpp"

#include <algorithm>
#include <cstring>

namespace claros::kernels {
namespace {

// Two lanes, which every x86-64 and ARMv8 has; wider machines run the same operations in the same order.
using Pair = double __attribute__((vector_size(16)));
using FloatPair = float __attribute__((vector_size(8)));

inline Pair load(const double* from) {
  Pair result;
  std::memcpy(&result, from, sizeof result);
  return result;
}
inline Pair load(const float* from) {
  FloatPair narrow;
  std::memcpy(&narrow, from, sizeof narrow);
  return __builtin_convertvector(narrow, Pair);
}
inline void store(Pair value, double* to) { std::memcpy(to, &value, sizeof value); }

constexpr Index kLanes = 8;

/// Partial sum l of lanes 2l and 2l+1, l < 4.
struct Sums {
  Pair part[4] = {};
  double total() const {
    const Pair sum = (part[0] + part[1]) + (part[2] + part[3]);
    return sum[0] + sum[1];
  }
};

template <class Real>
double tail(const Real* a, const double* x, Index from, Index cols) {
  double sum = 0.0;
  for (Index j = from; j < cols; ++j) sum += static_cast<double>(a[j]) * x[j];
  return sum;
}

template <int kRows, class Real>
void dot_rows(const Real* a, Index cols, const double* x, double* z, Index stride) {
  Sums sums[kRows];
  const Index whole = cols / kLanes * kLanes;
  for (Index j = 0; j < whole; j += kLanes)
    for (int l = 0; l < 4; ++l) {
      const Pair right = load(x + j + 2 * l);
      for (int r = 0; r < kRows; ++r) sums[r].part[l] += load(a + r * cols + j + 2 * l) * right;
    }
  for (int r = 0; r < kRows; ++r) z[r * stride] = sums[r].total() + tail(a + r * cols, x, whole, cols);
}

constexpr Index kLine = 64;

/// g += sum_r c_r a_r. `ahead` rows of the same length follow; they are called for while these are worked on.
template <int kRows, class Real>
void add_rows(const Real* a, Index cols, const double* c, Index stride, double* g, bool ahead) {
  Pair weight[kRows];
  for (int r = 0; r < kRows; ++r) weight[r] = Pair{c[r * stride], c[r * stride]};
  constexpr Index kStep = kLine / static_cast<Index>(sizeof(Real));
  const Index whole = cols / kStep * kStep;
  for (Index j = 0; j < whole; j += kStep) {
    if (ahead)
      for (int r = 0; r < kRows; ++r) __builtin_prefetch(a + (kRows + r) * cols + j, 0, 2);
    for (Index l = j; l < j + kStep; l += 2) {
      Pair sum = load(g + l);
      for (int r = 0; r < kRows; ++r) sum += weight[r] * load(a + r * cols + l);
      store(sum, g + l);
    }
  }
  for (Index j = whole; j < cols; ++j)
    for (int r = 0; r < kRows; ++r) g[j] += c[r * stride] * static_cast<double>(a[r * cols + j]);
}

}  // namespace

Index block_rows(Index cols, Index bytes) noexcept {
  constexpr Index kCache = Index{1} << 18;  // two blocks, the one in use and the next, fit half a megabyte
  Index rows = kBlock;
  while (rows > 1 && rows * cols * bytes > kCache) rows /= 2;
  return rows;
}

template <class Real>
double dot(const DenseView<Real>& a, Index i, const double* x) {
  double z = 0.0;
  dot_rows<1>(a.values + i * a.cols, a.cols, x, &z, 1);
  return z;
}

template <class Real>
void add(const DenseView<Real>& a, Index i, double c, double* g) {
  add_rows<1>(a.values + i * a.cols, a.cols, &c, 1, g, false);
}

template <class Real>
void dot_block(const DenseView<Real>& a, Index first, Index count, const double* x, double* z, Index stride) {
  const Real* row = a.values + first * a.cols;
  Index k = 0;
  for (; k + 2 <= count; k += 2) dot_rows<2>(row + k * a.cols, a.cols, x, z + k * stride, stride);
  if (k < count) dot_rows<1>(row + k * a.cols, a.cols, x, z + k * stride, stride);
}

template <class Real>
void add_block(const DenseView<Real>& a, Index first, Index count, const double* c, Index stride, double* g,
               bool more) {
  const Real* row = a.values + first * a.cols;
  if (count == 8) return add_rows<8>(row, a.cols, c, stride, g, more);
  if (count == 4) return add_rows<4>(row, a.cols, c, stride, g, more);
  if (count == 2) return add_rows<2>(row, a.cols, c, stride, g, more);
  for (Index k = 0; k < count; ++k) add_rows<1>(row + k * a.cols, a.cols, c + k * stride, stride, g, false);
}

template <class Real>
double dot(const SparseView<Real>& a, Index i, const double* x) {
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

template <class Real>
void add(const SparseView<Real>& a, Index i, double c, double* g) {
  for (Index e = a.start[i]; e < a.start[i + 1]; ++e) g[a.column[e]] += c * static_cast<double>(a.value[e]);
}

template <class Real>
void dot_block(const SparseView<Real>& a, Index first, Index count, const double* x, double* z,
               Index stride) {
  for (Index k = 0; k < count; ++k) z[k * stride] = dot(a, first + k, x);
}

template <class Real>
void add_block(const SparseView<Real>& a, Index first, Index count, const double* c, Index stride, double* g,
               bool) {
  for (Index k = 0; k < count; ++k) add(a, first + k, c[k * stride], g);
}

namespace {
template <class Real>
double sum_of_squares(const Real* values, Index count) {
  double sum = 0.0;
  for (Index k = 0; k < count; ++k) sum += static_cast<double>(values[k]) * static_cast<double>(values[k]);
  return sum;
}
}  // namespace

template <class Real>
double squared_norm(const DenseView<Real>& a, Index i) {
  return sum_of_squares(a.values + i * a.cols, a.cols);
}

template <class Real>
double squared_norm(const SparseView<Real>& a, Index i) {
  return sum_of_squares(a.value + a.start[i], a.start[i + 1] - a.start[i]);
}

#define CLAROS_INSTANTIATE(View)                                                     \
  template double dot(const View&, Index, const double*);                            \
  template double squared_norm(const View&, Index);                                  \
  template void add(const View&, Index, double, double*);                            \
  template void dot_block(const View&, Index, Index, const double*, double*, Index); \
  template void add_block(const View&, Index, Index, const double*, Index, double*, bool);
CLAROS_INSTANTIATE(DenseView<double>)
CLAROS_INSTANTIATE(DenseView<float>)
CLAROS_INSTANTIATE(SparseView<double>)
CLAROS_INSTANTIATE(SparseView<float>)
#undef CLAROS_INSTANTIATE

}  // namespace claros::kernels
