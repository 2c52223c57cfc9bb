// SPDX-License-Identifier: BSD-3-Clause
#include "proof/measured_points.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace claros {

namespace {

// The rounding that a sum may lose, for a value whose error was not measured.
constexpr double kValueRounding = 1e-12;

}  // namespace

void BestPoints::start(const Element& x0) {
  start_ = x0;
  start_.drop_images();
}

void BestPoints::start_value(double value) { value_ = value, rounding_ = kValueRounding * std::abs(value); }

void BestPoints::note_value(double value, double rounding, Index steps) {
  if (!(value < value_)) return;
  value_ = value;
  steps_ = steps;
  rounding_ = std::max(rounding, kValueRounding * std::abs(value));
}

void BestPoints::note(const Element& x, const Measurement& m) {
  if (!keeps_best_ || !(m.value < best_value_)) return;
  best_value_ = m.value;
  best_ = x;
  best_.drop_images();
}

const Element* BestPoints::best() const { return std::isfinite(best_value_) ? &best_ : nullptr; }

const Element& BestPoints::lowest_point(const Element& x, double here) const {
  if (!keeps_best_) return start_;
  return best_value_ < here ? best_ : x;
}

void BestPoints::state(StateVisitor& v) {
  v("point", best_);
  v("point value", best_value_);
  v("value", value_);
  v("rounding", rounding_);
  v("iteration", steps_);
  v.require(!std::isfinite(best_value_) || best_.shape() == start_.shape(), "point",
            "of another shape than the variable");
}

void LeastHeldOut::note(double at_x, const Element& x, Index now) {
  constexpr double kFall = 1e-4;
  if (is_known() ? !(at_x < (1.0 - kFall) * error) : std::isnan(at_x)) return;
  error = at_x;
  steps = now;
  point = x;
  point.drop_images();
}

void LeastHeldOut::state(StateVisitor& v) {
  v("point", point);
  v("error", error);
  v("steps", steps);
}

void Standing::note(const Measurement& m, Index steps) {
  constexpr double kSlight = 1e-3, kRounding = 1e-12;
  const auto falls = [&](double& least, double now, double by) {
    if (!(now < least - by)) return;
    least = now;
    gained = steps;
  };
  falls(least_value, m.value, kRounding * std::abs(m.value));
  if (m.confirmed) falls(least_gap, m.gap, kSlight * m.gap);
  falls(least_residual, m.residual, kSlight * m.residual);
}

void Standing::state(StateVisitor& v) {
  v("value", value);
  v("flat", flat);
  v("since", since);
  v("fingerprint", fingerprint);
  v("least value", least_value);
  v("least gap", least_gap);
  v("least residual", least_residual);
  v("gained", gained);
  for (const Counter& counter : kCounters) v(std::string("counts ") + counter.name, counts.*counter.member);
}

void LastMeasured::state(StateVisitor& v) {
  v("value after", value_after);
  v("iterate after", iterate_after);
  v("solution after", solution_after);
  v("value", value);
  v("gap", gap);
  v("residual", residual);
  v("estimator error", estimator_error);
  v("due again", due_again);
  v("solution value", solution.value);
  v("solution gap", solution.gap);
  v("solution gap kind", solution.gap_kind);
  v("solution confirmed", solution.confirmed);
  v("solution bounds", solution.bounds_minimum);
  v("solution held out", solution.held_out);
  v("solution residual", solution.residual);
  v("solution unsmoothed", solution.unsmoothed);
  v("solution rmse to truth", solution.rmse_truth);
  v("solution test rmse", solution.test_rmse);
}

}  // namespace claros
