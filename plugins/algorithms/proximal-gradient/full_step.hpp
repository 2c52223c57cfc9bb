// SPDX-License-Identifier: BSD-3-Clause
/// @file full_step.hpp  Steps of the full gradient, with momentum or without, of a given length or of their own.
#pragma once

#include <claros/element/element.hpp>
#include <claros/objective.hpp>
#include <claros/state/state.hpp>

#include <functional>
#include <optional>

/// x+ = prox_{s h}(y - s g), g the gradient at y, then y+ = x+ + beta (x+ - x): FISTA (Beck, Teboulle 2009), restarted when
/// the step turns against the gradient (O'Donoghue, Candes 2015), or with beta = 0.
///
/// A length of its own follows the curvature that the steps meet. A step is good when
///   f(x+) - f(y) - <g, x+ - y> <= ||x+ - y||^2 / (2 s),
/// which every s <= 1/L passes, and longer ones where f is flatter, as it is for sparse differences. It is judged when the
/// gradient at y+ has made the image of y+: those of y+ and x give that of x+ for nothing. A step that fails is taken again,
/// shorter, from y with the gradient that is kept, and has cost a gradient; one that passes with room lengthens the next.
class FullStep {
 public:
  /// to <- prox_{s h}(at - s g)
  using Advance = std::function<void(const claros::Element& at, const claros::Element& g, double s, claros::Element& to)>;
  using Estimate = std::function<const claros::Element&(const claros::Element& at)>;

  /// `first`: where lengths of its own begin; a `guess` may be too long, and is cut before a gradient is made.
  void start(claros::Objective& f, const claros::Element& x0, bool momentum, double first, bool guess);
  /// One gradient and one step, of length `given` or its own.
  void step(std::optional<double> given, const Estimate& estimate, const Advance& advance);

  /// x+; of a length of its own not judged yet.
  const claros::Element& point() const noexcept { return x_; }
  double length() const noexcept { return s_; }

  void save(claros::StateWriter& out) const;
  void load(claros::StateReader& in);

 private:
  bool judge(const claros::Element& seen);
  void extrapolate();

  claros::Objective* f_ = nullptr;
  claros::Element x_, y_;              ///< x+ and y+
  claros::Element before_, seen_;      ///< x, and the same up to rounding with its image
  claros::Element origin_, gradient_;  ///< y and g
  double s_ = 0.0, longest_ = 0.0, beta_ = 0.0, theta_ = 1.0, next_theta_ = 1.0;
  bool momentum_ = false, guess_ = false, first_ = true, waiting_ = false;
};
