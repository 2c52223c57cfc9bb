// SPDX-License-Identifier: BSD-3-Clause
/// @file abilities.hpp  Small optional interfaces, asked for by id (see component.hpp).
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>
#include <claros/map/linear_map.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace claros {

class Batch;

/// Ability of sets: tells whether a point lies inside.
class CLAROS_API Membership {
 public:
  static constexpr std::string_view kAbility = "claros.membership/2";
  static constexpr std::string_view kWords = "membership";
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
  static constexpr std::string_view kWords = "a start point";
  virtual ~Start();
  virtual Element start_point(const Shape& shape) = 0;
};

/// Ability of sets of matrices: how far the gradient at an optimum is from asking for a higher rank.
class CLAROS_API SpectralGap {
 public:
  static constexpr std::string_view kAbility = "claros.spectral-gap/1";
  static constexpr std::string_view kWords = "the eigengap of the gradient";
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
  static constexpr std::string_view kWords =
      "a proximal step for every coordinate or group (no side constraint rho)";
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

/// Steps x <- prox_{t h}(x - t d) of one length t. They are called millions of times, so nothing watches
/// them; their results are checked as part of the iterate. They throw nothing and end for every number, NaN
/// too. `count` is at least 1.
///
/// If h is a sum over coordinates, `coordinate` is set; if it is a sum over groups of them, `group` is set.
struct LazySteps {
  const void* self = nullptr;
  /// x after the steps. Adds the sum of the `count` new values to *sum unless that is null. Its time does not
  /// grow with `count`.
  double (*coordinate)(const void* self, double x, Index count, double d, double* sum) = nullptr;

