// SPDX-License-Identifier: BSD-3-Clause
/// @file abilities.hpp  Small optional interfaces, asked for by id (see component.hpp).
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>
#include <claros/lazy_steps.hpp>
#include <claros/map/linear_map.hpp>

#include <memory>
#include <span>
#include <vector>

namespace claros {

class Batch;

/// Ability of sets: tells whether a point lies inside.
class CLAROS_API Membership {
 public:
  static constexpr std::string_view kAbility = "claros.membership/2";
  virtual ~Membership();
  /// How far x lies outside, relative to the size of the set: 0 inside, 0.1 when it has to shrink by a tenth.
  virtual double violation(const Element& x) = 0;
  /// The violation that points of the set may show, if `violation` is known to an iteration's accuracy
  /// alone: in [0, kMostSlack]. Runs allow vertices and solutions this much instead of the usual 1e-6; the
  /// result's `violation` says how much a solution used of it.
  virtual double slack() const { return 0.0; }
  static constexpr double kMostSlack = 1e-3;
};

/// The violation that a set with this membership allows its points: slack(), at least 1e-6. Throws
/// Error(plugin) for a slack outside [0, kMostSlack].
CLAROS_API double allowed_violation(const Membership& membership);

/// A point to start from; for a set, a point inside. For an objective whose data are some entries of a
/// matrix, it is the matrix with these entries and with their mean everywhere else, in the units of the
/// variable.
class CLAROS_API Start {
 public:
  static constexpr std::string_view kAbility = "claros.start/1";
  virtual ~Start();
  virtual Element start_point(const Shape& shape) = 0;
};

/// Ability of sets of matrices: how far the gradient at an optimum is from asking for a higher rank.
class CLAROS_API SpectralGap {
 public:
  static constexpr std::string_view kAbility = "claros.spectral-gap/1";
  virtual ~SpectralGap();
  /// The r-th and the (r+1)-th of the leading values of -g, r = `rank`: singular values, or eigenvalues where
  /// the set is of symmetric matrices. Their difference is 0 if no r-th of that many exists. (Garber 2020,
  /// Assumption 1.)
  virtual double eigengap(const Element& g, Index rank) = 0;
};

/// A partition of the coordinates of a variable (column-major) into blocks.
class CLAROS_API Blocks {
 public:
  /// Every coordinate is a block of its own.
  static Blocks single(Index count);
  /// Block b holds members[start[b]] .. members[start[b+1] - 1].
  static Blocks of(std::vector<Index> start, std::vector<Index> members);

  Index count() const noexcept { return count_; }
  bool are_single() const noexcept { return start_.empty(); }
  Index size(Index b) const noexcept { return are_single() ? 1 : start_[at(b) + 1] - start_[at(b)]; }
  /// The k-th coordinate of block b.
  Index coordinate(Index b, Index k) const noexcept {
    return are_single() ? b : members_[at(start_[at(b)] + k)];
  }
  Index largest() const noexcept;

