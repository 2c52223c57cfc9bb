// SPDX-License-Identifier: BSD-3-Clause
/// @file instruction_set.hpp  Which instructions the loops over dense rows use.
#pragma once

#include <claros/context.hpp>

#include <string_view>

namespace claros {

/// The library is built for the baseline processor; the loops over dense rows exist for wider ones too, and
/// the widest that this machine has is taken, or the one that the environment's CLAROS_CPU names (baseline,
/// avx2, avx512) where the machine has it. These loops make the same bits with all of them; other code may
/// not (state/arithmetic.hpp).
enum class InstructionSet { baseline, avx2, avx512 };

CLAROS_API InstructionSet instruction_set() noexcept;
CLAROS_API std::string_view text(InstructionSet set) noexcept;
/// Throws Error(usage) where CLAROS_CPU names none of them; warns where it names one that the machine lacks.
CLAROS_API void check_asked_instruction_set(const Context& context);

}  // namespace claros
