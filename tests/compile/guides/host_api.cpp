// SPDX-License-Identifier: BSD-3-Clause
// What docs/guides/host-api.md leaves out around its blocks (check_guide).
#include <claros/api.hpp>
#include <claros/error.hpp>

#include <vector>

extern const std::vector<double> a, y;
extern const claros::Index n, p;
extern const std::vector<std::vector<double>> responses;
#include "1.inc"
void use(const claros::RunResult&);
void use(const claros::Element&);
void show(const std::vector<claros::Complaint>&);

void many(claros::Solver solver) {
#include "2.inc"
}

void errors(claros::Solver solver) {
#include "3.inc"
}
