// SPDX-License-Identifier: BSD-3-Clause
/// @file loss.hpp  Losses psi(z, y): what a prediction z costs when y is seen.
#pragma once

#include <claros/component.hpp>

#include <optional>
#include <span>
#include <string>

namespace claros {

/// The known constants of z |-> psi(z, y), for every y.
struct CLAROS_API LossConstants {
  bool convex = false;
  std::optional<double> smoothness = {};        ///< sup |psi''|
  std::optional<double> lower_smoothness = {};  ///< sup (-psi'')_+
  std::optional<double> third = {};             ///< sup |psi'''|: Lipschitz constant of psi''
  std::optional<double> lower_bound = {};       ///< inf psi
  bool of_difference = false;                   ///< psi(z, y) = rho(z - y), rho smallest at 0
};

/// The meaning of predictions z for targets, and of `Loss::mean`.
enum class ResponseKind {
  value,  ///< mean(z) is a target, be it a mean, a median or another one; if it is not z itself, psi'(z,
          ///< mean(z)) = 0
  count,  ///< how many are expected: psi'(z, mean(z)) = 0, and mean(z) >= 0
  probability,  ///< of two classes that of the target 1, of K classes one each: E psi'(z, Y) = 0 under them
  score  ///< of two classes the sign of z tells, of K classes the largest; z stands for no number of the
         ///< world
};

/// A loss of K = outputs() numbers z and one target y, with one virtual call an array. The span y has one
/// number a target; all other spans have K numbers a target, one target's after the other's. An objective
/// asks it from several threads at once: but for `set_classes`, nothing changes it. Authors derive from
/// sdk::LossOf, which makes all of it from functions of two numbers.
class CLAROS_API Loss : public Component {
 public:
  virtual double sum(std::span<const double> z, std::span<const double> y) const = 0;
  /// sum_k w_k psi(z_k, y_k)
  virtual double weighted_sum(std::span<const double> z, std::span<const double> y,
                              std::span<const double> w) const = 0;
  /// out_k = psi'(z_k, y_k), the derivative in z.
  virtual void derivative(std::span<const double> z, std::span<const double> y,
                          std::span<double> out) const = 0;
  /// out_k = psi''(z_k, y_k); for a vector loss, K numbers from which `multiply_second` makes products.
  virtual void second_derivative(std::span<const double> z, std::span<const double> y,
                                 std::span<double> out) const = 0;
  /// out <- psi'' out, if `second` is the result of second_derivative.
  virtual void multiply_second(std::span<const double> second, std::span<double> out) const;
  virtual LossConstants constants() const = 0;

  /// True if targets are classes 0, ..., K-1, and z has a number for each. The caller sets their number once,
  /// before anything else.
  virtual bool of_classes() const;
  virtual void set_classes(Index count);
  virtual Index outputs() const;

  /// The meaning of a prediction, for output to people. The default is scores for classes, and for targets of
  /// which -1 and 1 are some and 0 is not. For all others it is values, and the mean is z itself.
  virtual ResponseKind response() const;
  /// out_k is the meaning of z_k, as response() says; for scores it is z itself. K numbers a target, as
  /// everywhere.
  virtual void mean(std::span<const double> z, std::span<double> out) const;

  /// Which targets y there may be, in words ("-1 or 1"); empty when any number.
  virtual std::string targets() const;
  virtual bool accepts(double y) const;

  /// True for convex losses, for which `conjugate` is defined.
  virtual bool has_conjugate() const;
  /// sum_k w_k psi*(u_k, y_k), with psi*(u, y) = sup_z u z - psi(z, y). It is infinite outside its domain.
  /// The domain is closed under scaling towards 0 because psi is bounded below. No weights mean 1.
  virtual double conjugate(std::span<const double> u, std::span<const double> y,
                           std::span<const double> w) const;
};

/// True if targets are -1 and 1 by their nature: two classes.
CLAROS_API bool wants_signs(const Loss& loss);

}  // namespace claros
