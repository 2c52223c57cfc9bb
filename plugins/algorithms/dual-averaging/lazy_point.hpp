// SPDX-License-Identifier: BSD-3-Clause
/// @file lazy_point.hpp  Dual averaging along sparse rows, coordinate by coordinate.
#pragma once

#include "gradient_sum.hpp"

#include <claros/algorithm.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/lazy_choice.hpp>
#include <shared/estimators/row_gradient.hpp>

#include <cmath>

/// x = prox_{s h}(x_1 + a G), G the sum of all gradients, if h is a sum over coordinates. The coordinate x_j
/// follows from G_j, which changes if a gradient has the entry. It is computed when it is read. A step of
/// sparse rows costs O(nonzeros).
///
/// Only G, a and s are kept, so that a coordinate has the same bits whenever it is made.
class LazyPoint final : public claros::LazyUpdates {
 public:
  /// Belongs to the point x, which it is bound to while steps are made, and to the sum.
  LazyPoint(claros::Element& x, GradientSum& sum) : x_(x), sum_(sum) {}
  LazyPoint(const LazyPoint&) = delete;
  LazyPoint& operator=(const LazyPoint&) = delete;

  /// `use` is that of LazyChoice; never if h has a weak convexity, since mu x would join the sum everywhere.
  void start(const claros::Problem& problem, claros::sdk::LazyUse use) {
    x_.set_lazy(nullptr);
    active_ = false;
    const bool convex = !problem.penalty || problem.penalty->weak_convexity() == 0.0;
    choice_.start(problem,
                  convex && (!problem.penalty || problem.separable) ? use : claros::sdk::LazyUse::never);
    lazy_ = problem.lazy;
    step_of_ = {};
    head_ = 0;
    if (!choice_.possible() || !problem.penalty) return;
    auto* tail = claros::query<claros::FreeTail>(*problem.objective);
    const claros::Shape head = tail ? tail->constrained_shape() : x_.shape();
    if (!problem.separable->blocks(head).are_single())
      return choice_.start(problem, claros::sdk::LazyUse::never);
    step_of_ = problem.separable->block_step();
    head_ = static_cast<std::size_t>(head.size());
  }

  /// Adds g to the sum and makes x the point of a and s. If that cannot be lazy, returns false with x
  /// current: the step must be made in full.
  bool step(const claros::Element& g, double a, double s) {
    claros::sdk::RowGradient rows;
    if (!choice_.possible() || !rows.read(g) || rows.dense() || !choice_.pays(rows.rows())) {
      leave();
      return false;
    }
    if (!active_) enter();
    const std::span<double> sum = sum_.edit();
    rows.for_each([&](std::size_t j, double entry) { sum[j] += entry; });
    a_ = a;
    s_ = s;
    current_ = false;
    x_.drop_images();
    if (lazy_) lazy_->made(1);
    return true;
  }

  void update(std::span<const std::int32_t> coordinates, claros::Index offset) override {
    if (current_) return;
    const std::span<double> x = x_.lazy_values();
    const GradientSum::Reading sum = sum_.reading();
    for (const std::int32_t j : coordinates) make(static_cast<std::size_t>(j + offset), sum, x);
  }
  void synchronise() override {
    if (current_) return;
    const std::span<double> x = x_.lazy_values();
    const GradientSum::Reading sum = sum_.reading();
    for (std::size_t j = 0; j < x.size(); ++j) make(j, sum, x);
    current_ = true;
  }

  /// Called after x and the sum.
  void state(claros::StateVisitor& v) {
    v("active", active_);
    v("factor", a_);
    v("length", s_);
    v.require(!active_ || choice_.possible(), "active", "steps that this composition cannot make");
    v.require(std::isfinite(a_) && std::isfinite(s_) && s_ >= 0.0, "length", "no step");
    if (!v.loading()) return;
    const claros::Part* part = claros::sdk::lone_dense(x_);
    v.require(!active_ || (part && part->weight == 1.0), "x", "not the one array that lazy updates need");
    v.require(!active_ || static_cast<std::size_t>(x_.shape().size()) == sum_.edit().size(), "x",
              "of another shape than the sum");
    current_ = false;
    x_.set_lazy(active_ ? this : nullptr);
  }

 private:
  void enter() {
    (void)x_.dense_values();
    active_ = true;
    x_.set_lazy(this);
  }
  void leave() {
    if (!active_) return;
    synchronise();
    active_ = false;
    x_.set_lazy(nullptr);
  }
  void make(std::size_t j, const GradientSum::Reading& sum, std::span<double> x) const {
    double v = a_ * sum.values[j];
    if (!sum.origin.empty()) v += sum.origin[j];
    if (j < head_) step_of_(static_cast<claros::Index>(j), &v, s_, &v);
    x[j] = v;
  }

  claros::Element& x_;
  GradientSum& sum_;
  claros::sdk::LazyChoice choice_;
  claros::LazyProximal* lazy_ = nullptr;  ///< of the penalty: notified of the steps
  claros::BlockStep step_of_;
  std::size_t head_ = 0;  ///< coordinates that the penalty sees
  bool active_ = false;
  bool current_ = false;  ///< whether all coordinates have been made since the last step
  double a_ = 0.0, s_ = 0.0;
};
