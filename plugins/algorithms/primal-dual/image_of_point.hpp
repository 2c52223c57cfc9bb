// SPDX-License-Identifier: BSD-3-Clause
/// @file image_of_point.hpp  The map of the penalty, h(x) = g(B x), on elements.
#pragma once

#include <claros/abilities.hpp>
#include <claros/sdk/dense_access.hpp>
#include <shared/penalties/composed_penalty.hpp>

#include <algorithm>
#include <span>

namespace primal_dual {

/// B of a composed penalty; of any other penalty the identity, and g = h. Free coordinates, which come last,
/// have no part in it.
class ImageOfPoint {
 public:
  void start(const claros::Problem& problem, const claros::Shape& shape) {
    h_ = problem.penalty;
    shape_ = shape;
    composed_ = claros::sdk::composed_penalty(problem);
    if (!composed_) return;
    auto* tail = claros::query<claros::FreeTail>(*problem.objective);
    map_ = &composed_->map(tail ? tail->constrained_shape() : shape);
    image_shape_ = composed_->image_shape();
  }
  bool is_identity() const noexcept { return !composed_; }
  const claros::Shape& shape() const noexcept { return composed_ ? image_shape_ : shape_; }
  claros::ProximalOracle& outer() const noexcept { return composed_ ? composed_->outer() : *h_; }
  /// Not below ||B||^2.
  double squared_norm() const { return composed_ ? composed_->squared_norm() : 1.0; }

  /// z <- B x.
  void of(const claros::Element& x, claros::Element& z) {
    if (!composed_) return void(z = x);
    const std::span<const double> values = reader_(x);
    map_->apply(values.first(static_cast<std::size_t>(map_->cols())),
                claros::sdk::overwrite_dense(image_shape_, z));
  }
  /// s <- B'y, and y is what h* is bounded from.
  void adjoint(const claros::Element& y, claros::Element& s) {
    if (!composed_) return void(s = y);
    const std::span<const double> values = reader_(y);
    const std::span<double> to = claros::sdk::overwrite_dense(shape_, s);
    const auto head = static_cast<std::size_t>(map_->cols());
    map_->apply_adjoint(values, to.first(head));
    std::ranges::fill(to.subspan(head), 0.0);
    composed_->follow_dual(values);
  }

 private:
  claros::ProximalOracle* h_ = nullptr;
  claros::sdk::ComposedPenalty* composed_ = nullptr;
  const claros::LinearOperator* map_ = nullptr;
  claros::Shape shape_, image_shape_;
  claros::sdk::DenseReader reader_;
};

}  // namespace primal_dual
