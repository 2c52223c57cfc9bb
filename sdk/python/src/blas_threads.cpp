// SPDX-License-Identifier: BSD-3-Clause
#include "blas_threads.hpp"

#include <cstdlib>
#include <mutex>

extern "C" {
__attribute__((weak)) void openblas_set_num_threads(int);
__attribute__((weak)) int openblas_get_num_threads();
}

namespace claros::python {

namespace {

bool is_ours() {
  return openblas_set_num_threads && openblas_get_num_threads && !std::getenv("OPENBLAS_NUM_THREADS");
}

std::mutex guard;
int holders = 0, before = 0;

}  // namespace

OneBlasThread::OneBlasThread() {
  const std::lock_guard lock(guard);
  if (++holders > 1) return;
  before = is_ours() ? openblas_get_num_threads() : 0;
  if (before > 1) openblas_set_num_threads(1);
}

OneBlasThread::~OneBlasThread() {
  const std::lock_guard lock(guard);
  if (--holders == 0 && before > 1) openblas_set_num_threads(before);
}

}  // namespace claros::python
