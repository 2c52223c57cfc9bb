// SPDX-License-Identifier: BSD-3-Clause
/// @file step_search.hpp  The length of a step from the curvature that the steps meet.
#pragma once

#include <claros/element/element.hpp>
#include <claros/objective.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace claros::sdk {

/// A step to x = prox_{s h}(y - s g), g = grad f(y), is good if
///   f(x) - f(y) - <g, x - y> <= ||x - y||^2 / (2 s),
/// which every s <= 1/L passes, and longer ones if f is flatter, as it is for sparse differences. The test
/// comes when the gradient at the next point has made the image of that point. From it and the image of the x
/// before, that of x follows at no cost. A step that fails is made again, shorter, with the gradient that is
/// kept; it has cost a gradient. One that passes with room lengthens the next.
class StepSearch {
 public:
  /// From y along g to x.
  struct Step {
    const Element &y, &g, &x;
    std::optional<double> square = {};  ///< ||x - y||^2, if it is known
  };

  /// `first` is the first length. A `guess` may be too long, and is cut before a gradient is made. The
  /// curvature of the first step lengthens the second, unless earlier steps have found `first`.
  void start(Objective& f, const Shape& shape, double first, bool guess, bool found = false);
  /// The length of the next step.
  double length() const noexcept { return s_; }
  /// The next step is of that length at most.
  void shorten(double length) noexcept { s_ = length, guess_ = false; }
  /// True if the last step was good, given `next` = x + beta (x - the x before) with its image; true before
  /// the first step.
  bool accepts(const Step& last, const Element& next, double beta);
  /// True if a step of a guessed length is too long and must be made again at the length that is found.
  bool cuts(const Step& guessed);

  /// Forgets the step that waits to be judged: it was taken back.
  void discard() noexcept { waiting_ = false; }

  void state(StateVisitor& v);

 private:
  // Measured on Lassos with correlations of 0 to 0.4: growth of 5 to 20% and cuts of 0.5 to 0.7 differ by
  // less than 15%.
  static constexpr double kGrowth = 1.1, kCut = 0.5, kRoom = 0.95, kFirst = 0.9;
  // Rounding of the values that are subtracted.
  static constexpr double kRounding = 1e-13;
  // If f has no curvature at all, lengths end at this multiple of the first.
  static constexpr double kLongest = 1e12;

  bool judge(const Step& step, const Element& seen);

  Objective* f_ = nullptr;
  Element seen_;  ///< the x of the last good step, with its image
  double s_ = 0.0, longest_ = 0.0;
  bool guess_ = false, first_ = true, waiting_ = false;
};

inline void StepSearch::start(Objective& f, const Shape& shape, double first, bool guess, bool found) {
  f_ = &f;
  seen_ = Element(shape);
  s_ = first;
  longest_ = kLongest * first;
  guess_ = guess;
  first_ = !found;
  waiting_ = false;
}

inline bool StepSearch::accepts(const Step& last, const Element& next, double beta) {
  const bool judged = std::exchange(waiting_, true);
  Element seen(judged && beta > 0.0 ? last.x : next);
  if (judged && beta > 0.0) seen.take_images(beta / (1.0 + beta), next, seen_);
  if (judged && !judge(last, seen)) return false;
  seen_ = std::move(seen);
  return true;
}

inline bool StepSearch::cuts(const Step& guessed) {
  guess_ = guess_ && !judge(guessed, guessed.x) && s_ > std::numeric_limits<double>::min();
  return guess_;
}

/// True if the step to x (`seen`, with its image) was good; sets the length of the next one. A value that is
/// not finite decides nothing: the run loop ends such a run.
inline bool StepSearch::judge(const Step& step, const Element& seen) {
  const double square = step.square ? *step.square : inner_differences(step.x, step.y, step.x, step.y),
               from = f_->value(step.y);
  if (!std::isfinite(from)) return true;
  const double excess = f_->value(seen) - from - inner_difference(step.g, seen, step.y);
  const double curvature = square > 0.0 ? 2.0 * excess / square : 0.0;
  if (!(excess <= square / (2.0 * s_) + kRounding * std::abs(from))) {
    const double asked = 1.0 / (curvature * s_);
    s_ *= std::isfinite(asked) ? std::clamp(asked, 0.1 * kCut, kCut) : 0.1 * kCut;
    return false;
  }
  if (first_ && curvature > 0.0)
    s_ = std::max(s_, kFirst / curvature);
  else if (curvature * s_ < kRoom)
    s_ = std::min(kGrowth * s_, longest_);
  first_ = false;
  return true;
}

inline void StepSearch::state(StateVisitor& v) {
  v("seen", seen_);
  v("length", s_);
  v.require(s_ > 0.0 && std::isfinite(s_), "length", "no length of a step");
  v("guess", guess_);
  v("first", first_);
  v("waiting", waiting_);
}

}  // namespace claros::sdk
