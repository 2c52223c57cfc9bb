// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/design_io.hpp>
#include <claros/paths/held_out_ranking.hpp>
#include <claros/paths/solve_path.hpp>
#include <claros/results/checkpoint.hpp>
#include <claros/results/coefficients.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/interrupt.hpp"
#include "cli/linear_algebra.hpp"
#include "cli/messages.hpp"
#include "cli/out_folder.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "grid/commands.hpp"
#include "grid/grid_run.hpp"
#include "grid/path_table.hpp"
#include "grid/processors.hpp"
#include "grid/tuning.hpp"
#include "report/live_page.hpp"
#include "report/read_report.hpp"
#include "solve/progress.hpp"
#include "solve/summary.hpp"
#include "solve/time_left.hpp"

namespace claros::cli {

namespace {

void read_share(const Arguments& arguments, const std::string& name, double most, double& share,
                std::vector<Complaint>& complaints) {
  const auto text = arguments.get(name);
  if (!text) return;
  const std::string remedy = "write a number in that range, such as " + print_real(share);
  try {
    share = parse_real(*text);
    if (!(share > 0.0 && share <= most))
      complaints.push_back({"--" + name, "expected a number between 0 and 1, got '" + *text + "'", remedy});
  } catch (const Error& error) {
    for (const Complaint& complaint : error.complaints())
      complaints.push_back({"--" + name, complaint.what, complaint.remedy});
  }
}

/// The choice that a word means; the command checks the word.
template <class Choice>
Choice word_option(const Arguments& arguments, const std::string& name,
                   const std::vector<std::pair<Choice, std::string>>& words, Choice fallback) {
  const auto word = arguments.get(name);
  for (const auto& [choice, known] : words)
    if (word && *word == known) return choice;
  return fallback;
}

/// The choice by entries that are held out.
void read_ranking(const Arguments& arguments, PathGrid& asked, std::vector<Complaint>& complaints) {
  const std::string by = arguments.get("by").value_or("");
  if (RankingMetric::parse(by)) asked.ranking = by;
  if (by.find('@') != by.npos && asked.ranking.empty())
    complaints.push_back(
        {"--by", "expected a number of columns from 1 on after the '@', got '" + by + "'", "write ndcg@10"});
  const auto least = arguments.get("relevant");
  if (least && asked.ranking.empty())
    complaints.push_back({"--relevant", "is about rankings, and --by names none", "add --by ndcg@10"});
  if (least) asked.relevant = parse_real(*least);
}

/// The numbers of --grid.
std::vector<double> listed(const std::string& text) {
  std::vector<double> numbers;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    numbers.push_back(parse_real(text.substr(from, to - from)));
    from = to + 1;
  }
  return numbers;
}

void read_values(const Arguments& arguments, PathGrid& asked, std::vector<Complaint>& complaints) {
  const auto text = arguments.get("grid");
  if (!text) return;
  asked.values = listed(with_ranges(*text, "--grid"));
  for (const char* other : {"lambdas", "ratio"})
    if (arguments.has(other))
      complaints.push_back({"--grid", std::string("lists the numbers that --") + other + " makes",
                            std::string("leave --") + other + " out"});
}

/// Adds that option to the complaints that `read` throws.
template <class Read>
void read_option(const std::string& option, std::vector<Complaint>& complaints, const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    for (const Complaint& complaint : error.complaints())
      complaints.push_back({"--" + option, complaint.what, complaint.remedy});
  }
}

/// A count, or the file with the fold of every row.
void read_folds(const Arguments& arguments, PathGrid& asked, std::vector<Complaint>& complaints) {
  const auto text = arguments.get("folds");
  if (!text) return;
  if (std::ranges::all_of(*text, [](char c) { return c >= '0' && c <= '9'; })) {
    asked.folds = count_option(arguments, "folds", complaints);  // also where a file has that name
    return;
  }
  if (std::error_code none; !std::filesystem::is_regular_file(*text, none)) {
    complaints.push_back(
        {"--folds", "expected a number of folds, or a file with the fold of each row, got '" + *text + "'",
         "write 5 or 10"});
    return;
  }
  const DenseTable table = read_numbers(*text);
  if (table.cols != 1)
    complaints.push_back({"--folds", "expected a number a line, got " + std::to_string(table.cols), ""});
  asked.given = folds_of_numbers(table.values);
  asked.folds = std::ssize(asked.given.all);
  if (asked.given.all.empty())
    complaints.push_back({"--folds", "no row of " + *text + " is in a fold", "number them from 1"});
  for (const char* drawn : {"repeats", "stratified"})
    if (arguments.has(drawn))
      complaints.push_back({std::string("--") + drawn,
                            "is about folds that are drawn, and " + *text + " gives them", "leave it out"});
}

