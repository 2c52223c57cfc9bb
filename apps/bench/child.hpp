// SPDX-License-Identifier: BSD-3-Clause
/// @file child.hpp  Work in a child process, so that its peak memory is its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace bench {

/// The results of a case: numbers by position, and the child's peak memory in megabytes.
struct Outcome {
  std::vector<double> numbers;
  double peak_megabytes = 0.0;
  bool ok = false;
};

/// Runs `work` in a forked child and reads the numbers that it returns.
Outcome in_child(const std::function<std::vector<double>()>& work);

/// The numbers on every line that a command prints; empty when it fails.
std::vector<std::vector<double>> lines_of(const std::string& command);

double median(std::vector<double> values);

}  // namespace bench
