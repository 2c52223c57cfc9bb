// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/epoch_estimator.hpp>
#include <shared/estimators/same_storage.hpp>

namespace {

using namespace claros;

/// t mod p = 0:  g_t = grad f(x_t).
/// else:         g_t = (1/|S|) sum_S [grad f_i(x_t) - grad f_i(x_{t-1})] + g_{t-1}.
/// (Nguyen et al. 2017, as SARAH; Fang et al. 2018; Shen et al. 2019, GE 3.) When an algorithm puts the
/// snapshot elsewhere than its next point, x_{t-1} is the snapshot.
///
/// Theory: variance at most p eps^2 / |S|; p = n^(1/2), |S| = 4 n^(1/2) make it eps^2/4.
class Spider final : public sdk::EpochEstimator {
 public:
  using Options = sdk::EpochOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{{}, {sdk::theory_snapshot_rows()}};
    return table;
  }

  Spider(const Options& options, const Context&)
      : EpochEstimator(options, {.snapshots = sdk::Snapshots::gradient}) {}

  void start(Objective& f, Sampler& sampler) override {
    EpochEstimator::start(f, sampler);
    previous_ = Element(f.shape());
  }
  void begin_epoch(const Element& x, const EpochPlan& plan) override {
    EpochEstimator::begin_epoch(x, plan);
    g_ = snapshot().gradient();
    previous_ = x;
  }
  const Element& estimate(const Element& x, Index batch) override {
    if (t() == 0 && sdk::same_storage(x, previous_)) return advance(), g_;
    const Batch S = draw(batch);
    f().add_gradient_difference(x, previous_, S, 1.0, g_);
    settle();
    previous_ = x;
    return g_;
  }

  void state(StateVisitor& v) override {
    EpochEstimator::state(v);
    v("previous", previous_);
  }

 private:
  EpochPlan theory_numbers(const sdk::Theory& theory) const override {
    const double root = std::sqrt(theory.n());
    return {.batch = sdk::Theory::at_least(4.0 * root), .length = sdk::Theory::at_most(root)};
  }

  Element previous_;
};

}  // namespace

CLAROS_PLUGIN(Spider, Kind::estimator, "spider", "sarah", "1.0.0",
              "SPIDER (Fang, Li, Lin, Zhang 2018): path-integrated gradient differences",
              "g_t = (1/|S|) sum over S of [grad f_i(x_t) - grad f_i(x_{t-1})] + g_{t-1}, and grad f(x_t) "
              "every p steps.",
              "Nguyen et al.: ICML 2017 (SARAH); Fang et al.: NeurIPS 2018; Shen, Fang, Zhao, Huang, Qian: "
              "AISTATS 2019, GE 3",
              "Use it for finite sums that are not convex, such as robust losses. It is biased "
              "within an epoch, so dual-averaging and three-operator refuse it; take svrg there, "
              "and for convex sums. Every epoch begins with a full pass. For ratings caspider "
              "takes fewer steps in the measured case.",
              "data.use=synthetic-regression data.rows=500 data.cols=50 data.nonzero=5 "
              "objective.use=linear-model objective.loss=robust penalty.use=l1 "
              "penalty.lambda=0.1*max estimator.use=spider stop.residual=1e-4")
