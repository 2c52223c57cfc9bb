// SPDX-License-Identifier: BSD-3-Clause
#include "solve/solve.hpp"

#include <claros/results/checkpoint.hpp>
#include <claros/run/run_loop.hpp>
#include <claros/run/watchdog.hpp>

#include <algorithm>
#include <ctime>
#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <set>

#include "cli/accounts.hpp"
#include "cli/interrupt.hpp"
#include "cli/linear_algebra.hpp"
#include "cli/messages.hpp"
#include "cli/ranks.hpp"
#include "cli/stuck.hpp"
#include "cli/terminal.hpp"
#include "report/live_page.hpp"
#include "solve/progress.hpp"
#include "solve/summary.hpp"

namespace claros::cli {

namespace {

/// A run does not end for want of a checkpoint: the one before stays, and the next is tried when it is due.
/// Said once a reason.
class Checkpoints {
 public:
  Checkpoints(const RunFolder& folder, const Composition& composition)
      : folder_(folder.path()), file_(folder.path(), composition, folder.id()) {}

  void find_start() { file_.find_start(); }
  void operator()(const StateStream& state) {
    try {
      file_.write(state);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      if (!said_.insert(error.what()).second) return;
      report(error);
      const bool before = std::filesystem::exists(folder_ / "checkpoint");
      report("warning: the run goes on; until a checkpoint can be written, claros resume " +
             folder_.string() + (before ? " continues from the previous one" : " starts from the beginning"));
    }
  }

 private:
  std::filesystem::path folder_;
  CheckpointFile file_;
  std::set<std::string> said_;
};

RunResult solve(const Composition& composition, bool quiet, RunFolder* folder, LiveRun* live,
                std::string_view state, Watchdog& watchdog) {
  ProgressLine progress(!quiet);
  reserve_linear_algebra(static_cast<int>(composition.run.threads));
  RunSettings settings = run_settings(composition);
  settings.interrupt = &catch_interrupts();
  settings.watchdog = &watchdog;
  const CommonEnd common_end(settings);
  settings.on_progress = [&](const Progress& p) { progress.show(p); };
  if (live) settings.on_row = [live](const TraceRow& row) { return live->add(row), true; };
  settings.resume = state;
  const OutputOptions& output = composition.output;
  std::optional<Checkpoints> checkpoints;
  const bool keeps = folder && (output.checkpoint > 0 || output.checkpoint_every);
  const auto find_start = [&] { checkpoints.emplace(*folder, composition).find_start(); };
  if (World::here().size() > 1)
    ask_for_start(composition, keeps ? std::function<void()>(find_start) : std::function<void()>());
  else if (keeps)
    checkpoints.emplace(*folder, composition);
  if (folder) folder->begin(composition);
  if (keeps) {
    settings.checkpoint_seconds =
        output.checkpoint > 0 ? output.checkpoint : std::numeric_limits<double>::infinity();
    settings.checkpoint_every = output.checkpoint_every;
    settings.on_checkpoint = [&](const StateStream& saved, bool) { (*checkpoints)(saved); };
  }
  RunResult result = [&] {
    std::optional<HearsSecondInterrupt> hears;  // ranks would wait for each other to write
    if (World::here().size() == 1) hears.emplace();
    return claros::run(composition, settings);
  }();
  common_end.name(result);
  progress.erase();
  return result;
}

/// The last line is for readers of stderr alone; the summary on stdout says the same.
void tell_end(const RunResult& result, bool quiet) {
  if (!result.failure.empty()) report(result.failure);
  if (const std::string traffic = traffic_line(); !quiet && !traffic.empty()) report(traffic);
  const bool summary_beside = out().terminal() && err().terminal();
  if (!quiet && !summary_beside) report(last_line(result));
}

/// If the standard output refuses the result, and no folder has it, the standard error gets it.
void write_result(const std::string& text, bool kept) {
  try {
    out().write(text);
  } catch (const Error&) {
    if (!kept) err().write(text);
    throw;
  }
}

/// Makes the data that need all ranks, before the first one writes a folder. They are the entries of a
/// solution with a part that is known by its products only, such as a gradient that they hold together, and
/// the contents of folding.csv.
std::optional<FoldingRule> for_folder(const Composition& composition, RunResult& result, bool writes) {
  if (World::here().largest("folder of the run", writes ? 1 : 0) == 0) return std::nullopt;
  const auto known_by_products = [](const Part& part) {
    return std::holds_alternative<OperatorForm>(part.form);
  };
  try {
    if (!result.answer.shape().is_product() && std::ranges::any_of(result.answer.parts(), known_by_products))
      (void)result.answer.dense_values();
    return folding_of(composition, result);
  } catch (const std::bad_alloc&) {  // which writing says
    return std::nullopt;
  }
}

/// Keeps the result and shows it, also if it cannot be kept. An error in writing is reported after all
/// else.
int show(const Composition& composition, const RunResult& result, const Arguments& arguments,
         RunFolder* folder, const std::optional<FoldingRule>& folding, double ended) {
  tell_end(result, arguments.has("quiet"));
  const bool changed = warn_of_changed_inputs(composition);
  std::exception_ptr unwritten;
  std::string json;
  try {
    if (folder) json = folder->write(composition, result, folding);
  } catch (const std::exception&) {
    unwritten = std::current_exception();
  }
  const bool kept = folder && !unwritten;
  if (json.empty()) json = result_json(composition, result);
  try {
    write_result(arguments.has("json")
                     ? json
                     : summary(composition, result, kept ? folder->path() : std::filesystem::path(), ended),
                 kept);
  } catch (const Error& error) {
    if (!unwritten) throw;
    report(error);
  }
  if (unwritten) std::rethrow_exception(unwritten);
  const int code = exit_code(result);
  return code == kDone && changed ? exit_code(ErrorKind::data) : code;
}

}  // namespace

int solve_and_show(const Composition& composition, const Arguments& arguments, RunFolder* folder,
                   std::string_view state) {
  const double preparing = seconds_of_program();
  expect_same_on_all_ranks("the specification", composition.effective.text(),
                           "start all ranks with the same words and files");
  std::string versions;
  for (const auto& [label, version] : composition.versions()) versions += label + ' ' + version + '\n';
  expect_same_on_all_ranks("the versions of the plugins", versions, "install the same plugins everywhere");
  std::optional<LiveRun> live;
  if (folder && arguments.has("watch")) live.emplace(folder->path(), composition, arguments.has("quiet"));
  // A pass over the data may take as long as reading them did.
  const double read_for = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  Watchdog watchdog(
      [&](const Stuck& stuck) {
        RunResult last = stuck.last;
        last.preparing_seconds = preparing;
        const double ended = seconds_of_program();
        // Without folding.csv: f is what may be stuck.
        end_while_stuck([&] { return show(composition, last, arguments, folder, {}, ended); },
                        exit_code(last));
      },
      std::max(Watchdog::kGrace, read_for), &second_interrupt());
  if (!arguments.has("quiet")) report(opening(composition));
  RunResult result =
      solve(composition, arguments.has("quiet"), folder, live ? &*live : nullptr, state, watchdog);
  result.preparing_seconds = preparing;
  const auto folding = for_folder(composition, result, folder != nullptr);
  const int code = show(composition, result, arguments, folder, folding, seconds_of_program());
  if (live) live->finish();
  return code;
}

}  // namespace claros::cli
