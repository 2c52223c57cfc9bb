// SPDX-License-Identifier: BSD-3-Clause
/// @file gradient_estimator.hpp  The rule that makes a gradient out of batches.
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>
#include <claros/need.hpp>
#include <claros/objective.hpp>
#include <claros/sampler.hpp>

#include <string>
#include <vector>

namespace claros {

/// Numbers that an algorithm's theory dictates; 0 leaves the estimator's own.
struct EpochPlan {
  Index snapshot = 0;  ///< draws in the snapshot's gradient (0: all components, or the estimator's own)
  Index batch = 0;     ///< |S|
  Index length = 0;    ///< p
  /// The estimate goes to a linear oracle, whose vertex takes over its error undamped. The estimator's own
  /// numbers are then chosen for an error below the gap. (A shorter proximal step makes up for the error.)
  bool undamped = false;

  /// Its members, to a StateVisitor.
  void state(auto& v) {
    v("snapshot", snapshot), v("batch", batch), v("length", length), v("undamped", undamped);
  }
};

/// g_t, an estimate of grad f(x_t). The estimator says when an epoch is due; the algorithm says where the
/// snapshot lies. In `const Element& g = estimator.estimate(x)` the reference lives until the next call. A
/// copy of it makes the next estimate pay for detaching.
class CLAROS_API GradientEstimator : public Component {
 public:
  /// The abilities that the objective must have: {need::objective<Curvature>("the estimate is moved along
  /// Hessian products")}.
  virtual std::vector<Need> needs() const { return {}; }
  /// f and sampler outlive the estimator. Throws Error(usage) when its numbers do not fit f.
  virtual void start(Objective& f, Sampler& sampler) = 0;
  /// True if begin_epoch must be called before the next estimate.
  virtual bool epoch_due() const = 0;
  virtual void begin_epoch(const Element& x, const EpochPlan& plan = {}) = 0;
  /// `batch` overrides |S| for this step alone (0: the plan's).
  virtual const Element& estimate(const Element& x, Index batch = 0) = 0;
  /// grad f at the point where the epoch began, when it was computed in full: free stopping and optimality
  /// tests.
  virtual const Element* full_gradient() const { return nullptr; }
  /// The part of the estimate that stays the same on coordinates that no batch touches; null if none. If an
  /// estimate shares its arrays, the rest of it has the rows of the batch. It is the same element from start
  /// to start; `estimate` changes it, if at all, on coordinates that this batch or the last one touched.
  virtual const Element* drift() const { return nullptr; }
  /// True if begin_epoch, except the first, may change drift() anywhere.
  virtual bool renews_drift() const { return true; }
  /// True if the mean of estimate(x), given all earlier draws, is grad f(x).
  virtual bool unbiased() const { return false; }
  /// True if estimate(x) is grad f(x) itself.
  virtual bool exact() const { return false; }
  /// |S| of the next estimate, as far as it is known; 0 if it is not, or nothing is sampled.
  virtual Index batch_size() const { return 0; }
  /// Epochs begun.
  virtual Index epochs() const = 0;
  /// Advice to the user before a run on f, such as work that the batch does not show; empty if there is none.
  virtual std::string advice(Objective&) const { return {}; }
  /// Once started, where the algorithm does not choose the size of snapshots (Algorithm::plans_snapshots).
  /// Throws Error(usage) if f is an expectation and the estimator's options do not give that size either.
  virtual void require_snapshot_size() const {}
};

}  // namespace claros
