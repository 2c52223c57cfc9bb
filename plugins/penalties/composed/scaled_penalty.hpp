// SPDX-License-Identifier: BSD-3-Clause
/// @file scaled_penalty.hpp  A penalty times a factor.
#pragma once

#include <claros/abilities.hpp>
#include <claros/proximal_oracle.hpp>

namespace composed {

/// lambda g: its proximal step is that of g of lambda times the length, its conjugate lambda g*(s / lambda).
class ScaledPenalty final : public claros::ProximalOracle, public claros::Conjugate {
 public:
  /// Both are of g, convex, and outlive it; lambda > 0.
  ScaledPenalty(double lambda, claros::ProximalOracle& g, claros::Conjugate& conjugate)
      : lambda_(lambda), g_(g), conjugate_(conjugate) {}

  claros::Certificate apply(const claros::Element& v, double step, claros::Element& x,
                            const claros::Accuracy& accuracy) override {
    return g_.apply(v, lambda_ * step, x, accuracy);
  }
  double value(const claros::Element& x) override { return lambda_ * g_.value(x); }
  bool is_expensive() const override { return g_.is_expensive(); }
  double conjugate(const claros::Element& s) override { return lambda_ * conjugate_.conjugate(over(s)); }
  double into_domain(const claros::Element& s) override { return conjugate_.into_domain(over(s)); }

 private:
  claros::Element over(claros::Element s) const {
    s.scale(1.0 / lambda_);
    return s;
  }

  double lambda_;
  claros::ProximalOracle& g_;
  claros::Conjugate& conjugate_;
};

}  // namespace composed
