// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/solve_path.hpp>

#include <claros/error.hpp>
#include <claros/paths/folds.hpp>
#include <claros/paths/refit.hpp>
#include <claros/run/dry_start.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace claros {

namespace {

/// The lambdas of one slice, on all rows.
void solve_slice(const Catalog& catalog, Composition& composition, const PathGrid& grid, PathRecord& record,
                 PathSlice& slice, const PathHooks& hooks) {
  const Explained explained(composition);
  const std::size_t first = record.points.size();
  PathSettings settings;
  settings.interrupt = hooks.interrupt;
  if (hooks.on_progress)
    settings.on_progress = [&](std::size_t k, const Progress& p) { hooks.on_progress(-1, first + k, p); };
  settings.enough = [&] { return !slice.saturated.empty(); };
  const auto each = [&](std::size_t k, RunResult&& result) {
    if (grid.relaxed && !is_trouble(result.status)) {
      Refit again = refit(catalog, composition, result.answer, settings);
      if (again.result.status == Status::interrupted) return;
      record.points.push_back(point_of(again.composition, slice.lambdas[k], std::move(again.result)));
    } else {
      record.points.push_back(point_of(composition, slice.lambdas[k], std::move(result)));
    }
    record.points.back().over = slice.value;
    explained.note(record.points, first);
    if (++slice.solved < slice.lambdas.size())
      slice.saturated = explained.saturation(record.points.back(), grid.explained);
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

/// What is asked for; throws what is wrong with a value, before the first step.
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
    const double max = max_of(composition, parameter);
    slices.insert(slices.begin(),
                  PathSlice{*value, max, geometric_grid(max, grid.ratio, grid.lambdas), 0, {}});
  }
  if (!grid.over.parameter.empty()) composition.set_number(parameter, slices.front().max);
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

void validate_path(const Catalog& catalog, const Composition& composition, const PathGrid& grid,
                   PathRecord& record, const PathHooks& hooks) {
  const Folds folds(composition, grid.rule());
  const FoldSettings settings{hooks.interrupt, grid.jobs, grid.relaxed, hooks.on_progress};
  CrossValidation validation;
  record.interrupted =
      !folds.run(catalog, record.parameter, record.over, record.slices, settings, validation);
  if (record.interrupted) return;
  record.chosen = {{"best", validation.least}, {"one-standard-error", validation.simplest}};
  record.validation = std::move(validation);
}

void inform_path(const Composition& composition, Criterion criterion, PathRecord& record) {
  for (const auto& [known, name] : criteria())
    if (known == criterion) record.criterion = name;
  record.information = information(composition, criterion, record.points);
  std::size_t best = 0;
  for (std::size_t k = 0; k < record.information.size(); ++k)
    if (!(record.information[best] <= record.information[k])) best = k;
  record.chosen = {{"best", best}};
}

/// The lambda of the least RMSE on held-out entries; none where none are measured.
void choose_by_test(PathRecord& record) {
  const auto rmse = [](const PathPoint& p) { return p.result.measurement.test_rmse; };
  std::size_t best = record.points.size();
  for (std::size_t k = 0; k < record.points.size(); ++k)
    if (std::isfinite(rmse(record.points[k])) &&
        (best == record.points.size() || rmse(record.points[k]) < rmse(record.points[best])))
      best = k;
  if (best == record.points.size()) return;
  record.by_test = true;
  record.chosen = {{"best", best}};
}

void require_test(const Composition& composition, const PathGrid& grid) {
  if (!grid.by_test) return;
  if (grid.folds > 0 || grid.information != Criterion::none)
    throw Error(ErrorKind::usage, "path", "test_rmse and another rule both choose a lambda",
                "ask for one of them");
  const auto test = composition.effective.get("objective", "test");
  if (!test || test->value.empty())
    throw Error(ErrorKind::usage, "path", "test_rmse needs entries that are held out, and none are given",
                "give objective.test = FILE of matrix-completion; rows are held out by --folds K");
}

}  // namespace

Composition compose_path(const Catalog& catalog, const Spec& spec, const HostParts& parts) {
  Composition composition = compose(catalog, spec_at_max(spec, path_parameter(catalog, spec)), parts);
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
  dry_start(composition, run_settings(composition));
  PathRecord record;
  record.parameter = path_parameter(catalog, composition.effective);
  record.over = grid.over, record.ratio = grid.ratio;
  record.slices = planned_slices(composition, record.parameter, grid);
  record.scaled_residual = residual_is_scaled(composition);
  record.stop = composition.stop, record.folds = grid.folds;
  if (grid.folds > 0) (void)Folds(composition, grid.rule());
  if (informed) (void)information(composition, grid.information, {});
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
  Composition composition = compose_path(catalog, spec, parts);
  PathRecord record = plan_path(catalog, composition, grid);
  solve_path(catalog, composition, grid, record, hooks);
  return record;
}

}  // namespace claros