PathGrid grid_of(const Arguments& arguments, std::vector<Complaint>& complaints) {
  PathGrid asked;
  if (arguments.has("lambdas")) asked.lambdas = count_option(arguments, "lambdas", complaints);
  read_option("folds", complaints, [&] { read_folds(arguments, asked, complaints); });
  if (asked.folds == 1 && asked.given.all.empty())
    complaints.push_back(
        {"--folds", "expected at least 2 folds, got 1, which leaves no rows to train on", "use 5 or 10"});
  if (arguments.has("repeats")) asked.repeats = count_option(arguments, "repeats", complaints);
  asked.jobs = arguments.has("jobs") ? count_option(arguments, "jobs", complaints) : processors();
  asked.stratified = arguments.has("stratified");
  asked.relaxed = arguments.has("relaxed");
  asked.by_test = arguments.get("by") == "test_rmse";
  read_option("relevant", complaints, [&] { read_ranking(arguments, asked, complaints); });
  read_option("grid", complaints, [&] { read_values(arguments, asked, complaints); });
  asked.by = word_option(arguments, "by", fold_metrics(), asked.by);
  asked.information = word_option(arguments, "select", criteria(), asked.information);
  const bool by_test = asked.by_test || arguments.get("by").value_or("").find('@') != std::string::npos;
  for (const char* of_folds : {"repeats", "stratified", "by", "jobs"})
    if (asked.folds == 0 && !(by_test && of_folds == std::string("by")) && arguments.has(of_folds))
      complaints.push_back(
          {std::string("--") + of_folds, "is about folds, and there are none", "add --folds 10"});
  if (asked.information != Criterion::none && asked.folds > 0)
    complaints.push_back(
        {"--select", "cannot be combined with --folds: both choose a lambda", "give one of them"});
  try {
    if (const auto over = arguments.get("over")) {
      const auto values = std::min(over->find('='), over->size() - 1) + 1;
      asked.over =
          PathAxis::parse(over->substr(0, values) + with_ranges(over->substr(values), "--over"), "--over");
    }
  } catch (const Error& error) {
    complaints.insert(complaints.end(), error.complaints().begin(), error.complaints().end());
  }
  read_share(arguments, "ratio", std::nextafter(1.0, 0.0), asked.ratio, complaints);
  read_share(arguments, "explained", 1.0, asked.explained, complaints);
  return asked;
}

std::string label_of(const LivePage& page) { return page.folder().filename().string(); }

/// Writes the path while it grows, so that a killed one leaves what it had solved. Writing takes at most a
/// tenth of the time: a few of the last lambdas may be missing. A file that cannot be written now gives an
/// error at the end.
class Keeping {
 public:
  Keeping(PathFolder* folder, Composition& composition, LivePage* page)
      : folder_(folder), composition_(composition), page_(page) {}

  void solved(const PathRecord& record) {
    constexpr double kLeast = 0.2, kShare = 0.1;
    if (seconds_since(last_) >= std::max(kLeast, cost_ / kShare)) write(record);
  }
  void write(const PathRecord& record) {
    if (!folder_) return;
    const auto begin = Clock::now();
    try {
      folder_->write(composition_, record);
      if (page_) page_->refresh([this] { return report_of_path(page_->folder(), label_of(*page_)); });
    } catch (const Error&) {
      folder_ = nullptr;
    }
    last_ = Clock::now();
    cost_ = seconds_since(begin);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static double seconds_since(Clock::time_point time) {
    return std::chrono::duration<double>(Clock::now() - time).count();
  }

  PathFolder* folder_;
  Composition& composition_;
  LivePage* page_;
  Clock::time_point last_ = Clock::now();
  double cost_ = 0.0;
};

/// The work behind the command: the path, and what it shows on its way.
class Path {
 public:
  Path(const Catalog& catalog, Composition& composition, const PathGrid& grid, bool quiet)
      : catalog_(catalog), composition_(composition), grid_(grid), line_(!quiet) {}

  /// Everything that may be refused is refused here, before the first step.
  void check() { record_ = plan_path(catalog_, composition_, grid_); }