  /// Steps the entries of group g, side by side, into x and sum (empty if not asked for). If the group stays
  /// at rest, its time does not grow with `count`.
  void (*group)(const void* self, Index g, Index count, std::span<const double> d, std::span<double> x,
                std::span<double> sum) = nullptr;
  /// The group of every coordinate.
  std::span<const std::int32_t> group_of = {};
  /// Group g holds members[k], or k itself if there are none, from k = first[g] on and below first[g + 1].
  std::span<const std::size_t> first = {};
  std::span<const std::int32_t> members = {};
};

/// Ability of penalties: makes `count` proximal steps x <- prox_{t h}(x - t d) at once. Each call moves one
/// coordinate, or one group of coordinates that h couples. With it a step on sparse rows costs O(nonzeros).
class CLAROS_API LazyProximal {
 public:
  static constexpr std::string_view kAbility = "claros.lazy-proximal/1";
  static constexpr std::string_view kWords = "lazy proximal steps";
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
  static constexpr std::string_view kWords =
      "a restriction to coordinates (of linear models, without errors in variables; no smoother added)";
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
  static constexpr std::string_view kAbility = "claros.loss-of-image/2";
  static constexpr std::string_view kWords =
      "a loss of A x with access to the columns of A (one output a row, no errors in variables, no smoother)";
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
  /// out <- sum_k d_k a_kj^2 for every coordinate j, with d that bound, or phi''(A 0) if there is none. False
  /// if coordinates have no units of their own, or curvatures that lie less than 10^4 apart.
  virtual bool column_curvature(std::span<double>) { return false; }
};

/// Ability of convex penalties and sets: the Fenchel conjugate (for a set, its support function), for duality
/// gaps.
class CLAROS_API Conjugate {
 public:
  static constexpr std::string_view kAbility = "claros.conjugate/1";
  static constexpr std::string_view kWords = "a conjugate";
  virtual ~Conjugate();
  /// \f$ h^*(s) = \sup_x \langle s, x \rangle - h(x) \f$; infinity outside its domain.
  virtual double conjugate(const Element& s) = 0;
  /// The largest a in [0, 1] for which h*(a s) is finite.
  virtual double into_domain(const Element& s) = 0;
  /// True if gaps of f + h without a set go to 0; false for a cone, whose dual cone a gradient may never
  /// meet.
  virtual bool certifies_alone() const { return true; }
};

/// Ability of convex penalties h: a dual point that the penalty knows.
///
/// For every x and every s in dom h*,
///     f(x) + h(x) - min (f + h) <= (f(x) + f*(-s) + <s, x>) + (h(x) + h*(s) - <s, x>),
/// two terms that are at least 0 (Fenchel). The usual dual point is s = -grad f(x), which the arithmetic of
/// x makes: where s is small beside x it has few digits, and may leave a domain that is a subspace. A penalty
/// whose proximal step computes s knows all its digits.
class CLAROS_API DualPoint {
 public:
  static constexpr std::string_view kAbility = "claros.dual-point/1";
  static constexpr std::string_view kWords = "a dual point of its own";
  virtual ~DualPoint();
  /// s <- a point of dom h*, that of the last proximal step if there was one. Returns h(x) + h*(s) - <s, x>,
  /// with what its own sums lose, at least 0.
  virtual double gap_at_dual_point(const Element& x, Element& s) = 0;
};

/// Ability of convex objectives f whose conjugate is known everywhere.
class CLAROS_API ConjugateGap {
 public:
  static constexpr std::string_view kAbility = "claros.conjugate-gap/1";
  static constexpr std::string_view kWords = "a conjugate that is known everywhere";
  virtual ~ConjugateGap();
  /// f(x) + f*(-s) + <s, x>, at least 0; infinite where f*(-s) is.
  virtual double conjugate_gap(const Element& x, const Element& s) = 0;
};

/// Ability of penalties lambda psi, psi with a corner at 0, convex or not: the lambda from which on 0 is the
/// solution. A penalty that offers it declares lambda as a ScaledNumber (parameters.hpp), so that a user may
/// write `lambda = 0.1*max`.
class CLAROS_API LambdaMax {
 public:
  static constexpr std::string_view kAbility = "claros.lambda-max/1";
  static constexpr std::string_view kWords = "the largest useful lambda";
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
  static constexpr std::string_view kWords = "a lower bound of the minimum";
  virtual ~Certified();
  /// -infinity if the dual point cannot be made feasible.
  virtual double lower_bound(const Element& x, Conjugate& h) = 0;
};

/// Ability of smoothers that approximate a function with corners.
class CLAROS_API Smoothing {
 public:
  static constexpr std::string_view kAbility = "claros.smoothing/1";
  static constexpr std::string_view kWords = "the function that it smooths";
  virtual ~Smoothing();
  /// The function with corners minus R, at x; may be negative.
  virtual double correction(const Element& x) = 0;
};

/// Ability of objectives that hold back test data.
class CLAROS_API HeldOut {
 public:
  static constexpr std::string_view kAbility = "claros.held-out/1";
  static constexpr std::string_view kWords = "held-out data";
  virtual ~HeldOut();
  /// The root mean square of prediction minus value over the held-out data at x; NaN if there is none.
  virtual double test_rmse(const Element& x) = 0;
};

/// Ability of objectives with coordinates that no penalty and no set may touch (an intercept). They come
/// last.
class CLAROS_API FreeTail {
 public:
  static constexpr std::string_view kAbility = "claros.free-tail/1";
  static constexpr std::string_view kWords = "free coordinates";
  virtual ~FreeTail();
  /// The shape of the argument of penalty and set: the variable, column-major, without its free tail.
  virtual Shape constrained_shape() const = 0;
};

/// Ability of finite sums. It gives L_i for every term f_i, for importance sampling. An objective that offers
/// it honours the weights of a Batch.
class CLAROS_API TermConstants {
 public:
  static constexpr std::string_view kAbility = "claros.term-constants/1";
  static constexpr std::string_view kWords = "the smoothness of every term";
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
  static constexpr std::string_view kWords =
      "component gradients that are a few numbers on fixed rows (a table of whole gradients would take n "
      "times the memory of the variable)";
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
  static constexpr std::string_view kWords = "a solution in the units of the data";
  virtual ~Rescaled();
  /// x in the units of the data.
  virtual Element original(const Element& x) const = 0;
  /// The way forth: original(scaled(x)) is x, to rounding.
  virtual Element scaled(const Element& x) const = 0;
};

/// Ability of smoothers R_mu with parameters `mu` and `eps`. If a specification gives eps, it is composed
/// with the mu that this ability returns, once the shape of the variable is known.
class SmoothingAccuracy {
 public:
  static constexpr std::string_view kAbility = "claros.smoothing-accuracy/2";
  static constexpr std::string_view kWords = "the smoothing for an accuracy";
  virtual ~SmoothingAccuracy() = default;
  /// The mu for which the value without smoothing comes within eps > 0 of its minimum, for variables of the
  /// shape. Not finite if nothing is smoothed.
  virtual double mu_for(double eps, const Shape& shape) const = 0;
};

/// Ability of algorithms whose theory asks for a number of steps. A run ends after so many steps as by
/// `stop.iterations`, whichever comes first.
class StepBudget {
 public:
  static constexpr std::string_view kAbility = "claros.step-budget/1";
  static constexpr std::string_view kWords = "a number of steps of its own";
  virtual ~StepBudget() = default;
  /// 0 as long as it is not known, or for none.
  virtual Index step_budget() const = 0;
};

/// Ability of objectives that settle which function they are as the run asks. A resisting oracle: what it has
/// told stays true of the function that it ends with. Watchers tell it of what counts, before it is answered;
/// measuring asks the function as it is, and settles nothing. It offers State too.
class CLAROS_API Adversary {
 public:
  static constexpr std::string_view kAbility = "claros.adversary/1";
  static constexpr std::string_view kWords = "a resisting oracle";
  virtual ~Adversary();
  /// A run begins, and nothing is settled yet.
  virtual void forget() = 0;
  /// f, or with `gradient` grad f, is about to be asked for at x.
  virtual void asked(const Element& x, bool gradient) = 0;
};

/// A bound, which holds with high probability, on the relative error of a sum of `terms` products whose
/// roundings are independent. It is a multiple of sqrt(terms) units; the factor is small because every loop
/// keeps several running sums side by side. (Higham, Mary: A new approach to probabilistic rounding error
/// analysis, SIAM J. Sci. Comput. 41, 2019.)
inline double sum_rounding(Index terms) {
  constexpr double kUnit = 0.5 * std::numeric_limits<double>::epsilon();
  return kUnit * (8.0 + 0.125 * std::sqrt(static_cast<double>(terms)));
}

/// Ability of objectives that know more of their arithmetic than their values show. Without it, the
/// magnitudes of value and gradient stand for those that cancel in them.
class CLAROS_API Rounding {
 public:
  static constexpr std::string_view kAbility = "claros.rounding/1";
  static constexpr std::string_view kWords = "a bound on the error of its arithmetic";
  virtual ~Rounding();
  /// A bound on the error of value(x) and, for convex f, on the error of the tangent there as a lower bound.
  /// With the computed gradient g, value(x) + <g, u - x> exceeds f(u) by at most the bound. This holds for
  /// every u with ||u||_F <= size, and needs size >= ||x||_F.
  virtual double rounding(const Element& x, double size) = 0;
};

}  // namespace claros
