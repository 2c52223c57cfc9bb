// SPDX-License-Identifier: BSD-3-Clause
/// @file equal_rows.hpp  Few rows that stand for many, for squared losses of tall tables.
#pragma once

#include "paths/folded_data.hpp"

#include <claros/paths/path.hpp>
#include <claros/paths/rows_of_model.hpp>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace claros {

/// Triangular factors of folds, column-major: a training's is that of the others', and nothing is subtracted.
class FoldFactors {
 public:
  struct One {
    std::once_flag made = {};
    std::vector<double> factor = {};
  };
  One& of(Index division, Index fold) {
    const std::scoped_lock lock(lock_);
    return kept_[{division, fold}];
  }

 private:
  std::mutex lock_;
  std::map<std::pair<Index, Index>, One> kept_;
};

/// The mean of w_i (<a_i, x> + b - y_i)^2 over those rows, weights of the mean 1, is a quadratic of p + 1
/// numbers. These p + 2 rows (p + 1 without an intercept) have the same for every x and b: they are an
/// orthogonal transformation of the triangular factor of sqrt(w) [1 A y], so nothing is squared. Nothing if
/// the loss is another one, or if the rows are sparse, on disk, or less than ten times as many.
std::optional<Design> equal_rows(const RowsOfModel& all, const FoldPart& part, FoldFactors& factors);

/// The same problem of equal rows; nothing if there are none.
std::optional<Composition> with_equal_rows(const Catalog& catalog, const Composition& whole);

/// As follow (path.hpp). If there is an `equal` problem, the lambdas after the first are solved there.
bool follow(Composition& composition, const std::string& parameter, const std::vector<double>& lambdas,
            const PathSettings& settings, Composition* equal,
            const std::function<void(std::size_t k, RunResult&&)>& each);

/// Whether runs of these rows mean the same with equal ones. No step draws rows then, and no budget counts
/// them. No target is near the rounding of the rows.
bool takes_equal_rows(const Composition& composition);

}  // namespace claros
