// SPDX-License-Identifier: BSD-3-Clause
/// @file objective.hpp  The smooth function that is minimised: a finite sum, or an expectation.
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>

#include <memory>
#include <optional>
#include <span>

namespace claros {

/// The terms f_i that a call is about: all of them, a list (with repetitions, each counted as often as it is
/// listed), or a range of draws. A batch is a view: the list must outlive it.
///
/// A list may carry weights, one an entry. "The mean over the batch of v_i" is then (1/|S|) sum_k weight_k
/// v_{i_k}. Only objectives with the ability TermConstants are ever given weights.
class Batch {
 public:
  static Batch all() noexcept { return {}; }
  static Batch of(std::span<const Index> terms) noexcept {
    Batch b;
    b.list_ = terms;
    b.kind_ = Kind::list;
    return b;
  }
  static Batch of(std::span<const Index> terms, std::span<const double> weights) noexcept {
    Batch b = of(terms);
    b.weights_ = weights;
    return b;
  }
  static Batch range(Index first, Index count) noexcept {
    Batch b;
    b.first_ = first;
    b.count_ = count;
    b.kind_ = Kind::range;
    return b;
  }

  bool is_all() const noexcept { return kind_ == Kind::all; }
  /// The number of terms in the batch, of `n` in total.
  Index size(Index n) const noexcept {
    return kind_ == Kind::all ? n : kind_ == Kind::list ? static_cast<Index>(list_.size()) : count_;
  }
  Index operator[](Index k) const noexcept {
    return kind_ == Kind::all ? k : kind_ == Kind::list ? list_[static_cast<std::size_t>(k)] : first_ + k;
  }
  /// The list; empty unless the batch was made from one.
  std::span<const Index> list() const noexcept { return list_; }
  /// One number an entry, or empty for 1.
  std::span<const double> weights() const noexcept { return weights_; }
  double weight(Index k) const noexcept {
    return weights_.empty() ? 1.0 : weights_[static_cast<std::size_t>(k)];
  }
  /// Returns the same entries, each with weight 1.
  Batch unweighted() const noexcept {
    Batch b = *this;
    b.weights_ = {};
    return b;
  }

 private:
  enum class Kind { all, list, range };
  std::span<const Index> list_;
  std::span<const double> weights_;
  Index first_ = 0, count_ = 0;
  Kind kind_ = Kind::all;
};

/// The known constants of f; unset means unknown, never guessed. Smoothness is with respect to the Frobenius
/// norm.
struct Constants {
  bool convex = false;
  std::optional<double> smoothness = {};       ///< L of f
  std::optional<double> term_smoothness = {};  ///< L of one f_i, the largest
  std::optional<double> strong_convexity = {};
  std::optional<double> lower_smoothness = {};         ///< l: f_i + (l/2)||x||^2 is convex
  std::optional<double> hessian_smoothness = {};       ///< L_2 of f
  std::optional<double> term_hessian_smoothness = {};  ///< L_2 of one f_i, the largest
  std::optional<double> lower_bound = {};              ///< a number that no value is below
};

/// \f$ f = \frac{1}{n} \sum_{i<n} f_i \f$, or \f$ f = E f_i \f$ with term i the draw number i of a
/// counter-based generator. "The same sample at two points" is then the same i, and one estimator serves both
/// settings. Not called from two threads at once. Throws Error(usage) when a shape does not fit.
class CLAROS_API Objective : public Component {
 public:
  /// The shape of the variable. A smoother may be a function of variables of all shapes, and then returns
  /// Shape().
  virtual Shape shape() const = 0;
  /// n, the number of terms f_i, or kUnbounded for an expectation.
  virtual Index terms() const = 0;
  /// f(x); for an expectation, its exact value if known, else NaN. Outside the domain of f, +infinity
  /// (domain.hpp).
  virtual double value(const Element& x) = 0;
  /// g <- g + a * (mean over the batch of grad f_i(x)). Batch::all() is grad f(x).
  virtual void add_gradient(const Element& x, const Batch& batch, double a, Element& g) = 0;
  /// g <- g + a * (mean over the batch of grad f_i(x) - grad f_i(y)); a fused pair reads each row once.
  virtual void add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a,
                                       Element& g);
  virtual Constants constants() const { return {}; }
};

/// The mean over a batch of the Hessians of the terms at a fixed point, as an operator. The objective
/// outlives it.
class CLAROS_API Hessian {
 public:
  virtual ~Hessian();
  /// g <- g + a H d.
  virtual void add_product(const Element& d, double a, Element& g) = 0;
  /// True if a product evaluates the Hessians of the terms anew; false if it uses kept ones.
  virtual bool recomputes() const { return false; }
};

/// Ability of objectives: products with the Hessian, which is never formed.
class CLAROS_API Curvature {
 public:
  static constexpr std::string_view kAbility = "claros.curvature/1";
  static constexpr std::string_view kWords = "Hessian products";
  virtual ~Curvature();
  /// g <- g + a * (mean over the batch of hess f_i(at) d).
  virtual void add_hessian_product(const Element& at, const Element& d, const Batch& batch, double a,
                                   Element& g) = 0;
  /// The Hessian at `at` for many products. The batch, when it is a list, outlives the result. An objective
  /// that can keep these Hessians (one number each on a linear model) evaluates them here, once; the
  /// default keeps only the point.
  virtual std::unique_ptr<Hessian> hessian(const Element& at, const Batch& batch);
};

/// True if f is known to be convex: an objective with certificates (Certified) is. Others say so among their
/// constants, which may take many passes over the data.
CLAROS_API bool is_convex(Objective& f);

}  // namespace claros
