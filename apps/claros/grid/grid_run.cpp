// SPDX-License-Identifier: BSD-3-Clause
#include "grid/grid_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "cli/interrupt.hpp"
#include "cli/linear_algebra.hpp"
#include "cli/messages.hpp"
#include "cli/stuck.hpp"
#include "cli/terminal.hpp"
#include "grid/processors.hpp"
#include "report/live_page.hpp"
#include "report/read_report.hpp"
#include "solve/progress.hpp"
#include "solve/time_left.hpp"

namespace claros::cli {

namespace {

/// Every run composes its own components, which print the same notes. Components hold copies of the sink.
MessageSink once(MessageSink sink) {
  return [sink = std::move(sink), said = std::make_shared<std::set<std::string>>()](Severity severity,
                                                                                    const std::string& text) {
    if (said->insert(text).second) sink(severity, text);
  };
}

std::size_t runs_of(const Comparison& comparison) {
  return comparison.cells.size() * static_cast<std::size_t>(comparison.repeats);
}

/// "; about 7 min left"
std::string left_after(const Comparison& comparison, int jobs) {
  const double seconds = seconds_left(comparison, jobs);
  return seconds >= 1.0 ? "; about " + duration_text(seconds) + " left" : std::string();
}

/// "3/12 step=short, seed 1"
std::string place(const Comparison& comparison, std::size_t number, const Cell& cell, Index seed) {
  return fmt::format("{}/{} {}, seed {}", number, runs_of(comparison), cell.label, seed);
}

std::string end_of(const ComparisonRun& run) {
  if (!run.failure.empty()) return text(run.status) + ": " + run.failure.substr(0, run.failure.find('\n'));
  RunResult result;
  result.status = run.status;
  result.iterations = run.iterations;
  result.elapsed_seconds = run.seconds + run.measuring_seconds;
  result.measurement = run.measurement;
  return last_line(result);
}

}  // namespace

Comparison grid_of(const Arguments& arguments, Request& request, std::vector<Vary> varies) {
  Comparison comparison;
  comparison.varies = std::move(varies);
  comparison.repeats = count_option(arguments, "repeat", request.complaints);
  comparison.spec = request.spec;
  try {
    comparison.cells = expand(request.spec, comparison.varies);
  } catch (const Error& error) {
    request.complaints.insert(request.complaints.end(), error.complaints().begin(), error.complaints().end());
  }
  if (comparison.cells.empty()) throw Error(ErrorKind::usage, std::move(request.complaints));
  return comparison;
}

int GridOutcome::exit_code(int code) const {
  return code == kDone && changed_inputs ? cli::exit_code(ErrorKind::data) : code;
}

GridOutcome run_grid(const Catalog& catalog, Comparison& comparison, OutFolder* folder,
                     const Arguments& arguments, std::vector<Complaint> complaints, KeptRuns* kept) {
  const bool quiet = arguments.has("quiet");
  ProgressLine line(!quiet);
  ComparisonSettings settings;
  const std::atomic<bool>& interrupt = catch_interrupts();
  settings.interrupt = &interrupt;
  settings.messages = once(message_sink(quiet));
  // The figures of papers compare run times, which runs beside each other disturb.
  const bool many = !kept && !arguments.has("jobs");
  settings.jobs =
      static_cast<int>(many ? std::min(default_jobs(comparison.spec),
                                       static_cast<Index>(comparison.cells.size()) * comparison.repeats)
                            : count_option(arguments, "jobs", complaints));
  reserve_linear_algebra(settings.jobs);
  settings.in_child = [](const std::function<void()>& write) {
    return said_in_child([&] { return write(), static_cast<int>(kDone); }) == kDone;
  };
  settings.on_progress = [&](const Cell& cell, Index seed, const Progress& p) {
    line.show(p, place(comparison, comparison.runs.size() + 1, cell, seed) + ": ");
  };
  std::optional<LivePage> page;
  if (folder && arguments.has("watch")) page.emplace(folder->path(), quiet);
  const auto told = [&] { return report_of_comparison(page->folder(), page->folder().filename().string()); };
  std::size_t reported = 0;
  settings.on_run = [&](const ComparisonRun& run) {
    ++reported;
    if (page) page->refresh(told);
    if (run.earlier) return;
    line.erase();
    const std::string where = place(comparison, reported, comparison.cells[run.cell], run.seed);
    if (!quiet || !run.failure.empty())
      report(where + ": " + end_of(run) + left_after(comparison, settings.jobs));
  };
  check(catalog, comparison, settings, complaints);
  std::optional<ComparisonFolder> owned;
  if (folder)
    folder->prepare(), settings.folder = folder->path(), owned.emplace(settings.folder, kept != nullptr);
  if (kept) {
    kept->begin(comparison, settings.folder);
    settings.earlier = [kept](const Cell& cell, ComparisonRun& run) { return kept->take(cell, run); };
    if (kept->size() > 0 && !quiet)
      report(fmt::format("{} of {} runs are up to date and are kept",
                         std::min(kept->size(), runs_of(comparison)), runs_of(comparison)));
  }
  GridOutcome outcome;
  try {
    claros::run(catalog, comparison, settings);
  } catch (const std::exception&) {
    line.erase();
    outcome.unwritten = std::current_exception();
  }
  if (page) page->finish(told);
  outcome.interrupted = interrupt;
  std::set<std::string> changed;
  for (const ComparisonRun& run : comparison.runs)
    changed.insert(run.changed_inputs.begin(), run.changed_inputs.end());
  for (const std::string& file : changed)
    report("warning: " + file +
           ": has changed since a run read it: results are those of the contents that were read" +
           (folder ? " (comparison.json names the file under changed_inputs)" : ""));
  outcome.changed_inputs = !changed.empty();
  if (owned && !outcome.interrupted && !outcome.unwritten) owned->finish();
  return outcome;
}

}  // namespace claros::cli
