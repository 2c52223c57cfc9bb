// SPDX-License-Identifier: BSD-3-Clause
/// @file solve_path.hpp  A regularization path in one call: solutions along a grid of lambdas, and the choice
/// of one.
///
///     PathRecord path = solve_path(catalog, spec, {.lambdas = 50, .folds = 5}, {}, parts);
///     path.points[path.chosen.front().second].coefficients
#pragma once

#include <claros/paths/path_record.hpp>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace claros {

/// The grid: `lambdas` numbers from max down to ratio max, each the same fraction of the one before. For a
/// radius they are the same numbers, from the smallest.
struct PathGrid {
  PathAxis over = {};               ///< a second parameter: so many lambdas for each of its values
  std::vector<double> values = {};  ///< instead: these, in any order
  Index lambdas = 100;
  /// The usual ratio is widened by a decade, at most twice, if the smallest lambda is chosen. Others stay.
  double ratio = 1e-3;
  /// The path ends where the model explains more of the loss than this share, or interpolates the rows
  /// (Explained::saturation). If something chooses (folds, a criterion, entries held out), it goes on until
  /// lambda is below half of the best one so far and three have followed it. A criterion also ends at
  /// interpolation. Entries held out end the path without a saturated model too. 1: the grid is solved
  /// as it is.
  double explained = 0.999;
  /// The folds of a cross-validation, which chooses "best" and "one-standard-error"; 0: none.
  Index folds = 0;
  GivenFolds given = {};                    ///< which `folds` counts; empty: they are drawn
  Index repeats = 1;                        ///< divisions into folds
  bool stratified = false;                  ///< every class has its share of every fold
  FoldMetric by = FoldMetric::loss;         ///< what chooses
  Index jobs = 1;                           ///< folds at a time; each holds a copy of its rows
  Criterion information = Criterion::none;  ///< which chooses "best"; not with folds
  /// If neither chooses, the RMSE on held-out entries chooses "best", if the objective has some (HeldOut).
  /// True: it must have some.
  bool by_test = false;
  /// Instead of the RMSE, how well they are ranked (RankingMetric): "ndcg@10".
  std::string ranking = {};
  double relevant = -std::numeric_limits<double>::infinity();  ///< entries held out from this value on
  bool relaxed = false;  ///< every solution is the refit on its support (refit.hpp)

  FoldRule rule() const { return {folds, repeats, stratified, by, given}; }
};

struct PathHooks {
  const std::atomic<bool>* interrupt = nullptr;
  /// During the lambda of point k; fold is -1 on all rows. One call at a time, from any thread.
  std::function<void(Index fold, std::size_t k, const Progress&)> on_progress;
  /// After every lambda on all rows, with what the path has so far.
  std::function<void(const PathRecord&)> on_solved;
};

/// The composition of `spec` at max, to an accuracy of its own if `spec` names none (take_default_stop). If
/// max is not known and `grid` is given, it is at the first number of `grid`. Throws Error(usage) with all
/// faults, including `complaints`.
CLAROS_API Composition compose_path(const Catalog& catalog, const Spec& spec, const std::vector<double>& grid,
                                    const HostParts& parts = {}, MessageSink messages = {},
                                    std::vector<Complaint> complaints = {});

/// Plans the path, and refuses before the first step: Error(usage) for several trials, a model that has no
/// folds or no likelihood, and max = 0. `composition` is that of compose_path.
CLAROS_API PathRecord plan_path(const Catalog& catalog, Composition& composition, const PathGrid& grid);
/// Solves what was planned. A record that is `interrupted` has the lambdas that were solved.
CLAROS_API void solve_path(const Catalog& catalog, Composition& composition, const PathGrid& grid,
                           PathRecord& record, const PathHooks& hooks = {});

/// All of it.
CLAROS_API PathRecord solve_path(const Catalog& catalog, const Spec& spec, const PathGrid& grid = {},
                                 const PathHooks& hooks = {}, const HostParts& parts = {});

}  // namespace claros
