// SPDX-License-Identifier: BSD-3-Clause
// claros-bench [--data DIR] [--repeats N] [--size MB] [--only PART]: prints a table; asserts nothing.
#include "cases.hpp"

#include <claros/map/instruction_set.hpp>

#include <fmt/format.h>

#include <malloc.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

int main(int argc, char** argv) {
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
#if defined(__GLIBC__)  // as the program does
  (void)mallopt(M_MMAP_THRESHOLD, 32 << 20);
  (void)mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
  const char* folder = std::getenv("CLAROS_DATA");
  std::string data = folder ? folder : "data";
  int repeats = 5;
  double megabytes = 400;
  std::string only, part;
  for (int k = 1; k < argc; ++k) {
    if (k + 1 < argc && std::strcmp(argv[k], "--data") == 0)
      data = argv[++k];
    else if (k + 1 < argc && std::strcmp(argv[k], "--repeats") == 0)
      repeats = std::atoi(argv[++k]);
    else if (k + 1 < argc && std::strcmp(argv[k], "--size") == 0)
      megabytes = std::atof(argv[++k]);
    else if (k + 1 < argc && std::strcmp(argv[k], "--only") == 0)
      only = argv[++k];
    else if (k + 1 < argc && std::strcmp(argv[k], "--case") == 0)
      part = argv[++k];
    else {
      fmt::print(
          "usage: claros-bench [--data DIR] [--repeats N] "
          "[--size MB] [--only solve|estimators|steps|bandwidth|data|smoothing|lagged|memory|sets|"
          "active-sets|small] [--case WORDS]\n  DIR holds movielens-100k/u.data and "
          "movielens-1m/ratings.tsv.xz (or set CLAROS_DATA)\n");
      return std::strcmp(argv[k], "--help") == 0 ? 0 : 2;
    }
  }
  try {
    fmt::print("One thread, loops for {}. Read bandwidth of this machine, now: {:.1f} GB/s\n",
               claros::text(claros::instruction_set()), bench::read_bandwidth());
    if (only.empty() || only == "solve") {
      bench::movielens_100k(data, repeats);
      bench::movielens_1m(data, repeats);
      bench::large(repeats);
      bench::scaling(repeats);
    }
    if (only.empty() || only == "estimators") {
      bench::estimate_scaling(repeats);
      bench::estimator_shares(data, repeats);
    }
    if (only.empty() || only == "steps") {
      bench::step_costs(repeats);
      bench::momentum_steps(repeats);
    }
    if (only.empty() || only == "bandwidth") bench::bandwidth(repeats, megabytes);
    if (only.empty() || only == "data") bench::data_access(repeats, megabytes);
    if (only.empty() || only == "smoothing") bench::smoothing(repeats);
    if (only.empty() || only == "lagged") bench::lazy_steps(repeats, part);
    if (only.empty() || only == "memory") bench::memory(data);
    if (only.empty() || only == "sets") bench::sets(repeats);
    if (only.empty() || only == "active-sets") bench::active_sets(repeats);
    if (only.empty() || only == "small") bench::small(repeats);
  } catch (const std::exception& error) {
    fmt::print(stderr, "claros-bench: {}\n", error.what());
    return 2;
  }
}
