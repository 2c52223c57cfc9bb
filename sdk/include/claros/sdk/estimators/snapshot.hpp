// SPDX-License-Identifier: BSD-3-Clause
/// @file snapshot.hpp  The point where an epoch begins, and the gradient there.
#pragma once

#include <claros/objective.hpp>
#include <claros/sdk/losses/fold_fused.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace claros::sdk {

/// True if all are indices of terms of f; loaded ones may not be.
inline bool are_terms(const Objective& f, std::span<const Index> indices) {
  const Index n = f.terms();
  return std::ranges::all_of(indices, [n](Index i) { return i >= 0 && (n == kUnbounded || i < n); });
}

/// The parts of a snapshot that an estimator keeps.
enum class Snapshots { none, gradient, point_and_gradient };

/// The state that an epoch begins with: the gradient at the snapshot and perhaps the point. The gradient is
/// grad f or the mean over a sample of its terms. The indices of the sample are kept for other sums at the
/// snapshot.
class Snapshot {
 public:
  explicit Snapshot(Snapshots kept) : kept_(kept) {}
  /// `own`: the terms of a snapshot by the estimator's options.
  void start(Objective& f, Index own) {
    f_ = &f;
    most_ = std::max(Index{1} << 24, own);
    point_ = gradient_ = Element(f.shape());
    all_ = false;
  }
  /// The mean over the batch at x.
  void take(const Element& x, const Batch& batch) {
    gradient_.set_zero();
    all_ = batch.is_all();
    batch_ = batch;
    if (!batch.list().empty()) {
      indices_.assign(batch.list().begin(), batch.list().end());
      batch_ = Batch::of(indices_);
    }
    f_->add_gradient(x, batch_, 1.0, gradient_);
    fold_fused(gradient_);  // every step of the epoch would read its rows again
    if (kept_ == Snapshots::point_and_gradient) point_ = x;
  }

  const Element& point() const noexcept { return point_; }
  const Element& gradient() const noexcept { return gradient_; }
  /// The gradient, if it is grad f; else null.
  const Element* full_gradient() const noexcept { return all_ ? &gradient_ : nullptr; }
  const Batch& batch() const noexcept { return batch_; }

  /// `in_use`: estimates may follow before the next snapshot is taken.
  void state(StateVisitor& v, bool in_use) {
    if (kept_ == Snapshots::none) return;
    if (kept_ == Snapshots::point_and_gradient) v("snapshot", point_);
    v("snapshot gradient", gradient_);
    v("snapshot over all", all_);
    Index first = batch_[0], draws = batch_.size(0);  // of the indices that loading replaces
    v("snapshot indices", indices_);
    v("snapshot first draw", first);
    v("snapshot draws", draws);
    v.require(are_terms(*f_, indices_), "snapshot indices", "no such component");
    const bool listed = all_ || !indices_.empty();
    v.require(listed || first >= 0, "snapshot first draw", "negative");
    v.require(listed || (draws >= (in_use ? 1 : 0) && are_draws(first, draws)), "snapshot draws",
              "not those of components");
    if (v.loading())
      batch_ = all_ ? Batch::all() : indices_.empty() ? Batch::range(first, draws) : Batch::of(indices_);
  }

 private:
  bool are_draws(Index first, Index draws) const {
    const Index n = f_->terms();
    return n == kUnbounded ? draws <= most_ : first <= n && draws <= n - first;
  }

  Snapshots kept_;
  Objective* f_ = nullptr;
  Element point_, gradient_;
  std::vector<Index> indices_;
  Batch batch_;
  Index most_ = 0;  ///< draws of a loaded snapshot, of an expectation
  bool all_ = false;
};

}  // namespace claros::sdk
