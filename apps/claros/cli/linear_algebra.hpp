// SPDX-License-Identifier: BSD-3-Clause
/// @file linear_algebra.hpp  The behaviour of OpenBLAS before main and when memory is limited, if it is the
/// linear algebra library.
///
/// OpenBLAS starts a thread for every core before main, and gives each call, and each of its threads, a
/// buffer of 128 MiB. If the system refuses one (`ulimit -v`), it asks again for ever: neither the call nor
/// fork, whose handler waits for the threads, returns.
#pragma once

#include <string>

namespace claros::cli {

/// One thread of linear algebra unless OPENBLAS_NUM_THREADS is set: parallelism lies above it. If the address
/// space is limited, the program starts again with OPENBLAS_NUM_THREADS=1, and returns from here in the
/// second start alone.
/// Takes the kernels of OpenBLAS for this processor (faster_blas_core).
void calm_linear_algebra(char** words);

/// Says which kernels OpenBLAS runs instead of its own choice; empty if that stands.
const std::string& linear_algebra_kernels();

/// Takes the buffers of so many calls at once and gives them back to OpenBLAS, which keeps them. Nothing
/// if the address space is not limited. Throws Error(data), with the limit and what is needed, where the
/// system refuses one.
void reserve_linear_algebra(int calls);

}  // namespace claros::cli
