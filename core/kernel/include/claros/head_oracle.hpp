// SPDX-License-Identifier: BSD-3-Clause
/// @file head_oracle.hpp  A penalty or a projection that leaves the last coordinates of the variable alone.
#pragma once

#include <claros/element/shape.hpp>
#include <claros/proximal_oracle.hpp>

#include <memory>

namespace claros {

/// Sees the first coordinates of the variable, column-major, as an element of shape `head`; the others pass
/// unchanged. (An intercept: abilities.hpp, FreeTail.) Keeps `owner` alive.
class CLAROS_API HeadOracle final : public ProximalOracle {
 public:
  HeadOracle(std::shared_ptr<void> owner, ProximalOracle& inner, Shape head)
      : owner_(std::move(owner)), inner_(inner), head_shape_(std::move(head)) {}
  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) override;
  double value(const Element& x) override;
  double weak_convexity() const override { return inner_.weak_convexity(); }

 private:
  std::size_t head_size() const { return static_cast<std::size_t>(head_shape_.size()); }

  std::shared_ptr<void> owner_;
  ProximalOracle& inner_;
  Shape head_shape_;
  Element head_;
};

}  // namespace claros
