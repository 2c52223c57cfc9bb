// SPDX-License-Identifier: BSD-3-Clause
#include "full_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

using namespace claros;

namespace {

// Measured on Lassos with correlations of 0 to 0.4: growth of 5 to 20% and cuts of 0.5 to 0.7 differ by less than 15%.
constexpr double kGrowth = 1.1, kCut = 0.5, kRoom = 0.95, kFirst = 0.9;
// Rounding of the values that are subtracted.
constexpr double kRounding = 1e-13;
// Where there is no curvature at all, steps end here, in units of the first.
constexpr double kLongest = 1e12;
// In units of the columns of x+: what it may refer to when it is put together from y and the one before.
constexpr Index kMostColumns = 3;

/// The low-rank columns that x keeps alive, those of weight 0 too.
Index held_columns(const Element& x) {
  Index count = 0;
  for (const Part& part : x.parts())
    if (const auto* low = std::get_if<LowRankForm>(&part.form)) count += low->store->count();
  return count;
}

}  // namespace

void FullStep::start(Objective& f, const Element& x0, bool momentum, double first, bool guess) {
  f_ = &f;
  momentum_ = momentum, guess_ = guess;
  x_ = y_ = x0;
  before_ = seen_ = origin_ = gradient_ = Element(x0.shape());
  s_ = first, longest_ = kLongest * first;
  beta_ = 0.0;
  theta_ = next_theta_ = 1.0;
  first_ = true, waiting_ = false;
}

void FullStep::step(std::optional<double> given, const Estimate& estimate, const Advance& advance) {
  const Element& g = estimate(y_);
  Element seen(y_);
  if (!given && waiting_ && beta_ > 0.0) seen.blend(beta_ / (1.0 + beta_), seen_);
  // The same point as x+, for its image. Of factors it would collect those of all earlier steps, at weights of rounding.
  if (held_columns(seen) > kMostColumns * std::max<Index>(1, held_columns(x_))) seen = x_;
  if (given || !waiting_ || judge(seen)) {
    theta_ = next_theta_;
    before_ = x_;
    seen_ = std::move(seen);
    origin_ = y_;
    gradient_ = g;
  }
  if (given) s_ = *given;
  advance(origin_, gradient_, s_, x_);
  if (!given && std::exchange(guess_, false))
    while (!judge(x_) && s_ > std::numeric_limits<double>::min()) advance(origin_, gradient_, s_, x_);
  waiting_ = true;
  extrapolate();
}

/// Whether the step to x+ (`seen`, with its image) was good; sets the length of the next one. From a value that is not finite
/// nothing can be judged: the house ends such a run.
bool FullStep::judge(const Element& seen) {
  Element move(x_);
  move.add(-1.0, origin_);
  const double square = inner(move, move), from = f_->value(origin_);
  if (!std::isfinite(from)) return true;
  const double excess = f_->value(seen) - from - inner(gradient_, move);
  const double curvature = square > 0.0 ? 2.0 * excess / square : 0.0;
  if (!(excess <= square / (2.0 * s_) + kRounding * std::abs(from))) {
    const double asked = 1.0 / (curvature * s_);
    s_ *= std::isfinite(asked) ? std::clamp(asked, 0.1 * kCut, kCut) : 0.1 * kCut;
    return false;
  }
  if (first_ && curvature > 0.0) s_ = std::max(s_, kFirst / curvature);
  else if (curvature * s_ < kRoom) s_ = std::min(kGrowth * s_, longest_);
  first_ = false;
  return true;
}

/// y+ = x+ + ((theta - 1)/theta+) (x+ - x).
void FullStep::extrapolate() {
  y_ = x_;
  beta_ = 0.0;
  next_theta_ = 1.0;
  if (!momentum_) return;
  Element move(x_), turn(origin_);
  move.add(-1.0, before_);
  turn.add(-1.0, x_);
  if (inner(turn, move) > 0.0) return;
  next_theta_ = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta_ * theta_));
  beta_ = (theta_ - 1.0) / next_theta_;
  y_.add(beta_, move);
}

void FullStep::save(StateWriter& out) const {
  out.put("full x", x_);
  out.put("full y", y_);
  out.put("full before", before_);
  out.put("full seen", seen_);
  out.put("full origin", origin_);
  out.put("full gradient", gradient_);
  out.put("full numbers", std::span<const double>(std::vector<double>{s_, longest_, beta_, theta_, next_theta_}));
  out.put("full guess", guess_);
  out.put("full first", first_);
  out.put("full waiting", waiting_);
}

void FullStep::load(StateReader& in) {
  std::vector<double> numbers;
  in.get("full x", x_);
  in.get("full y", y_);
  in.get("full before", before_);
  in.get("full seen", seen_);
  in.get("full origin", origin_);
  in.get("full gradient", gradient_);
  in.get("full numbers", numbers);
  in.get("full guess", guess_);
  in.get("full first", first_);
  in.get("full waiting", waiting_);
  s_ = numbers.at(0), longest_ = numbers.at(1), beta_ = numbers.at(2), theta_ = numbers.at(3), next_theta_ = numbers.at(4);
}
