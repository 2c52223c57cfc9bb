// SPDX-License-Identifier: BSD-3-Clause
/// @file dense_loops.hpp  The loops over dense rows, compiled for several instruction sets. All of them
/// make the same operations in the same order, so that the bits do not depend on the processor.
#pragma once

#include <cstdint>

namespace claros::kernels {

/// Rows that one call takes.
inline constexpr int kBlock = 8;

template <class Real>
struct DenseLoops {
  /// z[k] = <rows[k], x>, k < count <= kBlock; every sum is made of eight interleaved partial sums.
  void (*dot)(const Real* const* rows, int count, std::int64_t cols, const double* x, double* z);
  /// z[k] = ||rows[k]||^2, summed alike.
  void (*square)(const Real* const* rows, int count, std::int64_t cols, double* z);
  /// g += sum_k c[k] rows[k], in the order of k, for k < count <= kBlock. `next` are as many rows that will
  /// be read soon, or null.
  void (*add)(const Real* const* rows, int count, std::int64_t cols, const double* c, double* g,
              const Real* const* next);
};

/// The loops for this processor, or for the instruction set that CLAROS_CPU names.
template <class Real>
const DenseLoops<Real>& dense_loops() noexcept;

#define CLAROS_DENSE_LOOPS(isa)                 \
  namespace isa {                               \
  extern const DenseLoops<float> kFloatLoops;   \
  extern const DenseLoops<double> kDoubleLoops; \
  }
CLAROS_DENSE_LOOPS(baseline)
#ifdef CLAROS_X86_LOOPS
CLAROS_DENSE_LOOPS(avx2)
CLAROS_DENSE_LOOPS(avx512)
#endif
#undef CLAROS_DENSE_LOOPS

}  // namespace claros::kernels
