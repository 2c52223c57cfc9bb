// SPDX-License-Identifier: BSD-3-Clause
#include "element/block_loops.hpp"
#include "element/elementary_loops.hpp"
#include "map/dense_loops.hpp"
#include "normal_loops.hpp"

#include <claros/error.hpp>
#include <claros/map/instruction_set.hpp>

#include <cstdlib>
#include <string_view>

namespace claros {
namespace {

bool available(InstructionSet set) noexcept {
#ifdef CLAROS_X86_LOOPS
  if (set == InstructionSet::avx512) return __builtin_cpu_supports("avx512f");
  if (set == InstructionSet::avx2) return __builtin_cpu_supports("avx2");
#endif
  return set == InstructionSet::baseline;
}

InstructionSet chosen() noexcept {
  const char* asked = std::getenv("CLAROS_CPU");
  for (const InstructionSet set : {InstructionSet::avx512, InstructionSet::avx2})
    if (available(set) && (!asked || !*asked || text(set) == asked)) return set;
  return InstructionSet::baseline;
}

}  // namespace

InstructionSet instruction_set() noexcept {
  static const InstructionSet set = chosen();
  return set;
}

void check_asked_instruction_set(const Context& context) {
  const char* asked = std::getenv("CLAROS_CPU");
  if (!asked || !*asked) return;
  for (const InstructionSet set : {InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512}) {
    if (text(set) != asked) continue;
    if (!available(set))
      context.warn("CLAROS_CPU: this machine has no " + std::string(asked) + "; the loops are those for " +
                   std::string(text(instruction_set())));
    return;
  }
  throw Error(ErrorKind::usage, "CLAROS_CPU", "'" + std::string(asked) + "' is not an instruction set",
              "unset it, or set it to baseline, avx2 or avx512");
}

std::string_view text(InstructionSet set) noexcept {
  switch (set) {
    case InstructionSet::avx512:
      return "avx512";
    case InstructionSet::avx2:
      return "avx2";
    case InstructionSet::baseline:
      break;
  }
  return "baseline";
}

namespace kernels {

// The loops of a name that were compiled for the chosen instruction set.
#ifdef CLAROS_X86_LOOPS
#define CLAROS_CHOSEN(loops)                                   \
  (instruction_set() == InstructionSet::avx512 ? avx512::loops \
   : instruction_set() == InstructionSet::avx2 ? avx2::loops   \
                                               : baseline::loops)
#else
#define CLAROS_CHOSEN(loops) baseline::loops
#endif

template <class Real>
const DenseLoops<Real>& dense_loops() noexcept {
  if constexpr (sizeof(Real) == sizeof(float))
    return CLAROS_CHOSEN(kFloatLoops);
  else
    return CLAROS_CHOSEN(kDoubleLoops);
}
template const DenseLoops<float>& dense_loops<float>() noexcept;
template const DenseLoops<double>& dense_loops<double>() noexcept;

const BlockLoops& block_loops() noexcept { return CLAROS_CHOSEN(kBlockLoops); }
const ElementaryLoops& elementary_loops() noexcept { return CLAROS_CHOSEN(kElementaryLoops); }
const NormalLoops& normal_loops() noexcept { return CLAROS_CHOSEN(kNormalLoops); }

}  // namespace kernels
}  // namespace claros
