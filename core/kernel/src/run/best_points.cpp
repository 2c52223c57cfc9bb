// SPDX-License-Identifier: BSD-3-Clause
#include "run/best_points.hpp"

#include <algorithm>
#include <cmath>

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

void BestPoints::keep_last(const Element& x, const Measurement& m) {
  last_ = Measured{x, m};
  last_->point.drop_images();
}

const Element* BestPoints::best() const { return std::isfinite(best_value_) ? &best_ : nullptr; }

double BestPoints::lowest_value(double here) const {
  return std::min(keeps_best_ ? best_value_ : value_, here);
}

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

}  // namespace claros
