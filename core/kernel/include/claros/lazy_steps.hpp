// SPDX-License-Identifier: BSD-3-Clause
/// @file lazy_steps.hpp  Many proximal steps of a few coordinates at once, as plain functions.
#pragma once

#include <claros/api.hpp>

#include <cstdint>
#include <span>

namespace claros {

/// Steps x <- prox_{t h}(x - t d) of one length t. They are called millions of times, so nothing watches
/// them; their results are checked as part of the iterate. They throw nothing and end for every number, NaN
/// too. `count` is at least 1.
///
/// If h is a sum over coordinates, `coordinate` is set; if it is a sum over groups of them, `group` is set.
struct LazySteps {
  const void* self = nullptr;
  /// x after the steps. Adds the sum of the `count` new values to *sum unless that is null. Its time does not
  /// grow with `count`.
  double (*coordinate)(const void* self, double x, Index count, double d, double* sum) = nullptr;

  /// Steps the entries of group g, side by side, into x and sum (empty if not asked for). If the group stays
  /// at rest, its time does not grow with `count`.
  void (*group)(const void* self, Index g, Index count, std::span<const double> d, std::span<double> x,
                std::span<double> sum) = nullptr;
  /// The group of every coordinate.
  std::span<const std::int32_t> group_of = {};
  /// Group g holds members[k], or k itself if there are none, from k = first[g] on and below first[g + 1].
  std::span<const std::size_t> first = {};
  std::span<const std::int32_t> members = {};
};

}  // namespace claros
