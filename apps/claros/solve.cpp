// SPDX-License-Identifier: BSD-3-Clause
#include "solve.hpp"

#include <claros/io/atomic_file.hpp>
#include <claros/run/run_loop.hpp>
#include <claros/run/watchdog.hpp>
#include <claros/state/checkpoint.hpp>
#include <claros/state/run_folder.hpp>

#include <exception>
#include <limits>

#include "interrupt.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "stuck.hpp"
#include "summary.hpp"
#include "terminal.hpp"

namespace claros::cli {

namespace {

RunResult solve(const Composition& composition, bool quiet, const std::filesystem::path& folder, std::string_view state, Watchdog& watchdog) {
  ProgressLine progress(!quiet);
  RunSettings settings = run_settings(composition);
  settings.interrupt = &catch_interrupts();
  settings.watchdog = &watchdog;
  settings.on_progress = [&](const Progress& p) { progress.show(p); };
  settings.resume = state;
  const OutputOptions& output = composition.output;
  if (!folder.empty() && (output.checkpoint > 0 || output.checkpoint_every)) {
    if (state.empty()) std::filesystem::remove(folder / "checkpoint");  // of an earlier run
    write_atomically(folder / "spec.ini", composition.effective.text());
    settings.checkpoint_seconds = output.checkpoint > 0 ? output.checkpoint : std::numeric_limits<double>::infinity();
    settings.checkpoint_every = output.checkpoint_every;
    settings.on_checkpoint = [file = CheckpointFile(folder, composition)](const StateStream& saved, bool) mutable { file.write(saved); };
  }
  RunResult result = claros::run(composition, settings);
  progress.erase();
  return result;
}

/// A person who sees the summary needs no last line; whoever sees only stderr does.
void tell_end(const RunResult& result, bool quiet) {
  if (!result.failure.empty()) report(result.failure);
  const bool summary_beside = out().terminal() && err().terminal();
  if (!quiet && !summary_beside) report(last_line(result));
}

/// Keeps the result and shows it, also where it cannot be kept.
int show(const Composition& composition, const RunResult& result, const Arguments& arguments, const std::filesystem::path& folder) {
  tell_end(result, arguments.has("quiet"));
  std::exception_ptr unwritten;
  try {
    if (!folder.empty()) write_run_folder(folder, composition, result);
  } catch (const std::exception&) {
    unwritten = std::current_exception();
  }
  const std::filesystem::path kept = unwritten ? std::filesystem::path() : folder;
  out().write(arguments.has("json") ? result_json(composition, result) : summary(composition, result, kept));
  if (unwritten) std::rethrow_exception(unwritten);
  return exit_code(result);
}

}  // namespace

int solve_and_show(const Composition& composition, const Arguments& arguments, const std::filesystem::path& folder,
                   std::string_view state) {
  Watchdog watchdog([&](const Stuck& stuck) {
    end_while_stuck([&] { return show(composition, stuck.last, arguments, folder); }, exit_code(stuck.last));
  });
  return show(composition, solve(composition, arguments.has("quiet"), folder, state, watchdog), arguments, folder);
}

}  // namespace claros::cli
