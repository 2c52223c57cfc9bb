// SPDX-License-Identifier: BSD-3-Clause
/// @file abilities.hpp  Small optional interfaces, asked for by id (see component.hpp).
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>
#include <claros/map/linear_map.hpp>

#include <memory>
#include <span>

namespace claros {

class Batch;

/// Of sets: whether a point lies inside.
class CLAROS_API Membership {
 public:
  static constexpr std::string_view kAbility = "claros.membership/1";
  virtual ~Membership();
  /// How far x lies outside, relative to the size of the set: 0 inside, 0.1 when it has to shrink by a tenth.
  virtual double violation(const Element& x) = 0;
};

/// Of sets: a point to start from.
class CLAROS_API Start {
 public:
  static constexpr std::string_view kAbility = "claros.start/1";
  virtual ~Start();
  virtual Element start_point(const Shape& shape) = 0;
};

/// Of penalties: h(x) = sum_j h_j(x_j), with the proximal step of a single coordinate.
class CLAROS_API Separable {
 public:
  static constexpr std::string_view kAbility = "claros.separable/1";
  virtual ~Separable();
  virtual double apply_coordinate(double v, double step, Index coordinate) = 0;
};

/// Of separable penalties: `count` proximal steps x <- prox(x - step * drift) of one coordinate at once, in a
/// time that does not grow with `count`. What makes a batch-1 step on sparse rows cost O(nonzeros).
class CLAROS_API SeparableLag {
 public:
  static constexpr std::string_view kAbility = "claros.separable-lag/1";
  virtual ~SeparableLag();
  /// The coordinate after the steps. Adds the sum of its `count` new values to `sum` (for averaged
  /// snapshots).
  virtual double advance(double x, Index count, double step, double drift, Index coordinate, double& sum) = 0;
};

/// Of objectives, penalties and sets: the same function of the given coordinates (or groups), the others
/// fixed at 0.
class CLAROS_API Restrictable {
 public:
  static constexpr std::string_view kAbility = "claros.restrictable/1";
  virtual ~Restrictable();
  virtual std::unique_ptr<Component> restrict_to(std::span<const Index> coordinates) = 0;
};

/// Of convex penalties and sets: the Fenchel conjugate (of a set, its support function), for duality gaps.
class CLAROS_API Conjugate {
 public:
  static constexpr std::string_view kAbility = "claros.conjugate/1";
  virtual ~Conjugate();
  /// \f$ h^*(s) = \sup_x \langle s, x \rangle - h(x) \f$; infinity outside its domain.
  virtual double conjugate(const Element& s) = 0;
  /// The largest a in [0, 1] for which h*(a s) is finite.
  virtual double into_domain(const Element& s) = 0;
};

/// Of penalties lambda psi, psi with a corner at 0, convex or not: from which lambda on 0 is the solution. Who offers it
/// declares lambda as a ScaledNumber (parameters.hpp), so that a person may write `lambda = 0.1*max`.
class CLAROS_API LambdaMax {
 public:
  static constexpr std::string_view kAbility = "claros.lambda-max/1";
  virtual ~LambdaMax();
  /// The least lambda for which 0 is a stationary point of <g, x> + lambda psi(x): the dual norm of g, the gradient at 0
  /// of what the penalty is added to. It does not depend on the lambda that the penalty was made with. Throws
  /// Error(usage) with the reason where no lambda does.
  virtual double lambda_max(const Element& gradient) = 0;
};

/// Of convex objectives: a lower bound on min f + h from the dual point that belongs to x (Fenchel duality).
class CLAROS_API Certified {
 public:
  static constexpr std::string_view kAbility = "claros.certified/2";
  virtual ~Certified();
  /// -infinity where the dual point cannot be made feasible.
  virtual double lower_bound(const Element& x, Conjugate& h) = 0;
};

/// Of objectives that hold data back to test on.
class CLAROS_API HeldOut {
 public:
  static constexpr std::string_view kAbility = "claros.held-out/1";
  virtual ~HeldOut();
  /// The root mean square of prediction minus value over the held-out data at x; NaN where there is none.
  virtual double test_rmse(const Element& x) = 0;
};

/// Of objectives with coordinates that no penalty and no set may touch (an intercept): they come last.
class CLAROS_API FreeTail {
 public:
  static constexpr std::string_view kAbility = "claros.free-tail/1";
  virtual ~FreeTail();
  /// The shape of what penalty and set see: the variable, column-major, without its free tail.
  virtual Shape constrained_shape() const = 0;
};

/// Of finite sums whose components differ: L_i of every f_i, for importance sampling. Who offers it
/// honours the weights of a Batch.
class CLAROS_API ComponentConstants {
 public:
  static constexpr std::string_view kAbility = "claros.component-constants/1";
  virtual ~ComponentConstants();
  /// One number a component, made on the first call; the span lives as long as the objective.
  virtual std::span<const double> component_smoothness() const = 0;
};

/// Of finite sums whose component gradients are combinations of fixed rows a_j of a map,
///     grad f_i(x) = sum_{k<K} c_ik(x) a_{iK+k} + s(x),  with s the same for all components:
/// to remember a component's gradient takes K numbers.
class CLAROS_API ComponentCoefficients {
 public:
  static constexpr std::string_view kAbility = "claros.component-coefficients/1";
  virtual ~ComponentCoefficients();
  virtual const MapPtr& map() const noexcept = 0;
  /// K.
  virtual Index outputs() const noexcept = 0;
  /// out_{jK+k} <- c_ik(x) with i the batch's entry number j; what weights the batch may carry plays no part.
  virtual void coefficients(const Element& x, const Batch& batch, std::span<double> out) = 0;
  /// Whether s is not 0.
  virtual bool has_common_gradient() const noexcept { return false; }
  /// g <- g + a s(x).
  virtual void add_common_gradient(const Element& x, double a, Element& g);
};

/// Of objectives that solve in scaled coordinates (standardised columns): the way back.
class CLAROS_API Rescaled {
 public:
  static constexpr std::string_view kAbility = "claros.rescaled/1";
  virtual ~Rescaled();
  /// x in the units of the data.
  virtual Element original(const Element& x) const = 0;
  /// The way forth: original(scaled(x)) is x, to rounding.
  virtual Element scaled(const Element& x) const = 0;
};

}  // namespace claros
