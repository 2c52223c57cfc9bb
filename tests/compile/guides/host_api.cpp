// SPDX-License-Identifier: BSD-3-Clause
// What docs/guides/host-api.md leaves out around its blocks (check_guide).
#include <claros/io/design_blocks.hpp>
#include <claros/io/design_writer.hpp>
#include <claros/paths/solve_path.hpp>
#include <claros/sdk/functions.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

extern const std::vector<double> a, y, w;
extern const claros::Index n, p;
extern const std::vector<std::int64_t> start;
extern const std::vector<std::int32_t> column;
extern const claros::Spec spec;
extern const std::vector<std::vector<double>> responses;
std::vector<double> load();
#include "1.inc"
void use(const claros::RunResult&);
void use(const claros::Element&);
void show(const std::vector<claros::Complaint>&);

struct Source {
  int number() const;
};
bool read_some(Source&, claros::Index&, claros::Index&, decltype(claros::Design::entries)&,
               decltype(claros::Design::response)&);
Source source_;

void many(claros::Solver solver) {
#include "2.inc"
}

void paths() {
#include "3.inc"
  {
#include "4.inc"
  } {
#include "5.inc"
  }
}

void blocks() {
#include "6.inc"
}

void functions(claros::Solver solver, std::function<double(std::span<const double>)> h,
               std::function<void(std::span<const double>, double, std::span<double>)> prox_of_h) {
#include "7.inc"
#include "8.inc"
}

void errors(claros::Solver solver) {
#include "9.inc"
}
