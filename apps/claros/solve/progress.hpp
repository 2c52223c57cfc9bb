// SPDX-License-Identifier: BSD-3-Clause
/// @file progress.hpp  The display of a run at work.
#pragma once

#include <claros/run/run_loop.hpp>

#include <string>

namespace claros::cli {

/// One line of stderr, written over and over; nothing if the cursor cannot be moved.
class ProgressLine {
 public:
  explicit ProgressLine(bool wanted);
  /// `lead` says which run of several this is.
  void show(const Progress& progress, const std::string& lead = {});
  void erase();

 private:
  bool on_;
};

/// "relative-gap after 643 steps, 0.57 s: value 0.1234, gap 1e-3"
std::string last_line(const RunResult& result);

}  // namespace claros::cli
