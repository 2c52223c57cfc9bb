// SPDX-License-Identifier: BSD-3-Clause
/// @file image_function.hpp  Functions of an image that couple its rows.
#pragma once

#include <claros/element/element.hpp>

#include <functional>
#include <span>

namespace claros::sdk {

/// phi : R^n -> R, convex and differentiable, not a sum over rows: partial likelihoods, norms of residuals.
/// Arrays have n numbers. Nothing changes it, and any thread may call it.
class ImageFunction {
 public:
  using Numbers = std::span<const double>;
  /// out <- phi''(z) d.
  using Product = std::function<void(Numbers d, std::span<double> out)>;

  virtual ~ImageFunction() = default;
  virtual double value(Numbers z) const = 0;
  /// out <- grad phi(z).
  virtual void gradient(Numbers z, std::span<double> out) const = 0;
  /// out <- the diagonal of phi''(z).
  virtual void curvature(Numbers z, std::span<double> out) const = 0;
  /// phi''(z), kept for many products. The function outlives it.
  virtual Product hessian(Numbers z) const = 0;
  /// A number not below phi*(a grad phi(z)), for a in [0, 1]; finite.
  virtual double conjugate(Numbers z, double a) const = 0;
  /// inf phi, or a number below it.
  virtual double lower_bound() const = 0;

  /// out <- a diagonal B with phi''(z) <= B for every z.
  virtual void diagonal_bound(std::span<double> out) const = 0;
  /// A number not below d'phi''(z)d / max_i d_i^2, for every z and d.
  virtual double largest_curvature() const = 0;
  /// True if phi(z + c 1) = phi(z) for every number c.
  virtual bool ignores_shifts() const { return false; }

  /// A bound of the rounding error of value(z) that holds with high probability.
  virtual double value_error(Numbers z) const = 0;
  /// out_i <- a bound of the rounding error of entry i of the gradient, likewise.
  virtual void gradient_errors(Numbers z, std::span<double> out) const = 0;
};

}  // namespace claros::sdk
