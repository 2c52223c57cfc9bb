// SPDX-License-Identifier: BSD-3-Clause
/// @file positions.hpp  The map that reads entries of a matrix by their positions.
#pragma once

#include <claros/map/linear_map.hpp>
#include <claros/map/spread_operator.hpp>

#include <functional>
#include <memory>
#include <span>

namespace sharded {

/// (A X)_k = X_ij, k = i + j rows: every position has an output. Gradients of batches are A'c with the few
/// positions of the batch, known to all ranks. So sums of them stay one part, and no product with them is
/// collective. Gradients of all entries are saved under this name too, as the points that `maker` makes them
/// from.
class Positions final : public claros::LinearMap, public claros::OperatorSource {
 public:
  using Maker =
      std::function<std::shared_ptr<const claros::LinearOperator>(std::span<const claros::Element>)>;
  Positions(const claros::Shape& shape, Maker maker) : shape_(shape), maker_(std::move(maker)) {}

  claros::Shape domain() const override { return shape_; }
  claros::Index size() const override { return shape_.size(); }
  void apply(double alpha, const claros::Element& x, double beta, std::span<double> z) const override;
  void dot(std::span<const claros::Index> rows, const claros::Element& x,
           std::span<double> out) const override;
  void fold(double a, const claros::AdjointForm& c, claros::Element& g) const override;
  /// All positions of a point are never read.
  bool cheap(const claros::Element&) const override { return false; }
  const claros::OperatorSource* operator_source() const noexcept override { return this; }
  std::shared_ptr<const claros::LinearOperator> make(std::span<const claros::Element> points) const override {
    return maker_(points);
  }

 private:
  claros::Shape shape_;
  Maker maker_;
};

}  // namespace sharded
