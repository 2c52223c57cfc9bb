// SPDX-License-Identifier: BSD-3-Clause
/// @file normal_loops.hpp  Normal numbers from the counters of a stream, compiled for several instruction
/// sets. All of them make the same operations in the same order, so that the bits do not depend on the
/// processor.
#pragma once

#include <cstdint>

namespace claros::kernels {

/// Which stream of Philox 4x32-10: the seed is the key, (block, purpose, instance) the counter.
struct PhiloxStream {
  std::uint64_t seed;
  std::uint32_t purpose, instance;
};

struct NormalLoops {
  /// out[2i], out[2i+1] <- sqrt(-2 log(1 - u)) (cos, sin)(2 pi v) for i < pairs (Box and Muller 1958). The
  /// uniforms u and v are those at position + 2i and after it. Logarithm, sine and cosine are within 2 units
  /// of the last place.
  void (*fill)(const PhiloxStream& stream, std::uint64_t position, std::int64_t pairs, double* out);
};

/// The loops for this processor, or for the instruction set that CLAROS_CPU names.
const NormalLoops& normal_loops() noexcept;

#define CLAROS_NORMAL_LOOPS(isa)         \
  namespace isa {                        \
  extern const NormalLoops kNormalLoops; \
  }
CLAROS_NORMAL_LOOPS(baseline)
#ifdef CLAROS_X86_LOOPS
CLAROS_NORMAL_LOOPS(avx2)
CLAROS_NORMAL_LOOPS(avx512)
#endif
#undef CLAROS_NORMAL_LOOPS

}  // namespace claros::kernels
