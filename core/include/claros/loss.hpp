// SPDX-License-Identifier: BSD-3-Clause
/// @file loss.hpp  Losses psi(z, y): what a prediction z costs when y is seen.
#pragma once

#include <claros/component.hpp>

#include <limits>
#include <optional>
#include <span>
#include <string>

namespace claros {

/// What is known of z |-> psi(z, y), for every y.
struct CLAROS_API LossConstants {
  bool convex = false;
  std::optional<double> smoothness = {};        ///< sup |psi''|
  std::optional<double> lower_smoothness = {};  ///< sup (-psi'')_+
  std::optional<double> third = {};             ///< sup |psi'''|: Lipschitz constant of psi''
  std::optional<double> lower_bound = {};       ///< inf psi
  bool of_difference = false;                   ///< psi(z, y) = rho(z - y), rho smallest at 0
};

/// A loss of K = outputs() numbers z and one target y, one virtual call an array: y has one number a target, all other spans
/// K numbers a target, one target's after the other's. An objective asks it from several threads at once: but for
/// `set_classes`, nothing changes it. Authors derive from sdk::LossOf, which makes all of it from functions of two numbers.
class CLAROS_API Loss : public Component {
 public:
  virtual double sum(std::span<const double> z, std::span<const double> y) const = 0;
  /// sum_k w_k psi(z_k, y_k)
  virtual double weighted_sum(std::span<const double> z, std::span<const double> y, std::span<const double> w) const = 0;
  /// out_k = psi'(z_k, y_k), the derivative in z.
  virtual void derivative(std::span<const double> z, std::span<const double> y, std::span<double> out) const = 0;
  /// out_k = psi''(z_k, y_k); of a vector loss, K numbers from which `multiply_second` makes products.
  virtual void second_derivative(std::span<const double> z, std::span<const double> y, std::span<double> out) const = 0;
  /// out <- psi'' out, where `second` is what second_derivative gave.
  virtual void multiply_second(std::span<const double> second, std::span<double> out) const;
  virtual LossConstants constants() const = 0;

  /// Whether targets are classes 0, ..., K-1, and z has a number for each. Who uses such a loss says how many there are,
  /// once, before anything else.
  virtual bool of_classes() const;
  virtual void set_classes(Index count);
  virtual Index outputs() const;

  /// Which targets y there may be, in words ("-1 or 1"); empty when any number.
  virtual std::string targets() const;
  virtual bool accepts(double y) const;

  /// Whether `conjugate` is there: convex losses.
  virtual bool has_conjugate() const;
  /// sum_k w_k psi*(u_k, y_k), psi*(u, y) = sup_z u z - psi(z, y), infinite outside its domain, which is closed under
  /// scaling towards 0: that is where psi is bounded below. No weights mean 1.
  virtual double conjugate(std::span<const double> u, std::span<const double> y, std::span<const double> w) const;
};

}  // namespace claros
