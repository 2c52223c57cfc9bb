// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/solve_path.hpp>

#include "paths/equal_rows.hpp"

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
#include <set>
#include <utility>

namespace claros {

namespace {

/// How many lambdas of a grid are solved when the best of them is known not to be limited by the end: three
/// follow it, and one is below half of it (a radius above twice). More than there are if none is.
std::size_t enough_beyond(const std::vector<double>& lambdas, std::size_t best) {
  constexpr double kFar = 2.0;
  constexpr std::size_t kFollowing = 3;
  std::size_t k = best + kFollowing;
  const auto is_near = [&](double a, double b) { return std::max(a / b, b / a) < kFar; };
  while (k < lambdas.size() && is_near(lambdas[best], lambdas[k])) ++k;
  return k + 1;
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

std::vector<bool> missed_points(const PathRecord& record) {
  std::vector<bool> missed;
  for (const PathPoint& point : record.points) missed.push_back(point.missed);
  return missed;
}

/// One slice of a path, solved as far as it must be.
class SlicePath {
 public:
  SlicePath(const Catalog& catalog, Composition& composition, const PathGrid& grid, PathRecord& record,
            PathSlice& slice, const PathHooks& hooks, Composition* equal)
      : catalog_(catalog),
        composition_(composition),
        grid_(grid),
        record_(record),
        slice_(slice),
        hooks_(hooks),
        explained_(composition, has_max(composition, record.parameter) && slice.lambdas.front() == slice.max),
        equal_(equal),
        ranking_(ranking_of(composition, grid)),
        first_(record.points.size()) {}

  /// The grid ends early only where nothing chooses, or where what chooses has got worse again: a share that
  /// the model explains says nothing of the rows held back. A grid whose last lambda is chosen is widened.
  /// False if it was interrupted.
  bool operator()(Folds* folds) {
    constexpr int kWidenings = 2;
    int widened = 0;
    for (std::size_t least = 0;;) {
      const std::size_t before = slice_.solved;
      if (!solve(least)) return false;
      const FoldSettings settings{hooks_.interrupt, grid_.jobs, grid_.relaxed, hooks_.on_progress};
      if (folds && !folds->run(catalog_, record_.parameter, slice_, before, settings)) return false;
      const bool ended = !slice_.saturated.empty();
      if (ended && !folds) return true;
      const std::vector<double> costs =
          folds ? costs_of(folds->summary(missed_points(record_))) : chosen_by();
      if (!ended && (widened++ == kWidenings || !widen(costs))) return true;
      least = ended ? wanted(costs) : 0;
      if (ended && least <= slice_.solved) return true;
      slice_.saturated.clear();
    }
  }

 private:
  /// The costs of all points, without folds.
  std::vector<double> chosen_by() const {
    return grid_.information == Criterion::none
               ? record_.costs()
               : information(composition_, grid_.information, record_.points);
  }

  /// Adds smaller lambdas if the smallest is the best, and the cost still falls. These are a decade, or as
  /// many as the grid has if those are fewer. A grid with values or an end of the user's own is kept, and a
  /// path of radii cannot go back.
  bool widen(const std::vector<double>& costs) {
    constexpr double kDecade = 0.1, kFall = 1e-3;
    std::vector<double>& lambdas = slice_.lambdas;
    const bool own = !grid_.values.empty() || grid_.ratio != PathGrid{}.ratio || !(grid_.explained < 1.0);
    if (own || grid_.lambdas < 2 || is_radius(record_.parameter) || record_.points.back().missed ||
        best(costs).value_or(0) + 1 != lambdas.size())
      return false;
    const double step = lambdas.back() / lambdas[lambdas.size() - 2];
    const auto more = std::clamp<Index>(std::lround(std::log(kDecade) / std::log(step)), 1, grid_.lambdas);
    const std::size_t last = lambdas.size() - 1,
                      third = std::max<std::size_t>(1, static_cast<std::size_t>(more) / 3);
    const double earlier = costs[last - std::min(third, last)];
    if (earlier - costs[last] <= kFall * std::abs(earlier)) return false;
    for (Index k = 0; k < more; ++k) lambdas.push_back(step * lambdas.back());
    record_.ratio = std::min(record_.ratio, lambdas.back() / slice_.max);
    composition_.context.note(fmt::format(
        "the best {} was the smallest of the grid: {} smaller ones are solved as well, down to {:.4g}",
        values_of(record_.parameter), more, lambdas.back()));
    return true;
  }

  /// On all rows: `least` lambdas and those up to an early end. False if it was interrupted.
  bool solve(std::size_t least) {
    PathSettings settings;
    settings.interrupt = hooks_.interrupt;
    if (hooks_.on_progress)
      settings.on_progress = [&, from = record_.points.size()](std::size_t k, const Progress& p) {
        hooks_.on_progress(-1, from + k, p);
      };
    settings.enough = [&] { return !slice_.saturated.empty(); };
    const std::vector<double> lambdas(slice_.lambdas.begin() + static_cast<std::ptrdiff_t>(slice_.solved),
                                      slice_.lambdas.end());
    const auto each = [&](std::size_t, RunResult&& result) {
      if (!keep(std::move(result), settings)) return;
      if (++slice_.solved < slice_.lambdas.size() && slice_.solved >= least) slice_.saturated = early_end();
      if (hooks_.on_solved) hooks_.on_solved(record_);
    };
    return follow(composition_, record_.parameter, lambdas, settings, equal_, each) && slice_.is_whole();
  }

  /// False if its refit was interrupted.
  bool keep(RunResult&& result, const PathSettings& settings) {
    const double lambda = slice_.lambdas[slice_.solved];
    bool missed = missed_target(result, composition_.stop);
    if (grid_.relaxed && !is_trouble(result.status)) {
      Refit again = refit(catalog_, composition_, result.answer, settings);
      if (again.result.status == Status::interrupted) return false;
      missed = missed || missed_target(again.result, again.composition.stop);
      record_.points.push_back(point_of(again.composition, lambda, std::move(again.result)));
    } else {
      record_.points.push_back(point_of(composition_, lambda, std::move(result)));
    }
    PathPoint& point = record_.points.back();
    point.over = slice_.value;
    point.missed = missed;
    explained_.note(record_.points, first_);
    if (ranking_ && !is_trouble(point.result.status))
      point.ranking = (*ranking_)(result_of(composition_, point).answer);
    return true;
  }

  /// Why the path ends at the last point, as a sentence; empty if it does not, or not yet.
  std::string early_end() const {
    if (!(grid_.explained < 1.0)) return {};
    const PathPoint& point = record_.points.back();
    const std::string saturated = explained_.saturation(point, grid_.explained);
    if (grid_.information != Criterion::none) {
      if (saturated.empty()) return {};
      // A criterion counts coefficients, and has no meaning for as many as rows.
      if (const std::string full = explained_.interpolation(point); !full.empty()) return full;
      const std::vector<double> costs = information(composition_, grid_.information, record_.points);
      return wanted(costs) <= slice_.solved ? saturated : std::string();
    }
    const std::vector<double> costs = grid_.folds == 0 ? record_.costs() : std::vector<double>();
    if (std::ranges::none_of(costs, [](double cost) { return std::isfinite(cost); })) return saturated;
    if (wanted(costs) > slice_.solved) return {};
    return fmt::format("the {} on objective.test is best at {} {:.5g}",
                       record_.ranking.empty() ? "RMSE" : record_.ranking, values_of(record_.parameter),
                       record_.points[first_ + best(costs).value_or(0)].lambda);
  }

  /// The place in the slice, by the costs of all points; of equal ones the last.
  std::optional<std::size_t> best(const std::vector<double>& costs) const {
    std::vector<double> own(costs.begin() + static_cast<std::ptrdiff_t>(first_), costs.end());
    for (double& one : own) one = std::max(one, std::numeric_limits<double>::lowest());
    const std::vector<bool> missed = missed_points(record_);
    auto place = least_cost(own, {missed.begin() + static_cast<std::ptrdiff_t>(first_), missed.end()});
    for (std::size_t k = place ? *place + 1 : own.size(); k < own.size(); ++k)
      if (own[k] == own[*place]) place = k;
    return place;
  }
  /// So many lambdas must be solved by these costs of all points.
  std::size_t wanted(const std::vector<double>& costs) const {
    const auto place = best(costs);
    const std::size_t all = slice_.lambdas.size();
    return place ? std::min(enough_beyond(slice_.lambdas, *place), all) : all;
  }

  const Catalog& catalog_;
  Composition& composition_;
  const PathGrid& grid_;
  PathRecord& record_;
  PathSlice& slice_;
  const PathHooks& hooks_;
  const Explained explained_;
  Composition* equal_;  ///< the problem of equal rows, or null
  const std::optional<HeldOutRanking> ranking_;
  std::size_t first_;  ///< of the points
};

/// Every slice begins where a path with its value alone does.
void solve_slices(const Catalog& catalog, Composition& composition, const PathGrid& grid, PathRecord& record,
                  Folds* folds, const PathHooks& hooks, Composition* equal) {
  const auto start = composition.given_start;
  for (PathSlice& slice : record.slices) {
    enter_slice(composition, record.parameter, record.over, slice.value);
    composition.given_start = start;
    record.interrupted = !SlicePath(catalog, composition, grid, record, slice, hooks, equal)(folds);
    if (record.interrupted) return;
  }
}

/// A grid starts with its largest number. No lambda of a ridge makes 0 the solution. Its grid starts with
/// that of the elastic net whose share of magnitudes is a thousandth, as glmnet's does.
double first_of_grid(const Composition& composition, const std::string& parameter) {
  constexpr double kShare = 1e-3;
  const auto use = composition.effective.get("penalty", std::string(kUse));
  if (is_radius(parameter) || has_max(composition, parameter) || !use || use->value != "ridge")
    return max_of(composition, parameter);
  return composition.null_slope() / kShare;
}

/// In the order of the path: a lambda falls, a radius rises.
std::vector<double> planned_lambdas(const Composition& composition, const std::string& parameter,
                                    const PathGrid& grid) {
  std::vector<double> lambdas = grid.values;
  if (lambdas.empty())
    lambdas = geometric_grid(first_of_grid(composition, parameter), grid.ratio, grid.lambdas);
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
    const double max = grid.values.empty() || has_max(composition, parameter)
                           ? first_of_grid(composition, parameter)
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

void choose_by_folds(const Folds& folds, PathRecord& record) {
  CrossValidation validation = folds.summary(missed_points(record));
  std::vector<std::size_t> firsts{0};
  for (const PathSlice& slice : record.slices) firsts.push_back(firsts.back() + slice.solved);
  firsts.pop_back();
  select_lambdas(validation, firsts);
  record.chosen = {{"best", validation.least}, {"one-standard-error", validation.simplest}};
  record.validation = std::move(validation);
}

/// Whether equal rows are worth their price: for a path of several lambdas and one value of anything else.
bool is_tall(const PathRecord& record) {
  constexpr std::size_t kMany = 10;
  return record.over.parameter.empty() && record.slices.front().lambdas.size() >= kMany;
}

/// What was chosen was solved on equal rows: it is solved from there, and certified, on all rows.
void confirm_chosen(Composition& composition, PathRecord& record) {
  std::set<std::size_t> places;
  for (const auto& [name, k] : record.chosen) places.insert(k);
  for (const std::size_t k : places) {
    PathPoint& point = record.points[k];
    composition.set_number(record.parameter, point.lambda);
    composition.given_start = std::make_shared<const Element>(result_of(composition, point).answer);
    RunResult result = claros::run(composition, run_settings(composition));
    if (is_trouble(result.status)) continue;
    PathPoint made = point_of(composition, point.lambda, std::move(result));
    made.missed = missed_target(made.result, composition.stop);
    made.over = point.over;
    made.explained = point.explained;
    point = std::move(made);
  }
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
  choose_best(record, record.costs());
}

/// The lambda that is best on held-out entries; none where none are measured.
void choose_by_test(PathRecord& record) { record.by_test = choose_best(record, record.costs()); }

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
  if (composition.run.trial_count() > 1)
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
  record.over = grid.over;
  record.ratio = grid.ratio;
  record.slices = planned_slices(composition, record.parameter, grid);
  record.scaled_residual = residual_is_scaled(composition);
  record.stop = composition.stop;
  record.folds = grid.folds;
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
  std::optional<Folds> folds;
  if (grid.folds > 0) folds.emplace(composition, grid.rule());
  auto equal = is_tall(record) ? with_equal_rows(catalog, composition) : std::nullopt;
  if (equal)
    composition.context.note("the path is solved on " + std::to_string(equal->objective->terms()) +
                             " rows with the same squared loss as all " +
                             std::to_string(composition.objective->terms()) + " (a triangular factor): its " +
                             "gaps are theirs" +
                             (grid.relaxed ? "" : ", and what is chosen is certified on all"));
  solve_slices(catalog, composition, grid, record, folds ? &*folds : nullptr, hooks,
               equal ? &*equal : nullptr);
  if (!record.interrupted && folds) choose_by_folds(*folds, record);
  if (!record.interrupted && grid.information != Criterion::none)
    inform_path(composition, grid.information, record);
  if (!record.interrupted && record.chosen.empty()) choose_by_test(record);
  if (!record.interrupted && equal && !grid.relaxed) confirm_chosen(composition, record);
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