  PathRecord operator()(PathFolder* folder, LivePage* page) {
    Keeping keeping(folder, composition_, page);
    PathHooks hooks;
    hooks.interrupt = &catch_interrupts();
    hooks.on_progress = [this](Index fold, std::size_t k, const Progress& p) { show(fold, k, p); };
    hooks.on_solved = [&](const PathRecord& record) { solved(record, keeping); };
    solve_path(catalog_, composition_, grid_, record_, hooks);
    line_.erase();
    tell();
    return std::move(record_);
  }

 private:
  void show(Index fold, std::size_t k, const Progress& p) {
    const std::string lead =
        fold < 0 ? std::string() : fmt::format("fold {}/{}, ", fold + 1, grid_.folds * grid_.repeats);
    const PathSlice* slice = record_.current();
    const bool is_solved = k < record_.points.size();
    if (!is_solved && !slice) return;
    const double over = is_solved ? record_.points[k].over : slice->value,
                 lambda = is_solved ? record_.points[k].lambda : slice->lambdas[slice->solved];
    line_.show(p, fmt::format("{}{}/{} {}{}={:.4g}{}: ", lead, k + 1, record_.expected(), over_text(over),
                              record_.parameter, lambda, left(k)));
  }

  std::string over_text(double over) const {
    const std::string& name = record_.over.parameter;
    return name.empty() ? std::string() : fmt::format("{}={:.4g} ", name, over);
  }

  void solved(const PathRecord& record, Keeping& keeping) {
    const PathPoint& last = record.points.back();
    if (!last.result.failure.empty())
      line_.erase(), report(fmt::format("{}{}={:.4g}: {}: {}", over_text(last.over), record.parameter,
                                        last.lambda, text(last.result.status), last.result.failure));
    const bool is_over = !record.current();
    if (is_over && grid_.folds > 0) keeping.write(record);
    if (is_over) return;
    keeping.solved(record);
    show_next(last.result);
  }

  /// Between two lambdas: a short one reports nothing itself.
  void show_next(const RunResult& last) {
    constexpr std::chrono::milliseconds kPause{100};
    const auto now = std::chrono::steady_clock::now();
    if (now - shown_ < kPause) return;
    shown_ = now;
    const Measurement& m = last.measurement;
    show(-1, record_.points.size(), {last.iterations, last.epochs, last.seconds, m.value, m.gap, m.residual});
  }

  /// The time of the lambdas from k on, at the pace of the last ones.
  std::string left(std::size_t k) const {
    constexpr std::size_t kLast = 3;
    if (k < kLast || record_.points.size() < k) return {};
    double seconds = 0.0;
    for (std::size_t j = k - kLast; j < k; ++j)
      seconds += record_.points[j].result.elapsed_seconds / static_cast<double>(kLast);
    return ", about " + duration_text(seconds * static_cast<double>(record_.expected() - k)) + " left";
  }

  void tell_edge() const {
    const std::string edge = record_.edge();
    if (edge.empty()) return;
    const bool beyond = edge.ends_with("may be better"), smaller = edge.find("a smaller") != edge.npos;
    report("warning: " + edge +
           (!beyond                 ? ""
            : !grid_.values.empty() ? " (add it to --grid)"
            : smaller               ? " (lower --ratio)"
                                    : ""));
  }

  const char* plural() const { return is_radius(record_.parameter) ? "radii" : "lambdas"; }

  void tell_saturated() const {
    for (const PathSlice& slice : record_.slices)
      if (!slice.saturated.empty())
        report(fmt::format("{}stopped after {} of {} {}: {} (--explained 1 goes on)", over_text(slice.value),
                           slice.solved, slice.lambdas.size(), plural(), slice.saturated));
  }

  /// How many fits missed their target, and what that means for the choice.
  void tell_missed() const {
    const auto missed = [](const PathPoint& p) { return p.missed; };
    const auto count = std::ranges::count_if(record_.points, missed);
    const Index of_folds = record_.validation ? record_.validation->missed : 0;
    if (has_target(composition_.stop) && count > 0)
      report(fmt::format("{} of {} {} ended without their target (column status; claros help not-met)", count,
                         record_.points.size(), plural()));
    if (has_target(composition_.stop) && of_folds > 0)
      report(fmt::format("{} of {} fits of the folds ended without their target", of_folds,
                         static_cast<std::size_t>(record_.validation->folds * record_.validation->repeats) *
                             record_.points.size()));
    if (record_.chosen.empty() || count + of_folds == 0) return;
    report(record_.chose_unfinished()
               ? fmt::format("warning: no {} met its target in all of its fits: the choice is the best of "
                             "unfinished ones ({})",
                             values_of(record_.parameter), remedy_of_missed())
               : fmt::format("warning: {} of {} {} have unfinished fits and are not chosen ({})",
                             unfinished_count(), record_.points.size(), plural(), remedy_of_missed()));
  }

