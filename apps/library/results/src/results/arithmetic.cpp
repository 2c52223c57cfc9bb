// SPDX-License-Identifier: BSD-3-Clause
#include <claros/map/instruction_set.hpp>
#include <claros/results/arithmetic.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#if __has_include(<gnu/libc-version.h>)
#include <gnu/libc-version.h>
#endif
#if __has_include(<sys/platform/x86.h>)
#define _Bool bool  // which the header says, and Clang does not know in C++
#include <sys/platform/x86.h>
#undef _Bool
#endif

extern "C" {
// Functions of the library in use, which another library brings: weak. Their arguments do not matter here.
__attribute__((weak)) void dgemm_();
__attribute__((weak)) void dgesdd_();
// Functions of OpenBLAS, if that is the library. Its configuration names the core that it has chosen.
__attribute__((weak)) char* openblas_get_config();
__attribute__((weak)) int openblas_get_num_threads();
__attribute__((weak)) char* openblas_get_corename();
}

namespace claros {

namespace {

/// The features that are in force: GLIBC_TUNABLES may have hidden some of the processor's.
std::string libm() {
  std::string text;
#if __has_include(<gnu/libc-version.h>)
  text = std::string("glibc ") + ::gnu_get_libc_version();
#endif
#if __has_include(<sys/platform/x86.h>)
  if (CPU_FEATURE_ACTIVE(AVX)) text += " AVX";
  if (CPU_FEATURE_ACTIVE(AVX2)) text += " AVX2";
  if (CPU_FEATURE_ACTIVE(FMA)) text += " FMA";
  if (CPU_FEATURE_ACTIVE(FMA4)) text += " FMA4";
#endif
  return text;
}

/// "openblas-pthread/libblas.so.3", behind the links that choose one.
std::string library_of(void (*function)()) {
  Dl_info info{};
  if (!function || ::dladdr(reinterpret_cast<void*>(function), &info) == 0 || !info.dli_fname)
    return "unknown";
  std::error_code code;
  std::filesystem::path file = std::filesystem::canonical(info.dli_fname, code);
  if (code) file = info.dli_fname;
  return (file.parent_path().filename() / file.filename()).string();
}

std::string blas() {
  std::string text = library_of(dgemm_);
  if (text.find("openblas") == std::string::npos) return text;
  if (openblas_get_config) text += std::string(", ") + openblas_get_config();
  if (openblas_get_num_threads) text += ", threads " + std::to_string(openblas_get_num_threads());
  return text;
}

/// The core of OpenBLAS for this processor, of those with AVX2; null if it has none of them.
const char* wide_core() {
#if defined(__x86_64__)
  const auto contains = [](const char* kernel) { return ::dlsym(RTLD_DEFAULT, kernel) != nullptr; };
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return nullptr;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && contains("dgemm_kernel_SKYLAKEX"))
    return "SkylakeX";
  if (contains("dgemm_kernel_HASWELL")) return "Haswell";
#endif
  return nullptr;
}

}  // namespace

std::string faster_blas_core() {
  constexpr std::array kNarrow{"Prescott", "Core2",        "Penryn",    "Dunnington", "Nehalem", "Athlon",
                               "Opteron",  "Opteron_SSE3", "Barcelona", "Bobcat",     "Atom",    "Nano"};
  if (!openblas_get_corename || std::getenv("OPENBLAS_CORETYPE")) return {};
  const char* wide = wide_core();
  return wide && std::ranges::find(kNarrow, std::string(openblas_get_corename())) != kNarrow.end() ? wide
                                                                                                   : "";
}

std::map<std::string, std::string> arithmetic() {
  return {{"loops", std::string(text(instruction_set()))},
          {"libm", libm()},
          {"blas", blas()},
          {"lapack", library_of(dgesdd_)}};
}

}  // namespace claros
