// SPDX-License-Identifier: BSD-3-Clause
/// @file arithmetic.hpp  Whose code computes, of what is chosen by the processor and not by the program:
/// where libm, blas and lapack are the same, two machines make the same bits.
#pragma once

#include <claros/api.hpp>

#include <map>
#include <string>

namespace claros {

/// By name: `loops`, the instruction set of those over dense rows (instruction_set.hpp), which make the same
/// bits with each; `libm`, the C library and those of the processor's features by which it chooses between
/// its versions of exp, log, pow and others, which round differently; `blas` and `lapack`, the libraries in
/// use, with OpenBLAS's choice of a core and its number of threads.
CLAROS_API std::map<std::string, std::string> arithmetic();

}  // namespace claros
