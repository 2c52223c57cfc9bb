// SPDX-License-Identifier: BSD-3-Clause
/// @file isolate.hpp  A test in this process, or in a child that may crash, hang or exit.
#pragma once

#include "bench.hpp"

#include <functional>

namespace claros::doctor {

/// `at` is told every place that is tried; may be empty.
Result run_here(const Test& test, const Subject& subject,
                const std::function<void(const std::string&)>& at = {});
/// The same in a child process of at most `limit` seconds; however it ends, there is a result.
Result run_isolated(const Test& test, const Subject& subject, double limit);

/// How a child ended, and what it wrote.
struct ChildEnd {
  bool finished = false;  ///< it ended by itself, with exit code 0
  std::string trouble;    ///< why not: "was ended by signal 11 (Segmentation fault)"
  std::string bytes;
};
/// Forks; the child writes what `work` returns. The calling process must not have started threads of its own.
ChildEnd in_child(const std::function<std::string()>& work, double limit);

}  // namespace claros::doctor
