// SPDX-License-Identifier: BSD-3-Clause
// What docs/guides/host-data.md leaves out around its blocks (check_guide).
#include <claros/host.hpp>
#include <claros/io/design_blocks.hpp>
#include <claros/io/design_writer.hpp>
#include <claros/io/memory_data.hpp>
#include <claros/io/memory_file.hpp>
#include <claros/paths/solve_path.hpp>
#include <claros/sdk/functions.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

extern const claros::Catalog catalog;
extern const claros::Spec spec;
extern const std::vector<double> y, w, stratum;
extern const claros::Index n;
extern const std::vector<std::int64_t> start;
extern const std::vector<std::int32_t> column;
std::vector<double> load();

struct Source {
  int number() const;
};
bool read_some(Source&, claros::Index&, claros::Index&, decltype(claros::Design::entries)&,
               decltype(claros::Design::response)&);
Source source_;

void paths(claros::Solver solver) {
#include "1.inc"
#include "2.inc"
  {
#include "3.inc"
  } {
#include "4.inc"
  }
}

void blocks() {
#include "5.inc"
}

void functions(claros::Solver solver, std::function<double(std::span<const double>)> h,
               std::function<void(std::span<const double>, double, std::span<double>)> prox_of_h) {
#include "6.inc"
#include "7.inc"
}
