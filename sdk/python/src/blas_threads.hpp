// SPDX-License-Identifier: BSD-3-Clause
/// @file blas_threads.hpp  Threads of OpenBLAS, where it is the linear algebra library, during a call of
/// Claros.
#pragma once

namespace claros::python {

/// One thread of OpenBLAS while objects of this class live, unless OPENBLAS_NUM_THREADS is set: parallelism
/// lies above it, results are those of the program, and threads that spin beside other work make calls on
/// small matrices a hundred times as long. The last object gives the number back that the first has found.
class OneBlasThread {
 public:
  OneBlasThread();
  ~OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
};

}  // namespace claros::python
