// SPDX-License-Identifier: BSD-3-Clause
/// @file lazy_choice.hpp  Where steps along sparse rows may update the other coordinates lazily, and where
/// that pays.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/map/linear_map.hpp>
#include <claros/parameters.hpp>

#include <algorithm>

namespace claros::sdk {

/// When steps along sparse rows are lazy: if it pays, whenever it is possible, or never.
enum class LazyUse { automatic, always, never };

inline WordRange<LazyUse> lazy_words() {
  return one_of<LazyUse>(
      {{LazyUse::automatic, "auto"}, {LazyUse::always, "always"}, {LazyUse::never, "never"}});
}

/// The choice for proximal steps along rows of batches. They may be lazy if rows are sparse, gradients are
/// rows alone, and h is absent or a penalty that offers LazyProximal.
class LazyChoice {
 public:
  void start(const Problem& problem, LazyUse use) {
    always_ = use == LazyUse::always;
    nonzeros_ = -1.0;
    const Shape shape = problem.objective->shape();
    if (use == LazyUse::never || problem.projection || (problem.penalty && !problem.lazy) ||
        shape.is_product())
      return;
    auto* rows = query<TermCoefficients>(*problem.objective);
    if (!rows || rows->has_common_gradient()) return;
    size_ = static_cast<double>(shape.size());
    nonzeros_ = mean_nonzeros(*rows->map());
  }

  bool possible() const noexcept { return nonzeros_ >= 0.0; }
  /// A step along that many rows.
  bool pays(Index rows) const noexcept {
    return always_ || kUpdate * nonzeros_ * static_cast<double>(rows) <= size_;
  }

 private:
  // An updated coordinate costs as much as so many of a step on all of them (docs/benchmarks.md).
  static constexpr double kUpdate = 32.0;
  // Rows whose nonzeros are counted.
  static constexpr Index kRows = 256;

  /// The nonzeros of a row in the mean; negative if rows are not sparse.
  static double mean_nonzeros(const LinearMap& map) {
    SparseRow row;
    if (map.size() == 0 || !map.sparse_row(0, row)) return -1.0;
    const Index rows = std::min(kRows, map.size());
    double sum = 0.0;
    for (Index k = 0; k < rows; ++k) {
      (void)map.sparse_row(k * (map.size() / rows), row);
      sum += static_cast<double>(row.columns.size());
    }
    return sum / static_cast<double>(rows);
  }

  double size_ = 0.0, nonzeros_ = -1.0;
  bool always_ = false;
};

}  // namespace claros::sdk
