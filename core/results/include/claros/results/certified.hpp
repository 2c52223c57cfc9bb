// SPDX-License-Identifier: BSD-3-Clause
/// @file certified.hpp  What a result proves, in words.
#pragma once

#include <claros/run/run_loop.hpp>

#include <string>

namespace claros {

/// What the measurement proves of the answer, in words; empty when nothing, as of an expectation that a
/// sample stands for.
CLAROS_API std::string certified_by(const Measurement& measurement);
/// The same of the answer: whether it lies in the set is said where it cannot be checked, and of one outside
/// nothing is proved.
CLAROS_API std::string certified_by(const RunResult& result);

/// gap / |value| of the solution; NaN if it says nothing: the value is 0, or met its target as 0 to rounding.
CLAROS_API double relative_gap(const RunResult& result);

}  // namespace claros
