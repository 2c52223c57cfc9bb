// SPDX-License-Identifier: BSD-3-Clause
/// @file interval_penalty.hpp  The indicator of bounds on every entry: the penalties box and nonnegative.
#pragma once

#include <claros/abilities.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/detail/alias.hpp>
#include <claros/sdk/penalties/piecewise_steps.hpp>
#include <shared/sets/entry_bounds.hpp>

namespace claros::sdk {

/// h = indicator of {l_j <= x_j <= u_j}; prox: every entry cut. h*(s) = sum of max(l_j s_j, u_j s_j). Lazy
/// steps are those of one function, and exist where all entries have the same bounds.
class IntervalPenalty : public ArrayPenalty, public Separable, public LazyProximal, public Conjugate {
 public:
  explicit IntervalPenalty(EntryBounds bounds) : bounds_(std::move(bounds)) {}

  Blocks blocks(const Shape& shape) final {
    bounds_.fit(shape.size());
    return Blocks::single(shape.size());
  }
  BlockStep block_step() final {
    return {&bounds_,
            [](const void* self, Index j, const double* v, double, double* x) {
              *x = static_cast<const EntryBounds*>(self)->of(static_cast<std::size_t>(j)).nearest()(*v);
            },
            true};
  }
  std::unique_ptr<Component> restrict_to(std::span<const Index> entries) final {
    if (!bounds_.vary()) return std::make_unique<Alias>(*this);
    return std::make_unique<IntervalPenalty>(bounds_.chosen(entries));
  }
  LazySteps lazy_steps(const Shape&, double t) final {
    require_step(t);
    const Interval& all = bounds_.of_all();
    PiecewiseAffine nearest;
    if (all.lower > -kInfinity) nearest.piece(all.lower, 0.0, all.lower);
    nearest.piece(all.upper, 1.0, 0.0);
    if (all.upper < kInfinity) nearest.piece(kInfinity, 0.0, all.upper);
    steps_ = PiecewiseSteps(nearest, t);
    return steps_.lazy_steps();
  }
  double conjugate(const Element& s) final { return bounds_.support(read(s)); }
  double into_domain(const Element& s) final { return bounds_.support(read(s)) < kInfinity ? 1.0 : 0.0; }
  bool certifies_alone() const final { return std::isfinite(bounds_.size()); }
  void* ability(std::string_view id) noexcept final {
    if (id == LazyProximal::kAbility && bounds_.vary()) return nullptr;
    return offer<ProximalOracle, Separable, LazyProximal, Conjugate, State>(this, id);
  }

 private:
  double penalty(std::span<const double> x) final { return bounds_.hold(x) ? 0.0 : kInfinity; }
  void prox(std::span<const double> v, double, std::span<double> x) final {
    bounds_.fit(static_cast<Index>(v.size()));
    bounds_.project(v, x);
  }

  EntryBounds bounds_;
  PiecewiseSteps steps_;
};

}  // namespace claros::sdk
