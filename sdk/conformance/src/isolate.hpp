// SPDX-License-Identifier: BSD-3-Clause
/// @file isolate.hpp  A test in this process, or in a child that may crash, hang or exit.
#pragma once

#include "bench.hpp"

#include <functional>

namespace claros::doctor {

/// `at` receives every place that is tried; may be empty. After half of `seconds` no further settings are
/// tried, and the result says so.
Result run_here(const Test& test, const Subject& subject,
                const std::function<void(const std::string&)>& at = {}, double seconds = kInfinity);
/// Runs the test in a child process of at most `limit` seconds; there is a result however the process ends.
Result run_isolated(const Test& test, const Subject& subject, double limit);

}  // namespace claros::doctor
