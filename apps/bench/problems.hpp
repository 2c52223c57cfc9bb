// SPDX-License-Identifier: BSD-3-Clause
/// @file problems.hpp  The problems that the cases solve, and a clock.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/plugin/catalog.hpp>

#include <filesystem>
#include <functional>

namespace bench {

double seconds_of(const std::function<void()>& work);

/// Every plugin that the program finds.
const claros::Catalog& everything();
/// Matrix completion with the squared loss by Frank-Wolfe with the agnostic step, without measurements on the
/// way.
claros::Spec specification(const std::filesystem::path& ratings, double radius);
/// Runs the composition's algorithm on `problem`, its own or one with a part exchanged.
claros::RunResult solve(const claros::Composition& composition, const claros::Problem& problem);
claros::RunResult solve(const claros::Catalog& catalog, const claros::Spec& spec);
/// Random ratings of a rank-5 matrix, `n` of them, written to a file.
std::filesystem::path synthetic(claros::Index rows, claros::Index cols, claros::Index n);

}  // namespace bench
