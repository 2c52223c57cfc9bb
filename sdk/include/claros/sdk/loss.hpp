// SPDX-License-Identifier: BSD-3-Clause
/// @file loss.hpp  Losses psi(z, y) on whole arrays.
#pragma once

#include <claros/api.hpp>

#include <limits>
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

/// A loss of K = outputs() numbers z and one target y, one virtual call an array: y has one number a target,
/// all other spans K numbers a target, one target's after the other's.
class Loss {
 public:
  virtual ~Loss() = default;
  virtual Index outputs() const { return 1; }
  virtual double sum(std::span<const double> z, std::span<const double> y) const = 0;
  /// sum_k w_k psi(z_k, y_k)
  virtual double weighted_sum(std::span<const double> z, std::span<const double> y,
                              std::span<const double> w) const = 0;
  /// out_k = psi'(z_k, y_k), the derivative in z.
  virtual void derivative(std::span<const double> z, std::span<const double> y,
                          std::span<double> out) const = 0;
  /// out_k = psi''(z_k, y_k); of a vector loss, K numbers from which `multiply_second` makes products.
  virtual void second_derivative(std::span<const double> z, std::span<const double> y,
                                 std::span<double> out) const = 0;
  /// out <- psi'' out, where `second` is what second_derivative gave.
  virtual void multiply_second(std::span<const double> second, std::span<double> out) const {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] *= second[k];
  }
  virtual LossConstants constants() const = 0;
  /// Which targets y there may be, in words ("-1 or 1"); empty when any.
  virtual std::string targets() const { return {}; }
  virtual bool accepts(double) const { return true; }
  /// Whether `conjugate` is there: convex losses.
  virtual bool has_conjugate() const { return false; }
  /// sum_k w_k psi*(u_k, y_k), psi*(u, y) = sup_z u z - psi(z, y), infinite outside its domain, which is
  /// closed under scaling towards 0: that is where psi is bounded below. No weights mean 1.
  virtual double conjugate(std::span<const double>, std::span<const double>, std::span<const double>) const {
    return std::numeric_limits<double>::infinity();
  }
};

/// A loss from a struct with value(z, y), derivative(z, y), second_derivative(z, y) and constants(); one that
/// is not for every target also has kTargets and accepts(y), a convex one conjugate(u, y).
template <class Pointwise>
class LossOf final : public Loss {
 public:
  explicit LossOf(Pointwise psi = {}) : psi_(psi) {}
  double sum(std::span<const double> z, std::span<const double> y) const override {
    double total = 0.0;
    for (std::size_t k = 0; k < z.size(); ++k) total += psi_.value(z[k], y[k]);
    return total;
  }
  double weighted_sum(std::span<const double> z, std::span<const double> y,
                      std::span<const double> w) const override {
    double total = 0.0;
    for (std::size_t k = 0; k < z.size(); ++k) total += w[k] * psi_.value(z[k], y[k]);
    return total;
  }
  void derivative(std::span<const double> z, std::span<const double> y,
                  std::span<double> out) const override {
    for (std::size_t k = 0; k < z.size(); ++k) out[k] = psi_.derivative(z[k], y[k]);
  }
  void second_derivative(std::span<const double> z, std::span<const double> y,
                         std::span<double> out) const override {
    for (std::size_t k = 0; k < z.size(); ++k) out[k] = psi_.second_derivative(z[k], y[k]);
  }
  LossConstants constants() const override { return psi_.constants(); }
  std::string targets() const override {
    if constexpr (requires { Pointwise::kTargets; })
      return Pointwise::kTargets;
    else
      return {};
  }
  bool accepts(double y) const override {
    if constexpr (requires { psi_.accepts(y); })
      return psi_.accepts(y);
    else
      return Loss::accepts(y);
  }
  bool has_conjugate() const override {
    return requires { psi_.conjugate(0.0, 0.0); };
  }
  double conjugate(std::span<const double> u, std::span<const double> y,
                   std::span<const double> w) const override {
    if constexpr (requires { psi_.conjugate(0.0, 0.0); }) {
      double total = 0.0;
      for (std::size_t k = 0; k < u.size(); ++k)
        if (w.empty() || w[k] > 0.0) total += (w.empty() ? 1.0 : w[k]) * psi_.conjugate(u[k], y[k]);
      return total;
    } else {
      return Loss::conjugate(u, y, w);
    }
  }

 private:
  Pointwise psi_;
};

/// psi(z, y) = (z - y)^2 / 2,  psi*(u, y) = u y + u^2 / 2.
struct SquaredLoss {
  double value(double z, double y) const { return 0.5 * (z - y) * (z - y); }
  double derivative(double z, double y) const { return z - y; }
  double second_derivative(double, double) const { return 1.0; }
  double conjugate(double u, double y) const { return u * (y + 0.5 * u); }
  LossConstants constants() const { return {true, 1.0, 0.0, 0.0, 0.0}; }
};

}  // namespace claros::sdk
