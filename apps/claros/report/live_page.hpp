// SPDX-License-Identifier: BSD-3-Clause
/// @file live_page.hpp  The page of --watch: report.html in the folder of --out, written anew while the work
/// goes on. The page loads itself again; nothing listens on a port.
#pragma once

#include "cli/arguments.hpp"
#include "report/report_data.hpp"

#include <claros/compose/composition.hpp>
#include <claros/run/trace.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <vector>

namespace claros::cli {

/// Adds what is wrong with --watch.
void check_watch(const Arguments& arguments, std::vector<Complaint>& complaints);

/// If a page cannot be made or written, the work goes on and a warning says so once.
class LivePage {
 public:
  using Make = std::function<Report()>;
  LivePage(std::filesystem::path folder, bool quiet) : folder_(std::move(folder)), quiet_(quiet) {}

  /// Writes the page if the last one is two seconds old, or 20 times as long as it took.
  void refresh(const Make& make);
  /// Writes the page a last time: it does not load itself again.
  void finish(const Make& make);
  const std::filesystem::path& folder() const noexcept { return folder_; }

 private:
  void write(const Make& make, bool live);

  std::filesystem::path folder_;
  bool quiet_;
  std::chrono::steady_clock::time_point last_{};
  double cost_ = 0.0;
  bool written_ = false, warned_ = false;
};

/// The rows of a run that has not ended, on a page.
class LiveRun {
 public:
  LiveRun(std::filesystem::path folder, const Composition& composition, bool quiet);
  void add(const TraceRow& row);
  void finish();

 private:
  Report report() const;

  LivePage page_;
  const Composition& composition_;
  std::vector<TraceRow> rows_;
};

}  // namespace claros::cli
