// SPDX-License-Identifier: BSD-3-Clause
#include <claros/grids/comparison.hpp>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "cli/messages.hpp"
#include "cli/out_folder.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "grid/commands.hpp"
#include "grid/comparison_table.hpp"
#include "grid/grid_run.hpp"
#include "report/live_page.hpp"

namespace claros::cli {

namespace {

Comparison grid(const Arguments& arguments, Request& request) {
  std::vector<Vary> varies = read_varies(arguments.all("vary"), "--vary", request.complaints);
  if (!arguments.has("vary") && !arguments.has("repeat")) {
    const auto list = std::ranges::find_if(arguments.words(), [](const std::string& word) {
      return word.find('=') != word.npos && word.find(',') != word.npos;
    });
    request.complaints.push_back({"compare", "no grid given",
                                  list == arguments.words().end()
                                      ? "write --vary section.key=a,b,c, or --repeat K"
                                      : "did you mean --vary " + *list + "?"});
  }
  return grid_of(arguments, request, std::move(varies));
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

int compare_command(const Arguments& arguments) {
  Request request = read_request(arguments);
  std::optional<OutFolder> folder;
  if (const auto path = arguments.get("out")) folder.emplace(*path, request.complaints, Keeps::comparison);
  const Catalog catalog = open_catalog(arguments, request);
  Comparison comparison = grid(arguments, request);
  check_watch(arguments, request.complaints);
  // Results are shown even if they cannot be written.
  const GridOutcome outcome =
      run_grid(catalog, comparison, folder ? &*folder : nullptr, arguments, std::move(request.complaints));
  out().write(arguments.has("json") ? comparison_json(comparison) : comparison_table(comparison));
  if (outcome.unwritten) std::rethrow_exception(outcome.unwritten);
  return outcome.exit_code(exit_code_of(comparison, outcome.interrupted));
}

}  // namespace claros::cli
