// SPDX-License-Identifier: BSD-3-Clause
/// @file kills.hpp  Runs that are killed at random moments, and what is compared of two runs.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "program.hpp"

namespace claros::test {

/// Rows of trace.csv without the column of seconds.
std::vector<std::string> timeless(const std::string& csv);

/// 60 x 50 with a quarter of the entries, one rating a line.
std::string ratings(std::mt19937& engine);

/// Starts claros and kills it after `milliseconds`, or sees it end; whether it was killed.
bool run_and_kill(const TestFolder& folder, const Words& words, int milliseconds);

}  // namespace claros::test
