// SPDX-License-Identifier: BSD-3-Clause
#include <claros/comparison.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <set>

#include "command.hpp"
#include "comparison_table.hpp"
#include "interrupt.hpp"
#include "out_folder.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "session.hpp"
#include "terminal.hpp"

namespace claros::cli {

namespace {

constexpr Index kMostRepeats = 10000;

Index repeats(const Arguments& arguments, std::vector<Complaint>& complaints) {
  const auto written = arguments.get("repeat");
  if (!written) return 1;
  try {
    const Index count = parse_integer(*written);
    if (count >= 1 && count <= kMostRepeats) return count;
    complaints.push_back({"--repeat", "'" + *written + "' is out of range",
                          fmt::format("write a number from 1 to {}", kMostRepeats)});
  } catch (const Error& error) {
    for (const Complaint& complaint : error.complaints())
      complaints.push_back({"--repeat", complaint.what, complaint.remedy});
  }
  return 1;
}

Comparison grid(const Arguments& arguments, Request& request) {
  Comparison comparison;
  comparison.spec = request.spec;
  comparison.varies = read_varies(arguments.all("vary"), "--vary", request.complaints);
  comparison.repeats = repeats(arguments, request.complaints);
  if (!arguments.has("vary") && !arguments.has("repeat"))
    request.complaints.push_back(
        {"compare", "there is nothing to compare", "give --vary section.key=a,b,c, or --repeat K"});
  try {
    comparison.cells = expand(request.spec, comparison.varies);
  } catch (const Error& error) {
    request.complaints.insert(request.complaints.end(), error.complaints().begin(), error.complaints().end());
  }
  if (comparison.cells.empty()) throw Error(ErrorKind::usage, std::move(request.complaints));
  return comparison;
}

/// Every run composes its own components, and each says the same.
MessageSink once(MessageSink sink) {
  return [sink = std::move(sink), said = std::set<std::string>()](Severity severity,
                                                                  const std::string& text) mutable {
    if (said.insert(text).second) sink(severity, text);
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
  result.seconds = run.seconds;
  result.measurement = run.measurement;
  return last_line(result);
}

int exit_code_of(const Comparison& comparison, bool interrupted) {
  if (interrupted) return kInterrupted;
  const auto failed = [](const ComparisonRun& run) {
    return exit_code(run.status, run.failure_kind) != kDone;
  };
  if (!std::all_of(comparison.runs.begin(), comparison.runs.end(), failed)) return kDone;
  const ComparisonRun& first = comparison.runs.front();
  return exit_code(first.status, first.failure_kind);
}

}  // namespace

int compare(const Arguments& arguments) {
  const bool quiet = arguments.has("quiet");
  Request request = read_request(arguments);
  std::optional<OutFolder> folder;
  if (const auto path = arguments.get("out")) folder.emplace(*path, request.complaints, Keeps::comparison);
  Comparison comparison = grid(arguments, request);
  const Catalog catalog = open_catalog(arguments);

  ProgressLine line(!quiet);
  ComparisonSettings settings;
  const std::atomic<bool>& interrupt = catch_interrupts();
  settings.interrupt = &interrupt;
  settings.messages = once(message_sink(quiet));
  settings.on_progress = [&](const Cell& cell, Index seed, const Progress& p) {
    line.show(p, place(comparison, comparison.runs.size() + 1, cell, seed) + ": ");
  };
  settings.on_run = [&](const ComparisonRun& run) {
    line.erase();
    const std::string where = place(comparison, comparison.runs.size(), comparison.cells[run.cell], run.seed);
    if (!quiet || !run.failure.empty()) report(where + ": " + end_of(run));
  };
  check(catalog, comparison, settings, request.complaints);
  if (folder) folder->prepare(), settings.folder = folder->path();

  // What was done is shown even where it cannot be kept.
  std::exception_ptr unwritten;
  try {
    claros::run(catalog, comparison, settings);
  } catch (const std::exception&) {
    line.erase();
    unwritten = std::current_exception();
  }
  out().write(arguments.has("json") ? comparison_json(comparison) : comparison_table(comparison));
  if (unwritten) std::rethrow_exception(unwritten);
  return exit_code_of(comparison, interrupt);
}

}  // namespace claros::cli
