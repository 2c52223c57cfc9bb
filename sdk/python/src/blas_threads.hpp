// SPDX-License-Identifier: BSD-3-Clause
/// @file blas_threads.hpp  Threads of OpenBLAS, where it is the linear algebra library, during a call of
/// Claros.
#pragma once

namespace claros::python {

/// Holds OpenBLAS at one thread while objects of this class live, unless OPENBLAS_NUM_THREADS is set.
/// Parallelism lies above it, and results are those of the program. Threads that spin beside other work would
/// make calls on small matrices take a hundred times as long. The last object restores the number that the
/// first one found.
class OneBlasThread {
 public:
  OneBlasThread();
  ~OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
};

}  // namespace claros::python
