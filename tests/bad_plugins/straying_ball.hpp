// SPDX-License-Identifier: BSD-3-Clause
/// @file straying_ball.hpp  A ball with a projection, for fixtures whose projection or linear oracle strays.
#pragma once

#include "ball.hpp"

#include <claros/proximal_oracle.hpp>

#include <limits>

/// FixtureBall with its projection; `stray` spoils the projected point of a `v` outside.
class StrayingBall : public FixtureBall, public claros::ProximalOracle {
 public:
  StrayingBall(const Options& options, const claros::Context& context)
      : FixtureBall(options, context), radius_(options.radius) {}

  claros::Certificate apply(const claros::Element& v, double, claros::Element& x,
                            const claros::Accuracy&) override {
    const double length = norm(v);
    x = v;
    x.fold();
    if (length > radius_) stray(x, radius_ / length);
    return {};
  }
  double value(const claros::Element& x) override {
    return violation(x) <= 1e-10 ? 0.0 : std::numeric_limits<double>::infinity();
  }
  void* ability(std::string_view id) noexcept override {
    void* own = claros::offer<claros::ProximalOracle>(this, id);
    return own ? own : FixtureBall::ability(id);
  }

 protected:
  /// `shrink` is what takes x back to the ball.
  virtual void stray(claros::Element& x, double shrink) { x.scale(shrink); }

 private:
  double radius_;
};
