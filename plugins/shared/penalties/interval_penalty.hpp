// SPDX-License-Identifier: BSD-3-Clause
/// @file interval_penalty.hpp  The indicator of bounds on every entry: the penalties box and nonnegative.
#pragma once

#include <claros/abilities.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/detail/alias.hpp>
#include <claros/sdk/penalties/piecewise_steps.hpp>
#include <shared/sets/interval.hpp>

namespace claros::sdk {

/// h = indicator of {lower <= x_j <= upper}; prox: every entry cut. h*(s) = sum of max(lower s_j, upper s_j).
class IntervalPenalty : public ArrayPenalty, public Separable, public LazyProximal, public Conjugate {
 public:
  explicit IntervalPenalty(const Interval& bounds) : bounds_(bounds) { require_bounds(bounds); }

  Blocks blocks(const Shape& shape) final { return Blocks::single(shape.size()); }
  BlockStep block_step() final {
    return {&bounds_,
            [](const void* self, Index, const double* v, double, double* x) {
              *x = static_cast<const Interval*>(self)->nearest()(*v);
            },
            true};
  }
  std::unique_ptr<Component> restrict_to(std::span<const Index>) final {
    return std::make_unique<Alias>(*this);
  }
  LazySteps lazy_steps(const Shape&, double t) final {
    require_step(t);
    PiecewiseAffine nearest;
    if (bounds_.lower > -kInfinity) nearest.piece(bounds_.lower, 0.0, bounds_.lower);
    nearest.piece(bounds_.upper, 1.0, 0.0);
    if (bounds_.upper < kInfinity) nearest.piece(kInfinity, 0.0, bounds_.upper);
    steps_ = PiecewiseSteps(nearest, t);
    return steps_.lazy_steps();
  }
  double conjugate(const Element& s) final { return bounds_.support(read(s)); }
  double into_domain(const Element& s) final { return bounds_.support(read(s)) < kInfinity ? 1.0 : 0.0; }
  bool certifies_alone() const final { return bounds_.lower > -kInfinity && bounds_.upper < kInfinity; }
  void* ability(std::string_view id) noexcept final {
    return offer<ProximalOracle, Separable, LazyProximal, Conjugate, State>(this, id);
  }

 private:
  double penalty(std::span<const double> x) final { return bounds_.hold(x) ? 0.0 : kInfinity; }
  void prox(std::span<const double> v, double, std::span<double> x) final {
    map_entries(v, x, bounds_.nearest());
  }

  Interval bounds_;
  PiecewiseSteps steps_;
};

}  // namespace claros::sdk
