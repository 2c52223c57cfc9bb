// SPDX-License-Identifier: BSD-3-Clause
/// @file problem_traits.hpp  The properties of a problem, in the words of an optimizer: smooth, convex,
/// separable, ...
#pragma once

#include <claros/compose/composition.hpp>

#include <optional>
#include <string>

namespace claros::cli {

/// The properties of f, h and C that the components state.
struct Traits {
  explicit Traits(const Composition& composition);

  std::optional<double> smoothness, strong_convexity;
  double weak_convexity = 0.0;
  bool f_is_convex = false, has_penalty = false, has_set = false, separable = false, linear_oracle = false,
       projection = false, spectral = false, expensive = false;
};

/// "the penalty is convex, separable"
std::string of_penalty(const Traits& traits);
/// "the set has a linear oracle and a projection, and vertices of low rank"
std::string of_set(const Traits& traits);
/// All properties in one text.
std::string properties(const Traits& traits);

}  // namespace claros::cli
