// SPDX-License-Identifier: BSD-3-Clause
/// @file folds.hpp  Cross-validation of a path: what each lambda costs on rows that were held back.
#pragma once

#include <claros/api.hpp>
#include <claros/map/design.hpp>
#include <claros/paths/path.hpp>
#include <claros/row_parts.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace claros {

/// The metrics by name.
CLAROS_API const std::vector<std::pair<FoldMetric, std::string>>& fold_metrics();

/// Rows that a fit is made on, and those that it is judged by. They are counted from 0 among all rows of the
/// data, also those of weight 0.
struct GivenFold {
  std::vector<Index> training = {}, held_back = {};
};
/// Folds of the caller's own: a row may be held back in none or in several, and be trained on in any other.
struct GivenFolds {
  std::vector<GivenFold> all = {};
  /// How many rows the data must have, with or without those of weight 0; 0: any number, and missing = drop
  /// is refused.
  Index rows = 0;
};

/// Throws Error(data) unless the numbers are whole and at least 0. Rows of one number above 0 are a fold, and
/// its training is all others; those of 0 are in every training.
CLAROS_API GivenFolds folds_of_numbers(std::span<const double> numbers);

/// How rows are parted into folds.
struct FoldRule {
  Index folds = 0;          ///< 0: no cross-validation
  Index repeats = 1;        ///< so many divisions, each drawn anew
  bool stratified = false;  ///< every class has its share of every fold
  FoldMetric by = FoldMetric::loss;
  GivenFolds given = {};  ///< instead of folds that are drawn, if it has some
};

/// The fold 0, ..., folds - 1 of every row, drawn from the seed alone; sizes differ by 1 at most.
CLAROS_API std::vector<Index> draw_folds(Index rows, Index folds, std::uint64_t seed);
/// Draws so in every class: a class is the rows with the same number in `classes`.
CLAROS_API std::vector<Index> draw_stratified_folds(std::span<const double> classes, Index folds,
                                                    std::uint64_t seed);
/// Rows with the same number in `groups` are in the same fold. The largest group is first; each goes into the
/// fold that has the fewest rows, ties by the seed.
CLAROS_API std::vector<Index> draw_grouped_folds(std::span<const Index> groups, Index folds,
                                                 std::uint64_t seed);
/// The share of pairs, with a row of each class, in which the one of class 1 has the larger z; ties count
/// half. If `weights` is empty, all are 1. NaN if a class has no weight.
CLAROS_API double area_under_curve(std::span<const double> z, std::span<const double> signs,
                                   std::span<const double> weights);

/// Over the folds, weighed by the weights of their rows.
struct CLAROS_API FoldMean {
  double mean = std::numeric_limits<double>::quiet_NaN();
  double error = std::numeric_limits<double>::quiet_NaN();  ///< standard error of the mean
};

struct CLAROS_API CrossValidation {
  Index folds = 0, repeats = 1;
  bool given = false;            ///< true if the folds were the caller's own
  std::string other;             ///< a name of fold_metrics; empty where the loss alone is measured
  bool by_other = false;         ///< true if that, and not the loss, chooses
  std::vector<FoldMean> loss;    ///< a lambda: mean psi of the rows held back
  std::vector<FoldMean> beside;  ///< likewise, of `other`
  /// A fold of a division: psi and `other` on its rows, one number a lambda.
  std::vector<std::vector<double>> losses, others;
  /// A lambda: whether one of its fits missed its target (missed_target). It is not chosen where another can
  /// be. Empty: none.
  std::vector<bool> unfinished;
  std::size_t least = 0;     ///< the lambda of the best mean, the largest of those that differ by rounding
  std::size_t simplest = 0;  ///< the largest lambda, of the same value of the second parameter, whose mean is
                             ///< within one standard error of it (Breiman et al. 1984)
  Index missed = 0;          ///< fits of the folds that missed their target
};

