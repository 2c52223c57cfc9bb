// SPDX-License-Identifier: BSD-3-Clause
#include "full_step.hpp"

#include <claros/domain.hpp>

#include <cmath>
#include <utility>

using namespace claros;

void FullStep::start(Objective& f, const Element& x0, bool momentum, double first, bool guess,
                     Value falling) {
  f_ = &f;
  value_ = std::move(falling);
  at_ = value_before_ = value_ ? value_(x0) : 0.0;
  bent_ = false;
  search_.start(f, x0.shape(), first, guess);
  products_ = {};
  momentum_ = momentum;
  x_ = next_ = x0;
  before_ = y_ = g_ = Element(x0.shape());
  beta_ = 0.0;
  theta_ = next_theta_ = 1.0;
}

double FullStep::step(std::optional<double> given, const Gradient& gradient, const Proximal& p) {
  const Element& g = gradient(next_);
  if (given || search_.accepts({y_, g_, x_, products_.square()}, next_,
                               beta_)) {  // k <- k + 1; else x_k is made again, by a shorter step
    theta_ = next_theta_;
    bent_ = beta_ > 0.0;
    value_before_ = at_;
    std::swap(before_, x_);  // what is overwritten keeps its array
    std::swap(y_, next_);
    products_.accepted();
    g_ = g;
  }
  const auto s = [&] { return given.value_or(search_.length()); };
  make(s(), p);  // (4.1)
  while (!given && search_.cuts({y_, g_, x_, products_.square()})) make(s(), p);
  const double taken = stay_in_domain(s(), given.has_value(), p);
  if (!falls(taken))
    take_back();
  else
    extrapolate();  // (4.2), (4.3)
  return taken;
}

/// Where f has a domain, x_k lies in it: of a given length for this step alone.
double FullStep::stay_in_domain(double s, bool given, const Proximal& p) {
  constexpr int kMostCuts = 100;
  for (int k = 0; k < kMostCuts && leaves_domain(*f_, x_); ++k) {
    s *= 0.5;
    if (!given) search_.shorten(s);
    make(s, p);
  }
  return s;
}

bool FullStep::falls(double s) {
  constexpr double kShare = 1e-4, kRounding = 1e-13;
  if (!value_) return true;
  at_ = value_(x_);
  return !bent_ || at_ <= value_before_ - kShare * inner_differences(x_, y_, x_, y_) / s +
                              kRounding * std::abs(value_before_);
}

void FullStep::take_back() {
  x_ = next_ = before_;
  at_ = value_before_;
  beta_ = 0.0;
  next_theta_ = 1.0;
  products_ = {};
  search_.discard();
}

void FullStep::make(double s, const Proximal& p) {
  p(y_, g_, s, x_);
  products_.made(x_, before_, y_);
}

void FullStep::extrapolate() {
  beta_ = 0.0;
  next_theta_ = 1.0;
  const auto turn = products_.turn();
  if (momentum_ && !((turn ? *turn : inner_differences(y_, x_, x_, before_)) > 0.0)) {
    next_theta_ = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * theta_ * theta_));
    beta_ = (theta_ - 1.0) / next_theta_;
  }
  if (beta_ > 0.0) next_.assign_sum(1.0 + beta_, x_, -beta_, before_);
  if (beta_ > 0.0 && leaves_domain(*f_, next_)) beta_ = 0.0, next_theta_ = 1.0;
  products_.extrapolated(before_, beta_);
  if (beta_ == 0.0) next_ = x_;
}

void FullStep::state(StateVisitor& v) {
  v("search", search_);
  v("products", products_);
  v("x", x_);
  v("before", before_);
  v("y", y_);
  v("g", g_);
  v("next", next_);
  v("beta", beta_);
  v("theta", theta_);
  v("next theta", next_theta_);
  v("value before", value_before_);
  v("value", at_);
  v("bent", bent_);
}
