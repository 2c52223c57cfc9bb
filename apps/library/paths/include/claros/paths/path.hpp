// SPDX-License-Identifier: BSD-3-Clause
/// @file path.hpp  Solutions along a grid of lambdas, each started from the one before, all on one objective.
#pragma once

#include <claros/api.hpp>
#include <claros/paths/path_axis.hpp>
#include <claros/paths/rows_of_model.hpp>

#include <claros/compose/composition.hpp>
#include <claros/run/run_loop.hpp>

#include <atomic>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace claros {

/// The parameter that a path is over: "penalty.lambda", or that of the penalty which may be a fraction of max
/// (LambdaMax). Without a penalty "set.radius". Throws Error(usage) if there is none.
CLAROS_API std::string path_parameter(const Catalog& catalog, const Spec& spec);

/// True if it is a radius: its path goes from the smallest to the largest, each set within the next.
CLAROS_API bool is_radius(const std::string& parameter);
/// The name of a path's values: "lambda", "radius".
CLAROS_API std::string values_of(const std::string& parameter);

/// `spec` at max (if none is known, at some number), with a budget if it has no stopping rule. Its
/// composition gives max, and whether a gap is known.
CLAROS_API Spec spec_at_max(const Catalog& catalog, const Spec& spec, const std::string& parameter);
/// The accuracy of a path if `spec` names no target (gap, relative_gap, residual, value). It is a relative
/// gap of 1e-4, or the same residual if no gap is known. Budgets of [stop] stay, each for one lambda. Without
/// a penalty there is also a gap of 1e-5 f(0), or that of the null model, unless `spec` names a gap. A large
/// ball holds points with f = 0.
CLAROS_API void take_default_stop(Composition& composition, const Spec& spec);

/// True if `follow` multiplies the residual to reach by lambda/max. It does so for a weakly convex penalty,
/// whose gap is not known, if the user set no residual. It is relative to the gradient of the null model, and
/// so would pass lambdas below it untouched.
CLAROS_API bool residual_is_scaled(const Composition& composition);

/// True if the smallest lambda whose solution is 0 is known. A ridge has none.
CLAROS_API bool has_max(const Composition& composition, const std::string& parameter);
/// The max that the composition of `spec_at_max` was given. For a radius, with ratings Y and a loss of x - y,
/// it is a bound on ||Y||_*, where Y is 0 at unobserved entries. In the ball of that radius f has its minimum
/// over all matrices, and a larger radius changes nothing. Throws Error(usage) if it is 0 or not known.
CLAROS_API double max_of(const Composition& composition, const std::string& parameter);
/// max, ..., ratio max: `count` numbers, each the same fraction of the one before.
CLAROS_API std::vector<double> geometric_grid(double max, double ratio, Index count);

/// The nonzero entries of a vector; matrices column-major.
struct CLAROS_API SparseColumn {
  std::vector<Index> at;
  std::vector<double> value;

  static SparseColumn of(const Element& x);
  Element element(const Shape& shape) const;
};

/// One solution. NaN if a number is not known.
struct CLAROS_API PathPoint {
  double lambda = 0.0;
  double over = std::numeric_limits<double>::quiet_NaN();  ///< value of the second parameter (PathAxis)
  RunResult result;           ///< its answer is 0 if `is_kept`: the solution is in `solution`
  bool missed = false;        ///< missed_target of `result`, or of the run that it was fitted again after
  bool is_kept = false;       ///< false for matrices of low rank
  SparseColumn solution;      ///< as the algorithm had it
  SparseColumn coefficients;  ///< in the units of the data
  Index support = 0;          ///< penalised entries that are not 0; for low rank the rank
  double ranking =
      std::numeric_limits<double>::quiet_NaN();           ///< of the entries held out (PathRecord::ranking)
  double fit = std::numeric_limits<double>::quiet_NaN();  ///< f + R, without the penalty
  double explained = std::numeric_limits<double>::quiet_NaN();  ///< 1 - (f - least) / (f of no columns -
                                                                ///< least): R^2 of a squared loss
};

/// `result` of its target, or another end.
CLAROS_API bool met_target(const RunResult& result);
/// True if runs by these rules have a target, and not budgets alone.
CLAROS_API bool has_target(const StopOptions& stop);
/// True if `result` ended in trouble, or had a target in `stop` and ended without it.
CLAROS_API bool missed_target(const RunResult& result, const StopOptions& stop);
/// The place of the least finite cost, the first of equal ones. It is among those that are not `unfinished`
/// if one of them is finite, else among all. Nothing if no cost is finite.
CLAROS_API std::optional<std::size_t> least_cost(const std::vector<double>& costs,
                                                 const std::vector<bool>& unfinished);

struct CLAROS_API PathSettings {
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(std::size_t k, const Progress&)> on_progress;
  std::function<bool()> enough;  ///< asked after every lambda; true ends the path there
};

/// Solves for each lambda in turn, and gives every result to `each` as it is. The first starts where the
/// composition says, every other at the answer before it (a run in trouble hands on what it began with). An
/// interrupted run is not given; false then.
CLAROS_API bool follow(Composition& composition, const std::string& parameter,
                       const std::vector<double>& lambdas, const PathSettings& settings,
                       const std::function<void(std::size_t k, RunResult&&)>& each);

/// Entries of `coefficients`: those of the variable, and those that the way back to the units of the data
/// adds.
CLAROS_API Index coefficient_count(const Composition& composition);
/// The part of a result that a path keeps.
CLAROS_API PathPoint point_of(const Composition& composition, double lambda, RunResult result);
/// How much of the loss the points of a path explain, where the objective is a loss of rows whose least value
/// is known.
class CLAROS_API Explained {
 public:
  /// `from_max`: whether the first point of a slice is the model with nothing in it.
  Explained(const Composition& composition, bool from_max);
  /// Fills in `explained` of the last point; `first` is that of its slice.
  void note(std::vector<PathPoint>& points, std::size_t first = 0) const;
  /// Says in a sentence why smaller lambdas fit noise alone. Either `point` explains more than the share
  /// `most`, or there are as many columns as rows and nearly as many coefficients. (Friedman, Hastie,
  /// Tibshirani 2010, section 2.5.) Empty if they may not, and if `most` is 1.
  std::string saturation(const PathPoint& point, double most) const;
  /// The second of the two reasons alone.
  std::string interpolation(const PathPoint& point) const;

 private:
  std::optional<RowsOfModel> rows_;
  bool from_max_ = true;
  double least_ = 0.0;
  double nothing_ =
      std::numeric_limits<double>::quiet_NaN();  ///< of rows: the loss of no columns, where known
  double null_ = 0.0;  ///< over a ball, for ratings whose least loss is 0: f(0); else 0
};
/// The result of a point, with its answer.
CLAROS_API RunResult result_of(const Composition& composition, const PathPoint& point);

enum class Criterion { none, aic, bic, ebic };
CLAROS_API const std::vector<std::pair<Criterion, std::string>>& criteria();
/// -2 log-likelihood + c of every point, up to what all share. With support d (the degrees of freedom of a
/// Lasso: Zou, Hastie, Tibshirani 2007) of p columns, c is 2 d (AIC, Akaike 1974), d log n (BIC, Schwarz
/// 1978), or d log n + 2 log C(p, d) (EBIC, gamma = 1; Chen, Chen 2008). For a squared loss the noise is
/// unknown, and -2 log-likelihood is n log(2 f); for logistic and poisson it is 2 n f. Throws Error(usage)
/// for other objectives.
CLAROS_API std::vector<double> information(const Composition& composition, Criterion criterion,
                                           const std::vector<PathPoint>& points);

}  // namespace claros
