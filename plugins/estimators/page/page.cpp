// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/epoch_estimator.hpp>
#include <shared/estimators/coin_epochs.hpp>
#include <shared/estimators/same_storage.hpp>

namespace {

using namespace claros;

/// g_t = (1/b) sum_I grad f_i(x_t)                                         with probability 1/p,
/// g_t = (1/|S|) sum_S [grad f_i(x_t) - grad f_i(x_{t-1})] + g_{t-1}       else.
/// (Li, Bao, Zhang, Richtarik 2021, Algorithm 1; b = `snapshot`, all components by default.) Its theory: |S|
/// = sqrt(n), p = (n + |S|)/|S| (Corollary 2). When an algorithm puts the snapshot elsewhere than its next
/// point, x_{t-1} is the snapshot.
class Page final : public sdk::EpochEstimator {
 public:
  using Options = sdk::EpochOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table = [] {
      auto rows = sdk::batch_rows(sdk::TheoryOf::batch_and_epoch);
      rows.push_back(sdk::snapshot_row());
      return ParameterTable<Options>{{}, {rows}};
    }();
    return table;
  }

  Page(const Options& options, const Context& context)
      : EpochEstimator(options, {.snapshots = sdk::Snapshots::gradient}), coins_(context) {}

  void start(Objective& f, Sampler& sampler) override {
    EpochEstimator::start(f, sampler);
    previous_ = Element(f.shape());
    coins_.start();
  }
  void begin_epoch(const Element& x, const EpochPlan& plan) override {
    EpochEstimator::begin_epoch(x, plan);
    if (!plan.length) set_left(coins_.length(left()));
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
    v("coins", coins_);
  }

 private:
  /// Its numbers say nothing of the length of steps.
  bool has_theory_numbers() const noexcept override { return false; }
  EpochPlan theory_numbers(const sdk::Theory& theory) const override {
    const Index batch = sdk::Theory::at_least(std::sqrt(theory.n()));
    return {.batch = batch, .length = sdk::Theory::at_least(theory.n() / static_cast<double>(batch) + 1.0)};
  }

  sdk::CoinEpochs coins_;
  Element previous_;
};

}  // namespace

CLAROS_PLUGIN(
    Page, Kind::estimator, "page", "", "1.0.0",
    "PAGE (Li, Bao, Zhang, Richtarik 2021): full gradient with probability 1/p, else a path difference",
    "g_t = grad f(x_t) with probability 1/p, else (1/|S|) sum over S of [grad f_i(x_t) - grad "
    "f_i(x_{t-1})] + g_{t-1}: spider whose epochs have p "
    "steps in the mean. batch = epoch = theory are |S| = sqrt(n) and p = 1 + n/|S|.",
    "Li, Bao, Zhang, Richtarik: PAGE, a simple and optimal probabilistic gradient estimator for "
    "nonconvex optimization, ICML 2021, Algorithm 1",
    "Use it as spider, for finite sums that are not convex, where full gradients must come at random, as "
    "its theory assumes. Epochs then have random lengths. It is biased, so dual-averaging and "
    "three-operator refuse it; take svrg there, and for convex sums. For epochs of one length take spider.",
    "data.use=synthetic-regression data.rows=500 data.cols=50 data.nonzero=5 objective.use=linear-model "
    "penalty.use=mcp penalty.lambda=0.1*max estimator.use=page stop.residual=1e-4")
