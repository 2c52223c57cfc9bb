// SPDX-License-Identifier: BSD-3-Clause
/// @file snapshot_estimator.hpp  Base classes of estimators that keep the gradient, and the Hessian, at a
/// snapshot.
#pragma once

#include <claros/run/snapshot_plan.hpp>
#include <claros/sdk/epoch_estimator.hpp>
#include <claros/sdk/same_storage.hpp>

#include <memory>

namespace claros::sdk {

inline std::vector<ParameterRow<EpochOptions>> snapshot_rows() {
  auto rows = batch_rows({"auto", "theory"}, {"auto", "theory"});
  rows.insert(rows.end(), {snapshot_row(), accuracy_row(), smoothness_row()});
  return rows;
}

inline std::vector<ParameterRow<EpochOptions>> curvature_rows() {
  auto rows = snapshot_rows();
  rows.push_back(hessian_smoothness_row());
  return rows;
}

/// Every epoch begins with the gradient at the snapshot: grad f, or the mean over a sample of components (the
/// only way for an expectation), drawn uniformly. The indices of that sample are kept for whatever else is
/// taken at the snapshot.
class SnapshotEstimator : public EpochEstimator, public OwnSnapshot {
 public:
  void start(Objective& f, Sampler& sampler) override {
    EpochEstimator::start(f, sampler);
    gradient_ = Element(f.shape());
    require_drawable(options().snapshot, "estimator.snapshot");
    all_ = false;
  }

  void require_own_snapshot() const override {
    if (has_full_snapshots() && f().components() == kUnbounded)
      throw Error(ErrorKind::usage, "estimator.snapshot", "an expectation has no full gradient to take at a snapshot",
                  "give the number of draws, estimator.snapshot = 1000");
  }

  void begin_epoch(const Element& x, const EpochPlan& numbers) override {
    const Index size = numbers.snapshot ? numbers.snapshot : options().snapshot;
    if (size == 0) require_own_snapshot();
    restart_time();
    g_.set_zero();  // so that nobody shares the array of the last snapshot's gradient
    gradient_.set_zero();
    all_ = size == 0;
    snapshot_batch_ = all_ ? Batch::all() : kept(draw_uniformly(size));
    f().add_gradient(x, snapshot_batch_, 1.0, gradient_);
    settle(gradient_);  // every step of the epoch would read its rows again
    EpochEstimator::begin_epoch(x, numbers);
  }
  /// The error of a sampled snapshot stays for an epoch.
  bool has_full_snapshots() const noexcept { return options().snapshot == 0; }
  const Element* full_gradient() const override { return all_ ? &gradient_ : nullptr; }

  void state(StateVisitor& v) override {
    EpochEstimator::state(v);
    v("snapshot gradient", gradient_);
    v("snapshot over all", all_);
    Index first = snapshot_batch_[0], draws = snapshot_batch_.size(0);  // of the indices that loading replaces
    v("snapshot indices", indices_);
    v("snapshot first draw", first);
    v("snapshot draws", draws);
    v.require(are_components(indices_), "snapshot indices", "no such component");
    const bool listed = all_ || !indices_.empty();
    v.require(listed || first >= 0, "snapshot first draw", "negative");
    v.require(listed || (draws >= (within_epoch() ? 1 : 0) && are_draws(first, draws)), "snapshot draws", "not those of components");
    if (v.loading()) snapshot_batch_ = all_ ? Batch::all() : indices_.empty() ? Batch::range(first, draws) : Batch::of(indices_);
  }
  void* ability(std::string_view id) noexcept override {
    void* const own = offer<OwnSnapshot>(this, id);
    return own ? own : EpochEstimator::ability(id);
  }

 protected:
  using EpochEstimator::EpochEstimator;
  bool has_theory_numbers() const noexcept override {
    return EpochEstimator::has_theory_numbers() && has_full_snapshots();
  }
  /// grad f at the snapshot, or its sample mean.
  const Element& gradient() const noexcept { return gradient_; }
  const Batch& snapshot_batch() const noexcept { return snapshot_batch_; }

 private:
  bool are_draws(Index first, Index draws) const {
    const Index n = f().components();
    return n == kUnbounded ? is_drawable(draws) : first <= n && draws <= n - first;
  }
  Batch kept(const Batch& batch) {
    if (batch.list().empty()) return batch;
    indices_.assign(batch.list().begin(), batch.list().end());
    return Batch::of(indices_);
  }

  Element gradient_;
  std::vector<Index> indices_;
  Batch snapshot_batch_;
  bool all_ = false;
};

/// ... and with the Hessian at the snapshot, an operator that is applied and never formed.
class CurvatureEstimator : public SnapshotEstimator {
 public:
  std::vector<std::string> needs() const override { return {std::string(Curvature::kAbility)}; }
  void start(Objective& f, Sampler& sampler) override {
    SnapshotEstimator::start(f, sampler);
    xs_ = Element(f.shape());
    hessian_.reset();
    curvature_ = query<Curvature>(f);
    if (!curvature_)
      throw Error(ErrorKind::usage, "estimator", "needs Hessian products, which the objective does not have",
                  "use svrg or spider");
  }
  /// A design is read row by row, the adjoint of what is sampled from a matrix is not.
  std::string advice(Objective& f) const override {
    auto* rows = query<ComponentCoefficients>(f);
    if (!rows || !rows->map()->fuses() || f.components() == kUnbounded) return {};
    const Index n = f.components(), held = options().snapshot ? options().snapshot : n;
    return "multiplies the Hessian at the snapshot in every step: " + std::to_string(held) +
           " rows of the design are read whatever the batch is (" + std::to_string(n) +
           " make a pass, and passes counts them); svrg and spider read the batch alone, and estimator.snapshot = K makes "
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
