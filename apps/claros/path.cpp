// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/path_record.hpp"

#include <claros/run/dry_start.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "command.hpp"
#include "grid_run.hpp"
#include "interrupt.hpp"
#include "out_folder.hpp"
#include "path_table.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "session.hpp"
#include "terminal.hpp"

namespace claros::cli {

namespace {

struct Asked {
  Index lambdas = 100, folds = 0;
  double ratio = 1e-3;
  bool information = false;
};

Asked asked_of(const Arguments& arguments, std::vector<Complaint>& complaints) {
  Asked asked;
  if (arguments.has("lambdas")) asked.lambdas = count_option(arguments, "lambdas", complaints);
  if (arguments.has("folds")) asked.folds = count_option(arguments, "folds", complaints);
  if (asked.folds == 1) complaints.push_back({"--folds", "1 fold leaves no rows to train on", "give 2 or more, often 5 or 10"});
  asked.information = arguments.has("select");
  if (asked.information && asked.folds > 0) complaints.push_back({"--select bic", "selects, and so does --folds", "give one of them"});
  const auto ratio = arguments.get("ratio");
  if (ratio) try {
      asked.ratio = parse_real(*ratio);
      if (!(asked.ratio > 0.0 && asked.ratio < 1.0)) complaints.push_back({"--ratio", "'" + *ratio + "' is out of range", "write a number between 0 and 1, such as 1e-3"});
    } catch (const Error& error) {
      for (const Complaint& complaint : error.complaints()) complaints.push_back({"--ratio", complaint.what, complaint.remedy});
    }
  return asked;
}

bool has_target(const StopOptions& stop) {
  return stop.gap > 0.0 || stop.relative_gap > 0.0 || stop.residual > 0.0 || stop.value > -std::numeric_limits<double>::infinity();
}

/// The work behind the command: the path, and what is selected from it.
class Path {
 public:
  Path(const Catalog& catalog, Composition& composition, const Asked& asked, bool quiet) : catalog_(catalog), composition_(composition), asked_(asked), line_(!quiet) {
    settings_.interrupt = &catch_interrupts();
  }

  /// What may be refused is refused here, before the first step.
  void check(const std::string& parameter) {
    if (composition_.run.trials > 1) throw Error(ErrorKind::usage, "run.trials", "is more than 1, and a path has one run a lambda", "leave it out");
    dry_start(composition_, run_settings(composition_));
    record_.parameter = parameter, record_.max = max_of(composition_, parameter), record_.ratio = asked_.ratio;
    record_.lambdas = geometric_grid(record_.max, asked_.ratio, asked_.lambdas);
    if (asked_.folds > 0) folds_.emplace(composition_, asked_.folds);
    if (asked_.information) (void)bayes_information(composition_, {});
  }

  PathRecord operator()() {
    solve();
    if (!record_.interrupted && folds_) validate();
    if (!record_.interrupted && asked_.information) inform();
    line_.erase();
    tell();
    return std::move(record_);
  }

 private:
  void show(const std::string& lead, std::size_t k, const Progress& p) {
    line_.show(p, fmt::format("{}{}/{} {}={:.4g}: ", lead, k + 1, record_.lambdas.size(), record_.parameter, record_.lambdas[k]));
  }

  void solve() {
    settings_.on_progress = [this](std::size_t k, const Progress& p) { show({}, k, p); };
    record_.interrupted = !follow(composition_, record_.parameter, record_.lambdas, settings_, [this](std::size_t k, RunResult&& result) {
      if (!result.failure.empty()) line_.erase(), report(fmt::format("{}={:.4g}: {}: {}", record_.parameter, record_.lambdas[k], text(result.status), result.failure));
      record_.points.push_back(point_of(composition_, record_.lambdas[k], std::move(result)));
    });
    explain(composition_, record_.points);
  }

