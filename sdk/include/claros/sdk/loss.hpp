// SPDX-License-Identifier: BSD-3-Clause
/// @file loss.hpp  Scalar losses psi(z, y) on whole arrays.
#pragma once

#include <claros/api.hpp>

#include <memory>
#include <optional>
#include <span>

namespace claros::sdk {

/// What is known of z |-> psi(z, y), for every y.
struct LossConstants {
  bool convex = false;
  std::optional<double> smoothness;        ///< sup |psi''|
  std::optional<double> lower_smoothness;  ///< sup (-psi'')_+
  std::optional<double> third;             ///< sup |psi'''|: Lipschitz constant of psi''
  std::optional<double> lower_bound;       ///< inf psi
};

/// A loss, one virtual call an array. All spans have the same length.
class Loss {
 public:
  virtual ~Loss() = default;
  virtual double sum(std::span<const double> z, std::span<const double> y) const = 0;
  /// out_k = psi'(z_k, y_k), the derivative in z.
  virtual void derivative(std::span<const double> z, std::span<const double> y, std::span<double> out) const = 0;
  /// out_k = psi''(z_k, y_k).
  virtual void second_derivative(std::span<const double> z, std::span<const double> y, std::span<double> out) const = 0;
  virtual LossConstants constants() const = 0;
};

/// A loss from a struct with value(z, y), derivative(z, y), second_derivative(z, y) and constants().
template <class Pointwise>
class LossOf final : public Loss {
 public:
  explicit LossOf(Pointwise psi = {}) : psi_(psi) {}
  double sum(std::span<const double> z, std::span<const double> y) const override {
    double total = 0.0;
    for (std::size_t k = 0; k < z.size(); ++k) total += psi_.value(z[k], y[k]);
    return total;
  }
  void derivative(std::span<const double> z, std::span<const double> y, std::span<double> out) const override {
    for (std::size_t k = 0; k < z.size(); ++k) out[k] = psi_.derivative(z[k], y[k]);
  }
  void second_derivative(std::span<const double> z, std::span<const double> y, std::span<double> out) const override {
    for (std::size_t k = 0; k < z.size(); ++k) out[k] = psi_.second_derivative(z[k], y[k]);
  }
  LossConstants constants() const override { return psi_.constants(); }

 private:
  Pointwise psi_;
};

/// psi(z, y) = (z - y)^2 / 2.
struct SquaredLoss {
  double value(double z, double y) const { return 0.5 * (z - y) * (z - y); }
  double derivative(double z, double y) const { return z - y; }
  double second_derivative(double, double) const { return 1.0; }
  LossConstants constants() const { return {true, 1.0, 0.0, 0.0, 0.0}; }
};

}  // namespace claros::sdk
