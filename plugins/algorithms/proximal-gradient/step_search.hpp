// SPDX-License-Identifier: BSD-3-Clause
/// @file step_search.hpp  The length of a step from the curvature that the steps meet.
#pragma once

#include <claros/element/element.hpp>
#include <claros/objective.hpp>
#include <claros/state/state.hpp>

#include <optional>

/// A step to x = prox_{s h}(y - s g), g = grad f(y), is good when
///   f(x) - f(y) - <g, x - y> <= ||x - y||^2 / (2 s),
/// which every s <= 1/L passes, and longer ones where f is flatter, as it is for sparse differences. It is
/// judged when the gradient at the next point has made the image of that point: it and that of the x before
/// give that of x for nothing. One that fails is to be made again, shorter, with the gradient that is kept,
/// and has cost a gradient; one that passes with room lengthens the next.
class StepSearch {
 public:
  /// From y along g to x.
  struct Step {
    const claros::Element &y, &g, &x;
    std::optional<double> square = {};  ///< ||x - y||^2, where it is known
  };

  /// `first`: where lengths begin; a `guess` may be too long, and is cut before a gradient is made.
  void start(claros::Objective& f, const claros::Shape& shape, double first, bool guess);
  /// Of the next step.
  double length() const noexcept { return s_; }
  /// The next step is of that length at most.
  void shorten(double length) noexcept { s_ = length, guess_ = false; }
  /// Whether the last step was good, told of `next` = x + beta (x - the x before) with its image; true before
  /// the first.
  bool accepts(const Step& last, const claros::Element& next, double beta);
  /// Whether a step of a guessed length is too long, and to be made again at the length that is found.
  bool cuts(const Step& guessed);

  /// Forgets the step that waits to be judged: it was taken back.
  void discard() noexcept { waiting_ = false; }

  void state(claros::StateVisitor& v);

 private:
  bool judge(const Step& step, const claros::Element& seen);

  claros::Objective* f_ = nullptr;
  claros::Element seen_;  ///< the x of the last good step, with its image
  double s_ = 0.0, longest_ = 0.0;
  bool guess_ = false, first_ = true, waiting_ = false;
};
