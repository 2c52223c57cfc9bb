// SPDX-License-Identifier: BSD-3-Clause
/// @file element_operator.hpp  An element seen as a matrix that multiplies: what spectral oracles work on.
#pragma once

#include <claros/element/element.hpp>

namespace claros {

/// The matrix of an element (not a product), folded once; products go part by part. Counts its products.
class CLAROS_API ElementOperator final : public LinearOperator {
 public:
  explicit ElementOperator(const Element& x);
  Index rows() const override { return x_.shape().rows; }
  Index cols() const override { return x_.shape().cols; }
  void apply(std::span<const double> x, std::span<double> y) const override;
  void apply_adjoint(std::span<const double> y, std::span<double> x) const override;
  void apply_block(std::span<const double> x, Index count, std::span<double> y) const override;
  void apply_adjoint_block(std::span<const double> y, Index count, std::span<double> x) const override;
  /// For a lone sparse part, which is read once for both products.
  void round_trip(std::span<const double> x, double beta, std::span<double> image,
                  std::span<double> back) const override;
  bool fuses_round_trip() const override;
  void entries(std::span<double> out) const override;
  Index products() const noexcept { return products_; }
  /// If the element is one part, of such a form.
  Spread spread() const override;
  const Element& element() const noexcept { return x_; }

 private:
  void count(Index products) const;

  Element x_;
  double numbers_ = 0.0;  ///< that a product reads
  mutable Index products_ = 0;
};

}  // namespace claros