 private:
  Index count_ = 0;
  std::vector<Index> start_, members_;
};

/// The proximal step of one block, prox_{step h_b}(v): a plain function, since methods that move a block at a
/// time call it millions of times. Nothing watches it; what it makes is looked at as part of the point. x may
/// be v.
struct BlockStep {
  using Function = void (*)(const void* self, Index block, const double* v, double step, double* x);
  const void* self = nullptr;
  Function function = nullptr;
  /// True if steps of lengths s and t >= 0 in a row equal one step of length s + t. This holds for multiples
  /// of a norm and for indicators.
  bool adds_up = false;
  void operator()(Index block, const double* v, double step, double* x) const {
    function(self, block, v, step, x);
  }
};

/// Ability of penalties that are sums over blocks of coordinates: h(x) = sum_b h_b(x_b).
class CLAROS_API Separable {
 public:
  static constexpr std::string_view kAbility = "claros.separable/3";
  virtual ~Separable();
  /// The blocks of a variable with that shape (of its constrained coordinates). Throws Error(usage) if the
  /// shape does not fit.
  virtual Blocks blocks(const Shape& shape) = 0;
  /// The step for the shape asked for last; lives until the next call of `blocks`, and as long as the
  /// penalty. If h is weakly convex, steps are below 1/mu.
  virtual BlockStep block_step() = 0;
  /// The penalty of the blocks in the list, one after the other, of a vector: with a proximal oracle and the
  /// abilities of this one. The shape is that asked for last.
  virtual std::unique_ptr<Component> restrict_to(std::span<const Index> blocks) = 0;
};

/// Ability of penalties: makes `count` proximal steps x <- prox_{t h}(x - t d) at once. Each call moves one
/// coordinate, or one group of coordinates that h couples. With it a step on sparse rows costs O(nonzeros).
class CLAROS_API LazyProximal {
 public:
  static constexpr std::string_view kAbility = "claros.lazy-proximal/1";
  virtual ~LazyProximal();
  /// Steps of length t for a variable with that shape, each as one proximal step would be. Lives until the
  /// next call.
  virtual LazySteps lazy_steps(const Shape& shape, double t) = 0;
  /// Told of steps of the whole variable that were made so: watchers count them as proximal steps.
  virtual void made(Index) {}
};

/// Ability of objectives: the same function of the given coordinates, the others fixed at 0.
class CLAROS_API Restrictable {
 public:
  static constexpr std::string_view kAbility = "claros.restrictable/2";
  virtual ~Restrictable();
  /// The function takes a vector with one entry for each coordinate of the list. The list has each coordinate
  /// at most once, in any order, and ends with all free ones. The components, and so the images, are those of
  /// this objective.
  virtual std::unique_ptr<Component> restrict_to(std::span<const Index> coordinates) = 0;
};

/// Ability of objectives f(x) = phi(A x): gives phi to methods that follow z = A x while they move a few
/// coordinates. Arrays have one number for each output. Unless f is one term without curvature_bound, phi is
/// a sum over outputs.
class CLAROS_API LossOfImage {
 public:
  static constexpr std::string_view kAbility = "claros.loss-of-image/1";
  virtual ~LossOfImage();
  virtual const MapPtr& map() const noexcept = 0;
  virtual double image_value(std::span<const double> z) = 0;
  /// out <- grad phi(z); with `rows`, for these outputs only, whose z and out are given.
  virtual void image_gradient(std::span<const Index> rows, std::span<const double> z,
                              std::span<double> out) = 0;
  /// out <- the diagonal of phi''(z).
  virtual void image_curvature(std::span<const double> z, std::span<double> out) = 0;
  /// out <- a bound of that for all z; false if there is none.
  virtual bool curvature_bound(std::span<double> out) = 0;
  /// True if phi'' is the same everywhere.
  virtual bool is_quadratic() const noexcept = 0;
};

/// Ability of convex penalties and sets: the Fenchel conjugate (for a set, its support function), for duality
/// gaps.
class CLAROS_API Conjugate {
 public:
  static constexpr std::string_view kAbility = "claros.conjugate/1";
  virtual ~Conjugate();
  /// \f$ h^*(s) = \sup_x \langle s, x \rangle - h(x) \f$; infinity outside its domain.
  virtual double conjugate(const Element& s) = 0;
  /// The largest a in [0, 1] for which h*(a s) is finite.
  virtual double into_domain(const Element& s) = 0;
  /// True if gaps of f + h without a set go to 0; false for a cone, whose dual cone a gradient may never
  /// meet.
  virtual bool certifies_alone() const { return true; }
};

/// Ability of penalties lambda psi, psi with a corner at 0, convex or not: the lambda from which on 0 is the
/// solution. A penalty that offers it declares lambda as a ScaledNumber (parameters.hpp), so that a user may
/// write `lambda = 0.1*max`.
class CLAROS_API LambdaMax {
 public:
  static constexpr std::string_view kAbility = "claros.lambda-max/1";
  virtual ~LambdaMax();
  /// The least lambda for which 0 is a stationary point of <g, x> + lambda psi(x). This is the dual norm of
  /// g, the gradient at 0 of the function that the penalty is added to. It does not depend on the lambda that
  /// the penalty was made with. Throws Error(usage) with the reason if there is no such lambda.
  virtual double lambda_max(const Element& gradient) = 0;
  /// The entries that psi does not see, ascending, as the coordinates of FreeTail: the gradient of
  /// `lambda_max` is taken where they are at their best.
  virtual std::vector<Index> free_entries() const;
};

/// Ability of convex objectives: a lower bound on min f + h from the dual point that belongs to x (Fenchel
/// duality).
class CLAROS_API Certified {
 public:
  static constexpr std::string_view kAbility = "claros.certified/2";
  virtual ~Certified();
  /// -infinity if the dual point cannot be made feasible.
  virtual double lower_bound(const Element& x, Conjugate& h) = 0;
};

/// Ability of smoothers that approximate a function with corners.
class CLAROS_API Smoothing {
 public:
  static constexpr std::string_view kAbility = "claros.smoothing/1";
  virtual ~Smoothing();
  /// The function with corners minus R, at x; may be negative.
  virtual double correction(const Element& x) = 0;
};

/// Ability of objectives that hold back test data.
class CLAROS_API HeldOut {
 public:
  static constexpr std::string_view kAbility = "claros.held-out/1";
  virtual ~HeldOut();
  /// The root mean square of prediction minus value over the held-out data at x; NaN if there is none.
  virtual double test_rmse(const Element& x) = 0;
};

/// Ability of objectives with coordinates that no penalty and no set may touch (an intercept). They come
/// last.
class CLAROS_API FreeTail {
 public:
  static constexpr std::string_view kAbility = "claros.free-tail/1";
  virtual ~FreeTail();
  /// The shape of the argument of penalty and set: the variable, column-major, without its free tail.
  virtual Shape constrained_shape() const = 0;
};

/// Ability of finite sums. It gives L_i for every term f_i, for importance sampling. An objective that offers
/// it honours the weights of a Batch.
class CLAROS_API TermConstants {
 public:
  static constexpr std::string_view kAbility = "claros.term-constants/1";
  virtual ~TermConstants();
  /// One number for each term, made on the first call; the span lives as long as the objective.
  virtual std::span<const double> term_smoothness() const = 0;
};

/// Ability of finite sums whose terms have gradients that are combinations of fixed rows a_j of a map,
///     grad f_i(x) = sum_{k<K} c_ik(x) a_{iK+k} + s(x),  with s the same for all terms.
/// To store the gradient of a term takes K numbers.
class CLAROS_API TermCoefficients {
 public:
  static constexpr std::string_view kAbility = "claros.term-coefficients/1";
  virtual ~TermCoefficients();
  virtual const MapPtr& map() const noexcept = 0;
  /// K.
  virtual Index outputs() const noexcept = 0;
  /// out_{jK+k} <- c_ik(x) with i the batch's entry number j; what weights the batch may carry plays no part.
  virtual void coefficients(const Element& x, const Batch& batch, std::span<double> out) = 0;
  /// True if s is not 0.
  virtual bool has_common_gradient() const noexcept { return false; }
  /// g <- g + a s(x).
  virtual void add_common_gradient(const Element& x, double a, Element& g);
};

/// Ability of objectives that solve in scaled coordinates (standardised columns): the way back.
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