  void validate() {
    std::string lead;
    settings_.on_progress = [&](std::size_t k, const Progress& p) { show(lead, k, p); };
    CrossValidation validation;
    const auto on_fold = [&](Index fold) { lead = fmt::format("fold {}/{}, ", fold + 1, asked_.folds); };
    record_.interrupted = !folds_->run(catalog_, record_.parameter, record_.lambdas, settings_, on_fold, validation);
    if (record_.interrupted) return line_.erase(), report("interrupted between the folds: there is no cross-validation");
    record_.chosen = {{"best", validation.least}, {"one-standard-error", validation.simplest}};
    record_.validation = std::move(validation);
    tell_end_of_grid(record_.chosen.front().second);
  }

  void inform() {
    record_.information = bayes_information(composition_, record_.points);
    std::size_t best = 0;
    for (std::size_t k = 0; k < record_.information.size(); ++k)
      if (!(record_.information[best] <= record_.information[k])) best = k;
    record_.chosen = {{"best", best}};
    tell_end_of_grid(best);
  }

  void tell_end_of_grid(std::size_t best) const {
    if (best + 1 == record_.lambdas.size() && best > 0) report("the best lambda is the last of the grid: a better one may lie below it (--ratio)");
  }

  void tell() const {
    if (record_.interrupted) report(fmt::format("interrupted: {} of {} lambdas are solved", record_.points.size(), record_.lambdas.size()));
    const StopOptions& stop = composition_.stop;
    const auto missed = [](const PathPoint& p) { return !met_target(p.result); };
    const auto count = std::count_if(record_.points.begin(), record_.points.end(), missed);
    if (has_target(stop) && count > 0) report(fmt::format("{} of {} lambdas ended without their target (column status)", count, record_.points.size()));
    if (has_target(stop) && record_.validation && record_.validation->missed > 0)
      report(fmt::format("{} of {} fits of the folds ended without their target", record_.validation->missed, static_cast<std::size_t>(record_.validation->folds) * record_.lambdas.size()));
  }

  const Catalog& catalog_;
  Composition& composition_;
  Asked asked_;
  ProgressLine line_;
  PathSettings settings_;
  std::optional<Folds> folds_;
  PathRecord record_;
};

/// As of `compare`: not done only where no lambda is.
int exit_code_of(const PathRecord& record) {
  if (record.interrupted) return kInterrupted;
  const auto failed = [](const PathPoint& p) { return exit_code(p.result) != kDone; };
  if (!std::all_of(record.points.begin(), record.points.end(), failed)) return kDone;
  return exit_code(record.points.front().result);
}

}  // namespace

int path_command(const Arguments& arguments) {
  Request request = read_request(arguments);
  const Asked asked = asked_of(arguments, request.complaints);
  std::optional<OutFolder> folder;
  if (const auto path = arguments.get("out")) folder.emplace(*path, request.complaints, Keeps::path);
  const Catalog catalog = open_catalog(arguments);
  std::string parameter;
  try {
    parameter = path_parameter(catalog, request.spec);
  } catch (const Error& error) {
    request.complaints.insert(request.complaints.end(), error.complaints().begin(), error.complaints().end());
    throw Error(ErrorKind::usage, std::move(request.complaints));
  }
  const Spec spec = spec_at_max(request.spec, parameter);
  Composition composition = compose(catalog, spec, message_sink(arguments.has("quiet")), std::move(request.complaints));
  take_default_stop(composition, request.spec);
  Path path(catalog, composition, asked, arguments.has("quiet"));
  path.check(parameter);
  std::optional<PathFolder> kept;
  if (folder) folder->prepare(), kept.emplace(folder->path());
  const PathRecord record = path();
  // What was done is shown even where it cannot be kept.
  std::exception_ptr unwritten;
  if (kept && !record.points.empty()) try {
      kept->write(composition, record);
    } catch (const std::exception&) {
      unwritten = std::current_exception();
    }
  out().write(arguments.has("json") ? path_json(composition, record) : path_table(record, has_target(composition.stop)));
  if (unwritten) std::rethrow_exception(unwritten);
  return exit_code_of(record);
}

}  // namespace claros::cli
