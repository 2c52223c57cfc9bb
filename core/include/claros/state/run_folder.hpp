// SPDX-License-Identifier: BSD-3-Clause
/// @file run_folder.hpp  What a run leaves behind: spec.ini, trace.csv, result.json and the solution.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/run/run_loop.hpp>

#include <filesystem>
#include <string>

namespace claros {

/// The result as JSON text: status and why, value, gap, gap_kind, confirmed, lower bound, iterations, epochs, counts,
/// seconds, seed, shape, rank or support, certificate, baseline (training.hpp), versions. Numbers that do not apply are null.
/// "certificate" says of the proximal steps together whether all are exact, the largest error bound, and the share that has
/// one (Certification, counts.hpp).
CLAROS_API std::string result_json(const Composition& composition, const RunResult& result);

/// Writes the solution of one block to `folder` as Matrix Market: U.mtx, s.mtx, V.mtx with X = U diag(s) V' when x is
/// low-rank alone, else x.mtx, which is sparse and without entries when x is 0. Throws Error(data) when it cannot be written.
CLAROS_API void write_solution(const std::filesystem::path& folder, const Element& x);

/// Writes the whole folder, creating it where needed; result.json comes last, so that its presence says that all else
/// is there. Throws Error(data); files are written whole or not at all.
CLAROS_API void write_run_folder(const std::filesystem::path& folder, const Composition& composition, const RunResult& result);

/// The version of the library, "0.1.0".
CLAROS_API std::string version();

}  // namespace claros
