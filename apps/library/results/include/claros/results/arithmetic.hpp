// SPDX-License-Identifier: BSD-3-Clause
/// @file arithmetic.hpp  The code that computes, as far as the processor chooses it and not the program. If
/// libm, blas and lapack are the same, two machines make the same bits.
#pragma once

#include <claros/api.hpp>

#include <map>
#include <string>

namespace claros {

/// The software that computes, by name:
/// - `loops`: the instruction set of the loops over dense rows (instruction_set.hpp), which make the same
///   bits with each.
/// - `libm`: the C library, and the processor's features by which it chooses between its versions of exp,
///   log, pow and others, which round differently.
/// - `blas` and `lapack`: the libraries in use, with OpenBLAS's choice of a core and its number of threads.
CLAROS_API std::map<std::string, std::string> arithmetic();

/// OpenBLAS takes its oldest kernels on a processor that it does not know. Then this is the name of the core
/// whose kernels it has for the processor's instructions. The name is empty if there is none, or if
/// OPENBLAS_CORETYPE is set.
CLAROS_API std::string faster_blas_core();

}  // namespace claros
