// SPDX-License-Identifier: BSD-3-Clause
/// @file proximal_step.hpp  The step that proximal methods share.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/sdk/losses/fold_fused.hpp>

#include <utility>

namespace claros::sdk {

/// A proximal step. h is the penalty of a problem, the indicator of its set, or 0. mu is its weak convexity,
/// 0 unless it is a penalty that is not convex. If 0 < mu < inf, the convex h + (mu/2)||.||^2 takes h's
/// place, and g - mu x that of g (Qu, Li, Xu 2017, Algorithm 2). If no mu makes h convex (l0, the rank), the
/// step is that of h itself. g is an estimate of grad f; the gradient of a smoother R that stands apart from
/// f is added.
class ProximalStep {
 public:
  void start(const Problem& problem, const Accuracy& accuracy = {1e-10, 0}) {
    R_ = problem.smoother;
    h_ = problem.penalty ? problem.penalty : problem.projection;
    stated_ = problem.penalty ? problem.penalty->weak_convexity() : 0.0;
    mu_ = problem.penalty ? convexifying(*problem.penalty) : 0.0;
    accuracy_ = accuracy;
  }

  /// The weak convexity of the penalty; infinite if no mu makes it convex.
  double weak_convexity() const noexcept { return stated_; }

  /// to <- prox_{s h}(at - s (g + grad R(at))). If 0 < mu < inf, the step is that of h + (mu/2)||.||^2, with
  /// g - mu at in the place of g. The point `to` may be `at`.
  void operator()(const Element& at, const Element& g, double s, Element& to) {
    if (lone_dense(at) && lone_dense(g)) {
      v_.assign_sum(1.0 + s * mu_, at, -s, g);
    } else if (lone_dense(at)) {
      const std::span<double> v = overwrite_dense(at.shape(), v_);
      const std::span<const double> from = reader_(at);
      for (std::size_t j = 0; j < v.size(); ++j) v[j] = (1.0 + s * mu_) * from[j];
      v_.add(-s, g);
      (void)v_.dense_values();
    } else {
      v_ = at;
      v_.scale(1.0 + s * mu_);
      v_.add(-s, g);
      fold_fused(v_);  // else a projection reads a batch's rows again with every product, and, of a point
                       // inside, those of all steps before
    }
    const bool array = lone_dense(v_) != nullptr;
    if (R_) R_->add_gradient(at, Batch::all(), -s, v_);
    expanded_ = R_ && !array && lone_dense(v_);
    (*this)(v_, s, to);
  }

  /// True if the smoother made an array of columns in the last step.
  bool has_expanded() const noexcept { return expanded_; }

  /// to <- prox_{s h}(v), of h + (mu/2)||.||^2 for 0 < mu < inf. The content of v is undefined afterwards.
  void operator()(Element& v, double s, Element& to) {
    if (!h_)
      std::swap(to, v);
    else if (mu_ > 0.0)
      (void)apply_convexified(*h_, v, s, to, accuracy_);
    else
      (void)h_->apply(v, s, to, accuracy_);
  }

 private:
  ProximalOracle* h_ = nullptr;
  Objective* R_ = nullptr;
  double stated_ = 0.0, mu_ = 0.0;
  bool expanded_ = false;
  Accuracy accuracy_;
  Element v_;
  DenseReader reader_;
};

}  // namespace claros::sdk
