// SPDX-License-Identifier: BSD-3-Clause
#include <claros/composition.hpp>
#include <claros/run_folder.hpp>
#include <claros/run_loop.hpp>

#include <exception>
#include <optional>

#include "command.hpp"
#include "interrupt.hpp"
#include "out_folder.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "session.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace claros::cli {

namespace {

RunResult solve(const Composition& composition, bool quiet) {
  ProgressLine progress(!quiet);
  RunSettings settings;
  settings.stop = composition.stop;
  settings.trace = composition.trace;
  settings.threads = static_cast<int>(composition.run.threads);
  settings.interrupt = &catch_interrupts();
  settings.on_progress = [&](const Progress& p) { progress.show(p); };
  RunResult result = claros::run(composition.problem(), *composition.algorithm, composition.start_point(),
                                 settings, composition.names);
  progress.erase();
  return result;
}

/// A person who sees the summary needs no last line; whoever sees only stderr does.
void tell_end(const RunResult& result, bool quiet) {
  if (!result.failure.empty()) report(result.failure);
  const bool summary_beside = out().terminal() && err().terminal();
  if (!quiet && !summary_beside) report(last_line(result));
}

}  // namespace

int run(const Arguments& arguments) {
  const bool quiet = arguments.has("quiet");
  Request request = read_request(arguments);
  std::optional<OutFolder> folder;
  if (const auto path = arguments.get("out")) folder.emplace(*path, request.complaints);
  const Catalog catalog = open_catalog(arguments);
  const Composition composition =
      compose(catalog, request.spec, message_sink(quiet), std::move(request.complaints));
  if (folder) folder->prepare();

  const RunResult result = solve(composition, quiet);
  tell_end(result, quiet);
  // The result is shown even where it cannot be kept.
  std::exception_ptr unwritten;
  try {
    if (folder) write_run_folder(folder->path(), composition, result);
  } catch (const std::exception&) {
    unwritten = std::current_exception();
  }
  const std::filesystem::path kept = folder && !unwritten ? folder->path() : std::filesystem::path();
  out().write(arguments.has("json") ? result_json(composition, result) : summary(composition, result, kept));
  if (unwritten) std::rethrow_exception(unwritten);
  return exit_code(result);
}

}  // namespace claros::cli
