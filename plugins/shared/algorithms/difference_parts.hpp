// SPDX-License-Identifier: BSD-3-Clause
/// @file difference_parts.hpp  The two parts of an objective that is a difference.
#pragma once

#include <claros/objective.hpp>
#include <claros/watch/watcher.hpp>

#include <string_view>

namespace claros::sdk {

/// Ability of objectives f = p - q, p and q convex. Both live as long as f, and count their own calls.
class DifferenceParts {
 public:
  static constexpr std::string_view kAbility = "claros.difference-parts/1";
  static constexpr std::string_view kWords = "two convex parts, of which it is the difference";
  struct Watched;
  virtual ~DifferenceParts() = default;
  virtual Objective& convex_part() = 0;
  /// g <- g + a grad q(x).
  virtual void add_subtracted_gradient(const Element& x, double a, Element& g) = 0;
};

/// Not timed: the parts have a clock of their own.
struct DifferenceParts::Watched final : Watcher<DifferenceParts> {
  using Watcher::Watcher;
  Objective& convex_part() override {
    return contain(watch_, [&]() -> Objective& { return inner_.convex_part(); });
  }
  void add_subtracted_gradient(const Element& x, double a, Element& g) override {
    contain(watch_, [&] { inner_.add_subtracted_gradient(x, a, g); });
  }
};

}  // namespace claros::sdk
