// SPDX-License-Identifier: BSD-3-Clause
#include "step_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

using namespace claros;

namespace {

// Measured on Lassos with correlations of 0 to 0.4: growth of 5 to 20% and cuts of 0.5 to 0.7 differ by less
// than 15%.
constexpr double kGrowth = 1.1, kCut = 0.5, kRoom = 0.95, kFirst = 0.9;
// Rounding of the values that are subtracted.
constexpr double kRounding = 1e-13;
// Where there is no curvature at all, steps end here, in units of the first.
constexpr double kLongest = 1e12;
}  // namespace

void StepSearch::start(Objective& f, const Shape& shape, double first, bool guess) {
  f_ = &f;
  seen_ = Element(shape);
  s_ = first, longest_ = kLongest * first;
  guess_ = guess, first_ = true, waiting_ = false;
}

bool StepSearch::accepts(const Step& last, const Element& next, double beta) {
  const bool judged = std::exchange(waiting_, true);
  Element seen(judged && beta > 0.0 ? last.x : next);
  if (judged && beta > 0.0) seen.take_images(beta / (1.0 + beta), next, seen_);
  if (judged && !judge(last, seen)) return false;
  seen_ = std::move(seen);
  return true;
}

bool StepSearch::cuts(const Step& guessed) {
  guess_ = guess_ && !judge(guessed, guessed.x) && s_ > std::numeric_limits<double>::min();
  return guess_;
}

/// Whether the step to x (`seen`, with its image) was good; sets the length of the next one. From a value
/// that is not finite nothing can be judged: the run loop ends such a run.
bool StepSearch::judge(const Step& step, const Element& seen) {
  const double square = step.square ? *step.square : inner_differences(step.x, step.y, step.x, step.y),
               from = f_->value(step.y);
  if (!std::isfinite(from)) return true;
  if (step.square && !(square > 0.0)) return true;  // what is left of sums as large as the points
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

void StepSearch::state(StateVisitor& v) {
  v("seen", seen_);
  v("length", s_);
  v.require(s_ > 0.0 && std::isfinite(s_), "length", "no length of a step");
  v("guess", guess_);
  v("first", first_);
  v("waiting", waiting_);
}
