// SPDX-License-Identifier: BSD-3-Clause
/// @file curvature_estimator.hpp  Base class of estimators that correct by the Hessian at a snapshot.
#pragma once

#include <claros/sdk/epoch_estimator.hpp>

#include <memory>
#include <string>
#include <vector>

namespace claros::sdk {

/// A gradient and a Hessian at the snapshot: the Hessian an operator that is applied and never formed.
class CurvatureEstimator : public SnapshotEstimator {
 public:
  std::vector<Need> needs() const override {
    return {need::objective<Curvature>("the estimate follows x along Hessian-vector products")};
  }
  void start(Objective& f, Sampler& sampler) override {
    SnapshotEstimator::start(f, sampler);
    xs_ = Element(f.shape());
    hessian_.reset();
    curvature_ = query<Curvature>(f);
    if (!curvature_)
      throw Error(ErrorKind::usage, "", "needs Hessian products, which the objective does not provide",
                  "use svrg or spider");
  }
  /// A design is read row by row, the adjoint of what is sampled from a matrix is not.
  std::string advice(Objective& f) const override {
    auto* rows = query<TermCoefficients>(f);
    if (!rows || !rows->map()->fuses() || f.terms() == kUnbounded) return {};
    const Index n = f.terms(), held = options().snapshot ? options().snapshot : n;
    return "multiplies the Hessian at the snapshot in every step: " + std::to_string(held) +
           " rows of the design are read whatever the batch is (" + std::to_string(n) +
           " make a pass, and passes counts them); svrg and spider read the batch alone, and "
           "snapshot = K makes "
           "the snapshot one of K rows";
  }
  void begin_epoch(const Element& x, const EpochPlan& numbers) override {
    hessian_.reset();
    SnapshotEstimator::begin_epoch(x, numbers);
    xs_ = x;
    hessian_ = curvature_->hessian(xs_, snapshot_batch());
  }

  void state(StateVisitor& v) override {
    SnapshotEstimator::state(v);
    bool begun = hessian_ != nullptr;
    v("begun", begun);
    v("snapshot", xs_);
    v.require(begun || !within_epoch(), "begun", "an epoch without the Hessian at its snapshot");
    if (v.loading()) hessian_ = begun ? curvature_->hessian(xs_, snapshot_batch()) : nullptr;
  }

 protected:
  using SnapshotEstimator::SnapshotEstimator;
  const Element& snapshot() const noexcept { return xs_; }
  /// g <- g + [H - (1/|S|) sum_S hess f_i(xs)] d.
  void add_correction(const Element& d, const Batch& S, Element& g) {
    hessian_->add_product(d, 1.0, g);
    curvature_->add_hessian_product(xs_, d, S, -1.0, g);
  }

 private:
  Curvature* curvature_ = nullptr;
  std::unique_ptr<Hessian> hessian_;
  Element xs_;
};

}  // namespace claros::sdk
