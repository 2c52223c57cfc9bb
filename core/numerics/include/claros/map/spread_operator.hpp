// SPDX-License-Identifier: BSD-3-Clause
/// @file spread_operator.hpp  A matrix of which every process of a job holds a part.
#pragma once

#include <claros/element/element.hpp>

#include <span>

namespace claros {

/// Makes operators again from points, as after a resumption: what they hold is not in an archive. A map of a
/// name (References) has it (LinearMap::operator_source).
class CLAROS_API OperatorSource {
 public:
  virtual ~OperatorSource();
  virtual std::shared_ptr<const LinearOperator> make(std::span<const Element> points) const = 0;
};

/// A matrix A cut along its longer side: B = A where n <= m, else A', and every process holds some rows of B.
/// All functions are collective, and their results are the same in all processes but for the image of
/// `round_trip`. Products with whole vectors read of a vector of the longer side only what is the process's
/// own.
class CLAROS_API SpreadOperator : public LinearOperator {
 public:
  ~SpreadOperator() override;
  Spread spread() const final { return {this, 1.0}; }
  /// A Lanczos step's two products from the shorter side, image <- weight B x - beta image and back <- weight
  /// B' image; returns ||image||. A process makes, and later reads, the entries of the image that belong to
  /// its own rows; the others stay as they are.
  virtual double long_round_trip(double weight, std::span<const double> x, double beta,
                                 std::span<double> image, std::span<double> back) const = 0;
  /// <A, X>
  virtual double inner(const LowRankForm& x) const = 0;
  /// ||A||_F^2
  virtual double squared_norm() const = 0;
  /// The map that is the OperatorSource, and the points that it made this from.
  virtual MapPtr source() const = 0;
  virtual std::span<const Element> points() const = 0;
};

/// The SpreadOperator that a form holds, or null.
CLAROS_API const SpreadOperator* spread_operator(const Form& form);

}  // namespace claros
