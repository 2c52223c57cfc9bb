// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/solve_path.hpp>

#include <claros/error.hpp>
#include <claros/paths/folds.hpp>
#include <claros/paths/held_out_ranking.hpp>
#include <claros/paths/refit.hpp>
#include <claros/run/dry_start.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

namespace claros {

namespace {

/// Why no further lambda was solved, as a sentence: those held out got worse again. Empty where they may not
/// have.
std::string past_best(const PathRecord& record, std::size_t first) {
  constexpr double kFar = 2.0;
  constexpr std::size_t kFollowing = 3;
  std::size_t best = first;
  const auto score = [&](std::size_t k) { return record.test_score(record.points[k]); };
  for (std::size_t k = first; k < record.points.size(); ++k)
    if (!(score(k) <= score(best))) best = k;
  const std::size_t last = record.points.size() - 1;
  const double a = record.points[best].lambda, b = record.points[last].lambda;
  if (!std::isfinite(score(best)) || last - best < kFollowing || std::max(a / b, b / a) < kFar) return {};
  return fmt::format("the {} on objective.test is best at {} {:.5g}",
                     record.ranking.empty() ? "RMSE" : record.ranking, values_of(record.parameter), a);
}

bool tests_choose(const PathGrid& grid) { return grid.folds == 0 && grid.information == Criterion::none; }

std::optional<HeldOutRanking> ranking_of(const Composition& composition, const PathGrid& grid) {
  if (grid.ranking.empty()) return std::nullopt;
  const auto metric = RankingMetric::parse(grid.ranking);
  if (!metric)
    throw Error(ErrorKind::usage, "path",
                "expected precision@K, recall@K, map@K or ndcg@K, got '" + grid.ranking + "'",
                "write ndcg@10");
  return std::optional<HeldOutRanking>(std::in_place, composition, *metric, grid.relevant);
}

/// The lambdas of one slice, on all rows.
void solve_slice(const Catalog& catalog, Composition& composition, const PathGrid& grid, PathRecord& record,
                 PathSlice& slice, const PathHooks& hooks) {
  const bool from_max = has_max(composition, record.parameter) && slice.lambdas.front() == slice.max;
  const Explained explained(composition, from_max);
  const std::size_t first = record.points.size();
  const auto ranking = ranking_of(composition, grid);
  PathSettings settings;
  settings.interrupt = hooks.interrupt;
  if (hooks.on_progress)
    settings.on_progress = [&](std::size_t k, const Progress& p) { hooks.on_progress(-1, first + k, p); };
  settings.enough = [&] { return !slice.saturated.empty(); };
  const auto each = [&](std::size_t k, RunResult&& result) {
    bool missed = missed_target(result, composition.stop);
    if (grid.relaxed && !is_trouble(result.status)) {
      Refit again = refit(catalog, composition, result.answer, settings);
      if (again.result.status == Status::interrupted) return;
      missed = missed || missed_target(again.result, again.composition.stop);
      record.points.push_back(point_of(again.composition, slice.lambdas[k], std::move(again.result)));
    } else {
      record.points.push_back(point_of(composition, slice.lambdas[k], std::move(result)));
    }
    PathPoint& point = record.points.back();
    point.over = slice.value, point.missed = missed;
    explained.note(record.points, first);
    if (ranking && !is_trouble(point.result.status))
      point.ranking = (*ranking)(result_of(composition, point).answer);
    if (++slice.solved < slice.lambdas.size()) {
      slice.saturated = explained.saturation(point, grid.explained);
      if (tests_choose(grid) && grid.explained < 1.0 && slice.saturated.empty())
        slice.saturated = past_best(record, first);
    }
    if (hooks.on_solved) hooks.on_solved(record);
  };
  record.interrupted =
      !follow(composition, record.parameter, slice.lambdas, settings, each) || !slice.is_whole();
}

/// Every slice begins where a path with its value alone does.
void solve_lambdas(const Catalog& catalog, Composition& composition, const PathGrid& grid, PathRecord& record,
                   const PathHooks& hooks) {
  const auto start = composition.given_start;
  for (PathSlice& slice : record.slices) {
    if (record.interrupted) return;
    enter_slice(composition, record.parameter, record.over, slice.value);
    composition.given_start = start;
    solve_slice(catalog, composition, grid, record, slice, hooks);
  }
}

/// In the order of the path: a lambda falls, a radius rises.
std::vector<double> planned_lambdas(const Composition& composition, const std::string& parameter,
                                    const PathGrid& grid) {
  std::vector<double> lambdas = grid.values;
  if (lambdas.empty()) lambdas = geometric_grid(max_of(composition, parameter), grid.ratio, grid.lambdas);
  std::ranges::sort(lambdas, std::greater<>());
  if (is_radius(parameter)) std::ranges::reverse(lambdas);
  for (const double lambda : lambdas)
    if (!(lambda > 0.0 && std::isfinite(lambda)))
      throw Error(ErrorKind::usage, "--grid", "expected numbers above 0, got " + print_real(lambda),
                  "leave it out");
  if (const auto twice = std::ranges::adjacent_find(lambdas); twice != lambdas.end())
    throw Error(ErrorKind::usage, "--grid", print_real(*twice) + " is given twice", "give each number once");
  return lambdas;
}

/// The requested slices; throws for a wrong value, before the first step.
std::vector<PathSlice> planned_slices(Composition& composition, const std::string& parameter,
                                      const PathGrid& grid) {
  std::vector<PathSlice> slices;
  std::vector<double> values = grid.over.values;
  if (grid.over.parameter.empty()) values = {std::numeric_limits<double>::quiet_NaN()};
  if (values.empty())
    throw Error(ErrorKind::usage, "over", "no value of " + grid.over.parameter + " given",
                "give at least one");
  for (auto value = values.rbegin(); value != values.rend(); ++value) {  // the first is entered last
    enter_slice(composition, parameter, grid.over, *value);
    std::vector<double> lambdas = planned_lambdas(composition, parameter, grid);
    const bool known = grid.values.empty() || has_max(composition, parameter);
    const double max = known                  ? max_of(composition, parameter)
                       : is_radius(parameter) ? lambdas.back()
                                              : std::numeric_limits<double>::quiet_NaN();
    slices.insert(slices.begin(), PathSlice{*value, max, std::move(lambdas), 0, {}});
  }
  if (!grid.over.parameter.empty()) composition.set_number(parameter, slices.front().lambdas.front());
  return slices;
}

/// The specifications of the refits that were chosen.
void keep_refits(const Catalog& catalog, Composition& composition, PathRecord& record) {
  for (const auto& [name, k] : record.chosen) {
    enter_slice(composition, record.parameter, record.over, record.points[k].over);
    const Element answer = result_of(composition, record.points[k]).answer;
    record.refits.push_back(
        std::make_shared<const Composition>(composition_of_refit(catalog, composition, answer)));
  }
}

std::vector<bool> missed_points(const PathRecord& record) {
  std::vector<bool> missed;
  for (const PathPoint& point : record.points) missed.push_back(point.missed);
  return missed;
}

void validate_path(const Catalog& catalog, const Composition& composition, const PathGrid& grid,
                   PathRecord& record, const PathHooks& hooks) {
  const Folds folds(composition, grid.rule());
  const FoldSettings settings{hooks.interrupt, grid.jobs, grid.relaxed, hooks.on_progress};
  CrossValidation validation;
  validation.unfinished = missed_points(record);
  record.interrupted =
      !folds.run(catalog, record.parameter, record.over, record.slices, settings, validation);
  if (record.interrupted) return;
  record.chosen = {{"best", validation.least}, {"one-standard-error", validation.simplest}};
  record.validation = std::move(validation);
}

bool choose_best(PathRecord& record, const std::vector<double>& cost) {
  const auto best = least_cost(cost, missed_points(record));
  if (best) record.chosen = {{"best", *best}};
  return best.has_value();
}

void inform_path(const Composition& composition, Criterion criterion, PathRecord& record) {
  for (const auto& [known, name] : criteria())
    if (known == criterion) record.criterion = name;
  record.information = information(composition, criterion, record.points);
  std::vector<double> cost = record.information;  // -inf, of a model that fits every row, is the least
  for (double& one : cost) one = std::max(one, std::numeric_limits<double>::lowest());
  choose_best(record, cost);
}

/// The lambda that is best on held-out entries; none where none are measured.
void choose_by_test(PathRecord& record) {
  std::vector<double> cost;
  for (const PathPoint& point : record.points) cost.push_back(-record.test_score(point));
  record.by_test = choose_best(record, cost);
}

void require_test(const Composition& composition, const PathGrid& grid) {
  if (!grid.by_test && grid.ranking.empty()) return;
  const std::string rule = grid.by_test ? "test_rmse" : grid.ranking;
  if (!tests_choose(grid) || (grid.by_test && !grid.ranking.empty()))
    throw Error(ErrorKind::usage, "path", rule + " and another rule both choose a lambda",
                "ask for one of them");
  const auto test = composition.effective.get("objective", "test");
  if (!test || test->value.empty())
    throw Error(ErrorKind::usage, "path", rule + " needs entries that are held out, and none are given",
                "give objective.test = FILE of matrix-completion; rows are held out by --folds K");
}

/// path_parameter, whose error has the other complaints too.
std::string parameter_of(const Catalog& catalog, const Spec& spec, std::vector<Complaint> complaints) {
  try {
    return path_parameter(catalog, spec);
  } catch (const Error& error) {
    complaints.insert(complaints.end(), error.complaints().begin(), error.complaints().end());
    throw Error(ErrorKind::usage, std::move(complaints));
  }
}

/// Holds messages of an attempt: they are passed on once it has succeeded.
class Attempt {
 public:
  explicit Attempt(MessageSink messages) : messages_(std::move(messages)) {}
  static MessageSink sink(std::shared_ptr<Attempt> attempt) {
    return [attempt = std::move(attempt)](Severity severity, const std::string& text) {
      if (!attempt->open_) return attempt->said_.emplace_back(severity, text), void();
      if (attempt->messages_) attempt->messages_(severity, text);
    };
  }
  void succeeded() {
    open_ = true;
    for (const auto& [severity, text] : said_)
      if (messages_) messages_(severity, text);
  }

