// SPDX-License-Identifier: BSD-3-Clause
/// @file lag_choice.hpp  Where steps along sparse rows may leave the other coordinates behind, and where that
/// pays.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/map/linear_map.hpp>
#include <claros/parameters.hpp>

#include <algorithm>

namespace claros::sdk {

/// Where steps along sparse rows are lazy: where it pays, wherever it is possible, or nowhere.
enum class Lagged { automatic, always, never };

inline WordRange<Lagged> lagged_words() {
  return one_of<Lagged>({{Lagged::automatic, "auto"}, {Lagged::always, "always"}, {Lagged::never, "never"}});
}

/// Of proximal steps along rows of batches. They may lag where rows are sparse, gradients are rows alone, and
/// h is nothing, or a penalty that offers SeparableLag.
class LagChoice {
 public:
  void start(const Problem& problem, Lagged use) {
    always_ = use == Lagged::always, nonzeros_ = -1.0;
    const Shape shape = problem.objective->shape();
    if (use == Lagged::never || problem.projection || (problem.penalty && !problem.lag) || shape.is_product())
      return;
    auto* rows = query<ComponentCoefficients>(*problem.objective);
    if (!rows || rows->has_common_gradient()) return;
    size_ = static_cast<double>(shape.size());
    nonzeros_ = mean_nonzeros(*rows->map());
  }

  bool possible() const noexcept { return nonzeros_ >= 0.0; }
  /// A step along so many rows.
  bool pays(Index rows) const noexcept {
    return always_ || kTouch * nonzeros_ * static_cast<double>(rows) <= size_;
  }

 private:
  // A coordinate that is touched costs as much as so many of a step on all of them (docs/benchmarks.md).
  static constexpr double kTouch = 32.0;
  // Rows whose nonzeros are counted.
  static constexpr Index kLooks = 256;

  /// The nonzeros of a row in the mean; negative where rows are not sparse.
  static double mean_nonzeros(const LinearMap& map) {
    SparseRow row;
    if (map.size() == 0 || !map.sparse_row(0, row)) return -1.0;
    const Index looks = std::min(kLooks, map.size());
    double sum = 0.0;
    for (Index k = 0; k < looks; ++k) {
      (void)map.sparse_row(k * (map.size() / looks), row);
      sum += static_cast<double>(row.columns.size());
    }
    return sum / static_cast<double>(looks);
  }

  double size_ = 0.0, nonzeros_ = -1.0;
  bool always_ = false;
};

}  // namespace claros::sdk
