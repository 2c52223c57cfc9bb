// SPDX-License-Identifier: BSD-3-Clause
/// @file loss.hpp  Scalar losses psi(z, y) on whole arrays.
#pragma once

#include <claros/api.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>

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
  /// Which targets y there may be, in words ("-1 or 1"); empty when any.
  virtual std::string targets() const { return {}; }
  virtual bool accepts(double) const { return true; }
};

/// A loss from a struct with value(z, y), derivative(z, y), second_derivative(z, y) and constants(); one that is not
/// for every target also has kTargets and accepts(y).
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
  std::string targets() const override {
    if constexpr (requires { Pointwise::kTargets; }) return Pointwise::kTargets;
    else return {};
  }
  bool accepts(double y) const override {
    if constexpr (requires { psi_.accepts(y); }) return psi_.accepts(y);
    else return Loss::accepts(y);
  }

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