  /// "raise stop.iterations = 5, or ease stop.relative_gap = 1e-4"
  std::string remedy_of_missed() const {
    static const std::vector<std::string> targets{"gap", "relative_gap", "residual", "value"};
    std::vector<std::string> raised, eased;
    for (const Setting& rule : set_rules(composition_)) {
      const bool target = std::ranges::find(targets, rule.key) != targets.end();
      (target ? eased : raised).push_back("stop." + rule.key + " = " + rule.value);
    }
    if (eased.empty()) return "take a shorter step, or another algorithm";
    return (raised.empty() ? "" : "raise " + joined(raised, " or ") + ", or ") + "ease " +
           joined(eased, " or ");
  }

  std::size_t unfinished_count() const {
    std::size_t count = 0;
    for (std::size_t k = 0; k < record_.points.size(); ++k) count += record_.is_unfinished(k);
    return count;
  }

  void tell() const {
    if (!record_.chose_unfinished()) tell_edge();
    if (record_.interrupted && grid_.folds > 0 && !record_.current())
      report("interrupted between the folds: no cross-validation was made");
    tell_saturated();
    if (record_.interrupted)
      report(fmt::format("interrupted: {} of {} {} are solved", record_.points.size(), record_.expected(),
                         plural()));
    tell_missed();
  }

  const Catalog& catalog_;
  Composition& composition_;
  PathGrid grid_;
  ProgressLine line_;
  PathRecord record_;
  std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now();
};

/// The coefficients of the last chosen solution, the one with the fewest; empty if the model has no names.
std::string chosen_coefficients(const Composition& composition, const PathRecord& record) {
  if (record.chosen.empty()) return {};
  const auto& [name, k] = record.chosen.back();
  const auto named = coefficients_of(composition, result_of(composition, record.points[k]).answer);
  const std::string lines = named ? coefficient_lines(*named, "DIR/" + name) : std::string();
  return lines.empty() ? lines : '\n' + name + ':' + lines;
}

/// The exit code is an error if no lambda is done, as for `compare`, and if none of them may be chosen, as
/// for `tune`.
int exit_code_of(const PathRecord& record) {
  if (record.interrupted) return kInterrupted;
  const auto failed = [](const PathPoint& p) { return exit_code(p.result) != kDone; };
  if (std::ranges::all_of(record.points, failed)) return exit_code(record.points.front().result);
  return record.chose_unfinished() ? kVerdict : kDone;
}

}  // namespace

int path_command(const Arguments& arguments) {
  Request request = read_request(arguments);
  const PathGrid grid = grid_of(arguments, request.complaints);
  if (grid.folds > 0) reserve_linear_algebra(static_cast<int>(grid.jobs));
  std::optional<OutFolder> folder;
  if (const auto path = arguments.get("out")) folder.emplace(*path, request.complaints, Keeps::path);
  const Catalog catalog = open_catalog(arguments, request);
  check_watch(arguments, request.complaints);
  Composition composition = compose_path(catalog, request.spec, grid.values, {},
                                         message_sink(arguments.has("quiet")), std::move(request.complaints));
  Path path(catalog, composition, grid, arguments.has("quiet"));
  path.check();
  std::optional<PathFolder> kept;
  if (folder) folder->prepare(), kept.emplace(folder->path());
  std::optional<LivePage> page;
  if (folder && arguments.has("watch")) page.emplace(folder->path(), arguments.has("quiet"));
  const PathRecord record = path(kept ? &*kept : nullptr, page ? &*page : nullptr);
  const bool changed = warn_of_changed_inputs(composition);
  // Results are shown even if they cannot be written.
  std::exception_ptr unwritten;
  if (kept && !record.points.empty()) try {
      kept->write(composition, record);
      if (page) page->finish([&] { return report_of_path(page->folder(), label_of(*page)); });
    } catch (const std::exception&) {
      unwritten = std::current_exception();
    }
  out().write(arguments.has("json") ? path_json(composition, record)
                                    : path_table(record) + chosen_coefficients(composition, record));
  if (unwritten) std::rethrow_exception(unwritten);
  const int code = exit_code_of(record);
  return code == kDone && changed ? exit_code(ErrorKind::data) : code;
}

}  // namespace claros::cli
