// SPDX-License-Identifier: BSD-3-Clause
/// @file elementary_loops.hpp  exp and log1p of arrays, compiled for several instruction sets. All of
/// them make the same operations in the same order, so that the bits do not depend on the processor.
#pragma once

#include <cstdint>

namespace claros::kernels {

/// out[k] <- the function of x[k], k < count; out may be x.
struct ElementaryLoops {
  void (*exp)(const double* x, std::int64_t count, double* out);
  void (*log1p)(const double* x, std::int64_t count, double* out);
};

/// The loops for this processor, or for the instruction set that CLAROS_CPU names.
const ElementaryLoops& elementary_loops() noexcept;

#define CLAROS_ELEMENTARY_LOOPS(isa)             \
  namespace isa {                                \
  extern const ElementaryLoops kElementaryLoops; \
  }
CLAROS_ELEMENTARY_LOOPS(baseline)
#ifdef CLAROS_X86_LOOPS
CLAROS_ELEMENTARY_LOOPS(avx2)
CLAROS_ELEMENTARY_LOOPS(avx512)
#endif
#undef CLAROS_ELEMENTARY_LOOPS

}  // namespace claros::kernels
