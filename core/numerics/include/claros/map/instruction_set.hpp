// SPDX-License-Identifier: BSD-3-Clause
/// @file instruction_set.hpp  The instructions that the loops over dense rows use.
#pragma once

#include <claros/context.hpp>

#include <string_view>

namespace claros {

/// The library is built for the baseline processor; the loops over dense rows exist for wider ones too.
/// Claros takes the widest that this machine has. CLAROS_CPU (baseline, avx2, avx512) names another one, if
/// the machine has it. These loops make the same bits with all of them; other code may not
/// (state/arithmetic.hpp).
enum class InstructionSet { baseline, avx2, avx512 };

CLAROS_API InstructionSet instruction_set() noexcept;
CLAROS_API std::string_view text(InstructionSet set) noexcept;
/// Throws Error(usage) if CLAROS_CPU names none of them; warns if it names one that the machine lacks.
CLAROS_API void check_asked_instruction_set(const Context& context);

}  // namespace claros