 private:
  MessageSink messages_;
  std::vector<std::pair<Severity, std::string>> said_;
  bool open_ = false;
};

}  // namespace

Composition compose_path(const Catalog& catalog, const Spec& spec, const std::vector<double>& grid,
                         const HostParts& parts, MessageSink messages, std::vector<Complaint> complaints) {
  const std::string parameter = parameter_of(catalog, spec, complaints);
  Spec whole = spec_at_max(catalog, spec, parameter);
  Composition composition;
  if (grid.empty() || !complaints.empty()) {
    composition = compose(catalog, whole, parts, std::move(messages), std::move(complaints));
  } else {
    const auto attempt = std::make_shared<Attempt>(messages);
    try {
      composition = compose(catalog, whole, parts, Attempt::sink(attempt));
      attempt->succeeded();
    } catch (const Error&) {
      whole.set(parameter, print_real(grid.front()), "claros path");
      composition = compose(catalog, whole, parts, std::move(messages));
    }
  }
  take_default_stop(composition, spec);
  return composition;
}

PathRecord plan_path(const Catalog& catalog, Composition& composition, const PathGrid& grid) {
  if (composition.run.trials > 1)
    throw Error(ErrorKind::usage, "run.trials", "is more than 1, and a path has one run for each lambda",
                "leave it out");
  const bool informed = grid.information != Criterion::none;
  if (informed && grid.folds > 0)
    throw Error(ErrorKind::usage, "path", "folds and an information criterion both choose a lambda",
                "ask for one of them");
  require_test(composition, grid);
  (void)ranking_of(composition, grid);
  dry_start(composition, run_settings(composition));
  PathRecord record;
  record.ranking = grid.ranking;
  record.parameter = path_parameter(catalog, composition.effective);
  record.over = grid.over, record.ratio = grid.ratio;
  record.slices = planned_slices(composition, record.parameter, grid);
  record.scaled_residual = residual_is_scaled(composition);
  record.stop = composition.stop, record.folds = grid.folds;
  if (grid.folds > 0) (void)Folds(composition, grid.rule());
  if (informed) (void)information(composition, grid.information, {});
  if (informed && !is_radius(record.parameter) && !has_max(composition, record.parameter))
    throw Error(ErrorKind::usage, "--select",
                "an information criterion counts the columns of a model, and this penalty leaves none out",
                "select with --folds K");
  if (grid.relaxed) require_refits(composition);
  record.relaxed = grid.relaxed;
  return record;
}

void solve_path(const Catalog& catalog, Composition& composition, const PathGrid& grid, PathRecord& record,
                const PathHooks& hooks) {
  solve_lambdas(catalog, composition, grid, record, hooks);
  if (!record.interrupted && grid.folds > 0) validate_path(catalog, composition, grid, record, hooks);
  if (!record.interrupted && grid.information != Criterion::none)
    inform_path(composition, grid.information, record);
  if (!record.interrupted && record.chosen.empty()) choose_by_test(record);
  if (grid.relaxed) keep_refits(catalog, composition, record);
}

PathRecord solve_path(const Catalog& catalog, const Spec& spec, const PathGrid& grid, const PathHooks& hooks,
                      const HostParts& parts) {
  Composition composition = compose_path(catalog, spec, grid.values, parts);
  PathRecord record = plan_path(catalog, composition, grid);
  solve_path(catalog, composition, grid, record, hooks);
  return record;
}

}  // namespace claros
