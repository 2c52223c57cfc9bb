// SPDX-License-Identifier: BSD-3-Clause
#include "grid_run.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <set>

#include "interrupt.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "terminal.hpp"

namespace claros::cli {

namespace {

constexpr Index kMost = 10000;

/// Every run composes its own components, and each says the same. Components hold copies of the sink.
MessageSink once(MessageSink sink) {
  return [sink = std::move(sink), said = std::make_shared<std::set<std::string>>()](Severity severity,
                                                                                    const std::string& text) {
    if (said->insert(text).second) sink(severity, text);
  };
}

/// "3/12 step=short, seed 1"
std::string place(const Comparison& comparison, std::size_t number, const Cell& cell, Index seed) {
  const std::size_t runs = comparison.cells.size() * static_cast<std::size_t>(comparison.repeats);
  return fmt::format("{}/{} {}, seed {}", number, runs, cell.label, seed);
}

std::string end_of(const ComparisonRun& run) {
  if (!run.failure.empty()) return text(run.status) + ": " + run.failure.substr(0, run.failure.find('\n'));
  RunResult result;
  result.status = run.status;
  result.iterations = run.iterations;
  result.waited_seconds = run.seconds + run.measuring_seconds;
  result.measurement = run.measurement;
  return last_line(result);
}

}  // namespace

Index count_option(const Arguments& arguments, const std::string& option,
                   std::vector<Complaint>& complaints) {
  const auto written = arguments.get(option);
  if (!written) return 1;
  try {
    const Index count = parse_integer(*written);
    if (count >= 1 && count <= kMost) return count;
    complaints.push_back({"--" + option, "'" + *written + "' is out of range",
                          fmt::format("write a number from 1 to {}", kMost)});
  } catch (const Error& error) {
    for (const Complaint& complaint : error.complaints())
      complaints.push_back({"--" + option, complaint.what, complaint.remedy});
  }
  return 1;
}

GridOutcome run_grid(const Catalog& catalog, Comparison& comparison, OutFolder* folder,
                     const Arguments& arguments, std::vector<Complaint> complaints) {
  const bool quiet = arguments.has("quiet");
  ProgressLine line(!quiet);
  ComparisonSettings settings;
  const std::atomic<bool>& interrupt = catch_interrupts();
  settings.interrupt = &interrupt;
  settings.messages = once(message_sink(quiet));
  settings.jobs = static_cast<int>(count_option(arguments, "jobs", complaints));
  settings.on_progress = [&](const Cell& cell, Index seed, const Progress& p) {
    line.show(p, place(comparison, comparison.runs.size() + 1, cell, seed) + ": ");
  };
  settings.on_run = [&](const ComparisonRun& run) {
    line.erase();
    const std::string where = place(comparison, comparison.runs.size(), comparison.cells[run.cell], run.seed);
    if (!quiet || !run.failure.empty()) report(where + ": " + end_of(run));
  };
  check(catalog, comparison, settings, complaints);
  std::optional<ComparisonFolder> owned;
  if (folder) folder->prepare(), settings.folder = folder->path(), owned.emplace(settings.folder);
  GridOutcome outcome;
  try {
    claros::run(catalog, comparison, settings);
  } catch (const std::exception&) {
    line.erase();
    outcome.unwritten = std::current_exception();
  }
  outcome.interrupted = interrupt;
  if (owned && !outcome.interrupted && !outcome.unwritten) owned->finish();
  return outcome;
}

}  // namespace claros::cli
