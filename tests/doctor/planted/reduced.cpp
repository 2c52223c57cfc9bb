// SPDX-License-Identifier: BSD-3-Clause
// A sound estimator; each macro plants one bug.
#include <claros/plugin.hpp>
#include <claros/sdk/epoch_estimator.hpp>

#include <algorithm>

namespace {

using namespace claros;

/// g = (1/|S|) sum_S [grad f_i(x) - grad f_i(xs)] + grad f(xs).
class Reduced final : public sdk::EpochEstimator {
 public:
  using Options = sdk::EpochOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{{}, {sdk::snapshot_rows()}};
    return table;
  }
  Reduced(const Options& options, const Context&)
      : EpochEstimator(options, {.snapshots = sdk::Snapshots::gradient}) {}
#ifndef BUG_FIRST
  bool unbiased() const override { return has_full_snapshots(); }
#endif
  const Element* drift() const override { return &snapshot().gradient(); }
#ifdef BUG_DRIFT
  bool renews_drift() const override { return false; }
#endif

  void start(Objective& f, Sampler& sampler) override {
    EpochEstimator::start(f, sampler);
    xs_ = Element(f.shape());
  }
  void state(StateVisitor& v) override {
    EpochEstimator::state(v);
#ifndef BUG_STATE
    v("snapshot", xs_);
#endif
  }
  void begin_epoch(const Element& x, const EpochPlan& plan) override {
    EpochEstimator::begin_epoch(x, plan);
#ifdef BUG_FORGETS
    if (epochs() > 1) return;
#endif
    xs_ = x;
  }
  const Element& estimate(const Element& x, Index batch) override {
    const Batch S = draw(batch);
#ifdef BUG_FIRST
    const Batch T = Batch::range(0, std::min(S.size(f().terms()), f().terms()));
    g_ = snapshot().gradient();
    f().add_gradient_difference(x, xs_, T, 1.0, g_);
    return g_;
#endif
    g_ = snapshot().gradient();
    f().add_gradient_difference(x, xs_, S, 1.0, g_);
    return g_;
  }

 private:
  Element xs_;
};

}  // namespace

CLAROS_PLUGIN(Reduced, Kind::estimator, "planted-reduced", "", "1.0.0", "Differences to a snapshot",
              "SVRG's estimate.", "")
