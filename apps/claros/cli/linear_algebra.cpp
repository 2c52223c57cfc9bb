// SPDX-License-Identifier: BSD-3-Clause
#include "cli/linear_algebra.hpp"

#include <claros/error.hpp>
#include <claros/results/arithmetic.hpp>

#include <fmt/format.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <vector>

extern "C" {
__attribute__((weak)) void openblas_set_num_threads(int);
__attribute__((weak)) void* blas_memory_alloc(int);
__attribute__((weak)) void blas_memory_free(void*);
__attribute__((weak)) void gotoblas_dynamic_init();  // of builds for several cores, as is the next
__attribute__((weak)) void gotoblas_dynamic_quit();
}

namespace claros::cli {

namespace {

constexpr const char* kThreads = "OPENBLAS_NUM_THREADS";
// A buffer (32 << 22 bytes), and the memory of threads, of malloc and of the pages around it.
constexpr std::size_t kBuffer = (std::size_t{128} << 20U) + (std::size_t{16} << 20U);

/// In bytes; 0: none.
rlim_t address_space() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY ? limit.rlim_cur : 0;
}

bool there_is_room() {
  void* const place =
      ::mmap(nullptr, kBuffer, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return place != MAP_FAILED && ::munmap(place, kBuffer) == 0;
}

std::string kernels;

/// Makes OpenBLAS choose again. No other thread is in it yet.
void take_faster_kernels() {
  constexpr const char* kCore = "OPENBLAS_CORETYPE";
  const std::string core = faster_blas_core();
  if (core.empty() || !gotoblas_dynamic_init || !gotoblas_dynamic_quit) return;
  ::setenv(kCore, core.c_str(), 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  ::unsetenv(kCore);
  kernels = "OpenBLAS does not know this processor: it runs its " + core +
            " kernels instead of the oldest (OPENBLAS_CORETYPE takes others)";
}

}  // namespace

const std::string& linear_algebra_kernels() { return kernels; }

void calm_linear_algebra(char** words) {
  if (!openblas_set_num_threads) return;
  const char* set = std::getenv(kThreads);
  const bool one = set && std::string_view(set) == "1";
  if (address_space() > 0 && !one && ::setenv(kThreads, "1", 1) == 0) ::execv("/proc/self/exe", words);
  if (!set) openblas_set_num_threads(1);
  take_faster_kernels();
}

void reserve_linear_algebra(int calls) {
  const rlim_t limit = address_space();
  if (limit == 0 || !blas_memory_alloc || !blas_memory_free) return;
  static std::size_t kept = 0;
  std::vector<void*> buffers;
  bool room = true;
  while (buffers.size() < static_cast<std::size_t>(calls) &&
         (room = buffers.size() < kept || there_is_room()))
    buffers.push_back(blas_memory_alloc(0));
  for (void* buffer : buffers) blas_memory_free(buffer);
  kept = std::max(kept, buffers.size());
  if (!room)
    throw Error(ErrorKind::data, "memory",
                fmt::format("the address space is limited to {} MiB, which leaves no room for {} of 128 MiB "
                            "of the linear algebra library (OpenBLAS)",
                            limit >> 20U, calls == 1 ? "the buffer" : fmt::format("{} buffers", calls)),
                calls == 1 ? "raise the limit (ulimit -v)"
                           : "raise the limit (ulimit -v), or take fewer threads (run.threads)");
}

}  // namespace claros::cli