/// Weighted mean and standard error of one number a fold. With shares p_k of the masses, error^2 = sum_k p_k
/// (m_k - mean)^2 / (K - 1). NaN if a number is NaN.
CLAROS_API FoldMean fold_mean(const std::vector<double>& numbers, const std::vector<double>& masses);
/// For several divisions: the mean of their means, and of their errors, which are not independent.
CLAROS_API FoldMean repeated_mean(const std::vector<FoldMean>& repeats);
/// The number that chooses, one a lambda: the less, the better.
CLAROS_API std::vector<double> costs_of(const CrossValidation& validation);
/// Sets `least` and `simplest`, where slices begin at `firsts`; throws Error(numerical) where no lambda has a
/// number.
CLAROS_API void select_lambdas(CrossValidation& validation, const std::vector<std::size_t>& firsts = {0});

struct FoldSettings {
  const std::atomic<bool>* interrupt = nullptr;
  Index jobs = 1;        ///< folds at a time, one thread each; the numbers are the same
  bool relaxed = false;  ///< what is held against the rows is the refit (refit.hpp)
  /// During lambda k, counted through all slices, of a fold, counted through all divisions; one call at a
  /// time.
  std::function<void(Index fold, std::size_t k, const Progress&)> on_progress;
};

class FoldedData;

/// A model of rows, or ratings, with its folds.
class CLAROS_API Folds {
 public:
  /// Throws Error(usage) if the composition is neither a model of rows nor ratings, for more folds than rows,
  /// and for given folds of ratings. It throws this, too, if the rows of a training lack a class, and
  /// Error(data) if they are too few in another way. If the design has groups of rows
  /// (DesignOptions::groups), drawn folds keep these together.
  Folds(const Composition& whole, const FoldRule& rule);

  /// Solves the path on the other rows of each fold and evaluates it on the fold: the lambdas of a slice that
  /// are solved on all rows, from place `from` on, where an earlier call ended. False if it was interrupted.
  /// The training rows are copied, those of `jobs` folds at a time: a copy costs one pass, and rows of weight
  /// 0 would be read in all passes after it. Columns stay scaled as on all rows; a baseline of ratings is
  /// fitted to those of the training.
  bool run(const Catalog& catalog, const std::string& parameter, const PathSlice& slice, std::size_t from,
           const FoldSettings& settings);
  /// The means of all lambdas so far. A lambda is unfinished if it is on all rows or in a fold.
  CrossValidation summary(std::vector<bool> unfinished_on_all_rows) const;

 private:
  /// One fold: a number a lambda.
  struct Fit {
    std::vector<double> loss = {}, other = {};
    std::vector<bool> missed = {};
    std::shared_ptr<const Element> reached = {};  ///< where the next lambda of the slice starts
  };
  struct Work {
    const Catalog& catalog;
    const std::string& parameter;
    std::vector<double> lambdas;
    bool begins;   ///< whether they are the first ones of their slice
    bool goes_on;  ///< whether others may follow
    const FoldSettings& settings;
  };
  bool fit(const Work& work, Index which);
  FoldMean mean_of(std::vector<double> Fit::*number, std::size_t k) const;
  /// The rows of the fold that division `repeat` holds back, or all others.
  std::vector<Index> rows_in(Index repeat, Index fold, bool held_back) const;
  std::vector<Index> drawn(Index repeat) const;
  std::vector<Index> drawn_among(const std::vector<Index>& rows, std::uint64_t seed) const;
  std::vector<Index> taken() const;
  std::string remedy() const;
  void require_classes(Index repeat) const;
  void require_weights(Index repeat) const;

  const Composition& whole_;
  std::shared_ptr<const FoldedData> data_;
  FoldRule rule_;
  std::vector<std::vector<Index>> fold_of_;  ///< a division; empty if given folds are none of all rows
  std::vector<double> masses_;               ///< of a fold of each division: the sum of its rows' weights
  std::vector<Fit> fits_;                    ///< likewise
  mutable std::mutex judging_, reporting_;   ///< one loss judges the fits of all folds
  std::chrono::steady_clock::time_point reported_ = {};  ///< the last progress between two lambdas
};

}  // namespace claros
