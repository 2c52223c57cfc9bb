// SPDX-License-Identifier: BSD-3-Clause
/// @file child_process.hpp  Work in a child process that may crash, hang or exit.
#pragma once

#include <claros/api.hpp>

#include <functional>
#include <string>

namespace claros {

/// How a child ended, and what it wrote.
struct CLAROS_API ChildEnd {
  bool finished = false;  ///< the work was done to its end
  std::string trouble;    ///< why not: "was ended by signal 11 (Segmentation fault)"
  std::string bytes;      ///< what the work returned, if it finished
};

/// Forks; the child hands over what `work` returns, within `limit` seconds. Whatever else it does (an exit
/// with code 0 as well) is trouble. Its standard output goes to standard error, or nowhere with `silent`. The
/// calling process should have no threads that hold locks: a child has only the one that called. Throws
/// Error(data) when the system gives no process.
CLAROS_API ChildEnd in_child(const std::function<std::string()>& work, double limit, bool silent = false);

}  // namespace claros
