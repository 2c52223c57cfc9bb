// SPDX-License-Identifier: BSD-3-Clause
/// @file split_set.hpp  Intersections whose parts minimise linear functions.
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>
#include <claros/watch/watcher.hpp>

#include <string_view>
#include <utility>
#include <vector>

namespace claros::sdk {

/// Ability of intersections C = C_1 n ... n C_m, each C_i with a linear oracle, for algorithms that move a
/// copy of x in every part.
class SplitSet {
 public:
  static constexpr std::string_view kAbility = "claros.sdk.split-set/1";
  static constexpr std::string_view kWords = "a linear oracle of each of its parts";
  struct Watched;
  virtual ~SplitSet() = default;
  /// C_1, ..., C_m, each with a LinearOracle; they live as long as the set.
  virtual std::vector<Component*> parts() = 0;
  /// Sets a point x of C, and y_2, ..., y_m of any values, y_1 = -(y_2 + ... + y_m). The set then bounds its
  /// support function:
  ///     sigma(s) <= sum_i max(sigma_i(s_i), <s_i, x>),  s_i = s/m + y_i.
  /// This holds for every split of s. With s = -grad f(x) it makes a duality gap of f over C. The gap is 0 if
  /// x is a minimiser and -s_i a normal of C_i at x. An empty list takes the bound back.
  virtual void split(const Element& x, std::vector<Element> y) = 0;
};

struct SplitSet::Watched final : Watcher<SplitSet> {
  using Watcher::Watcher;
  std::vector<Component*> parts() override {
    return call([&] { return inner_.parts(); });
  }
  void split(const Element& x, std::vector<Element> y) override {
    call([&] { inner_.split(x, std::move(y)); });
  }
};

}  // namespace claros::sdk
