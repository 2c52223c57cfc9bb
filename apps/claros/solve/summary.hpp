// SPDX-License-Identifier: BSD-3-Clause
/// @file summary.hpp  Texts for a person after a run, and about a composition before it.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/results/coefficients.hpp>
#include <claros/run/run_loop.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace claros::cli {

/// (role, plugin and what it holds), in the order of the roles; empty roles are left out.
std::vector<std::pair<std::string, std::string>> parts_of(const Composition& composition);

/// The rules of [stop] that are set.
std::vector<Setting> set_rules(const Composition& composition);

/// "linear-model (vector of 10, n = 442) + l1, by coordinate-descent, until ...": what is solved, by what, to
/// what.
std::string opening(const Composition& composition);

/// The largest coefficients by name, after an empty line; empty if all are 0. The `folder` is that of a run
/// in the DIR of --out: "DIR", "DIR/best".
std::string coefficient_lines(const Coefficients& coefficients, const std::string& folder);

/// The result on some lines; `folder` may be empty. The run was over `ended` seconds after the program's
/// start (accounts.hpp): what passed since went into writing.
std::string summary(const Composition& composition, const RunResult& result,
                    const std::filesystem::path& folder, double ended);

}  // namespace claros::cli
