// SPDX-License-Identifier: BSD-3-Clause
/// @file certified.hpp  The proof in a result, in words.
#pragma once

#include <claros/run/run_loop.hpp>

#include <string>

namespace claros {

/// Says in words what the measurement proves of the solution. Empty if it proves nothing, as for an
/// expectation that a sample stands for.
CLAROS_API std::string certified_by(const Measurement& measurement);
/// Says the same of a result. It says if the set cannot check whether the solution lies inside; for a
/// solution outside, nothing is proved.
CLAROS_API std::string certified_by(const RunResult& result);

/// gap / |value| of the solution; NaN if it says nothing: the value is 0, or met its target as 0 to rounding.
CLAROS_API double relative_gap(const RunResult& result);

}  // namespace claros
