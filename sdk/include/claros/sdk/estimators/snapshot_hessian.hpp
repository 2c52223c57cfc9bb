// SPDX-License-Identifier: BSD-3-Clause
/// @file snapshot_hessian.hpp  The Hessian at the point where an epoch begins.
#pragma once

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/need.hpp>
#include <claros/sdk/estimators/snapshot.hpp>
#include <claros/state/state.hpp>

#include <memory>
#include <string>
#include <vector>

namespace claros::sdk {

/// The Hessian at the snapshot: an operator that is applied and never formed.
class SnapshotHessian {
 public:
  static std::vector<Need> needs() {
    return {need::objective<Curvature>("the estimate follows x along Hessian-vector products")};
  }
  /// The advice for a run (GradientEstimator::advice), with snapshots of that many terms (0: all). A design
  /// is read row by row; the adjoint of entries sampled from a matrix is not.
  static std::string advice(Objective& f, Index snapshot) {
    auto* rows = query<TermCoefficients>(f);
    if (!rows || !rows->map()->fuses() || f.terms() == kUnbounded) return {};
    const Index n = f.terms(), held = snapshot ? snapshot : n;
    return "multiplies the Hessian at the snapshot in every step: " + std::to_string(held) +
           " rows of the design are read whatever the batch is (" + std::to_string(n) +
           " make a pass, and passes counts them); svrg and spider read the batch alone, and "
           "snapshot = K makes "
           "the snapshot one of K rows";
  }

  void start(Objective& f) {
    hessian_.reset();
    curvature_ = query<Curvature>(f);
    if (!curvature_)
      throw Error(ErrorKind::usage, "", "needs Hessian products, which the objective does not provide",
                  "use svrg or spider");
  }
  /// The snapshot keeps its point.
  void take(const Snapshot& snapshot) {
    hessian_.reset();
    hessian_ = curvature_->hessian(snapshot.point(), snapshot.batch());
  }
  /// g <- g + [H - (1/|S|) sum_S hess f_i(xs)] d.
  void add_correction(const Snapshot& snapshot, const Element& d, const Batch& S, Element& g) {
    hessian_->add_product(d, 1.0, g);
    curvature_->add_hessian_product(snapshot.point(), d, S, -1.0, g);
  }

  /// After that of the snapshot. `in_use`: estimates may follow before the next one is taken.
  void state(StateVisitor& v, const Snapshot& snapshot, bool in_use) {
    bool begun = hessian_ != nullptr;
    v("begun", begun);
    v.require(begun || !in_use, "begun", "an epoch without the Hessian at its snapshot");
    if (!v.loading()) return;
    hessian_.reset();
    if (begun) take(snapshot);
  }

 private:
  Curvature* curvature_ = nullptr;
  std::unique_ptr<Hessian> hessian_;
};

}  // namespace claros::sdk
