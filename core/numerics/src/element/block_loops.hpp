// SPDX-License-Identifier: BSD-3-Clause
/// @file block_loops.hpp  The loops over the entries of a sparse matrix that meet eight columns at once,
/// compiled for several instruction sets. All of them make the same operations in the same order, so that the
/// bits do not depend on the processor.
#pragma once

#include <cstdint>

namespace claros::kernels {

/// Columns side by side: eight numbers a row of a slab.
inline constexpr int kSlab = 8;

/// A row of a sparse matrix has `count` entries, values[e] in column col[e]; slabs are addressed by its
/// columns.
struct BlockLoops {
  /// out[e] <- beta out[e] + <u, (row col[e] of V)>, rows of `slabs` slabs side by side; lane by lane first.
  void (*sample)(const std::int32_t* col, std::int64_t count, int slabs, const double* u, const double* V,
                 double beta, double* out);
  /// y <- y + w sum_e values[e] (row col[e] of X).
  void (*gather)(const std::int32_t* col, const double* values, std::int64_t count, double w, const double* X,
                 double* y);
  /// row col[e] of X <- itself + w values[e] y, for every e.
  void (*scatter)(const std::int32_t* col, const double* values, std::int64_t count, double w,
                  const double* y, double* X);
};

/// The loops for this processor, or for the instruction set that CLAROS_CPU names.
const BlockLoops& block_loops() noexcept;

#define CLAROS_BLOCK_LOOPS(isa)        \
  namespace isa {                      \
  extern const BlockLoops kBlockLoops; \
  }
CLAROS_BLOCK_LOOPS(baseline)
#ifdef CLAROS_X86_LOOPS
CLAROS_BLOCK_LOOPS(avx2)
CLAROS_BLOCK_LOOPS(avx512)
#endif
#undef CLAROS_BLOCK_LOOPS

}  // namespace claros::kernels
