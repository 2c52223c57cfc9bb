// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/epoch_estimator.hpp>
#include <shared/estimators/coin_epochs.hpp>

namespace {

using namespace claros;

/// With probability 1/p:  xs = x_t, gs = grad f(xs).
/// g_t = (1/|S|) sum_S [grad f_i(x_t) - grad f_i(xs)] + gs.
/// (Kovalev, Horvath, Richtarik 2020, Algorithm 1.)
class LooplessSvrg final : public sdk::EpochEstimator {
 public:
  using Options = sdk::EpochOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table = [] {
      auto rows = sdk::batch_rows();
      rows.push_back(sdk::snapshot_row());
      return ParameterTable<Options>{{}, {rows}};
    }();
    return table;
  }

  LooplessSvrg(const Options& options, const Context& context)
      : EpochEstimator(options, {.snapshots = sdk::Snapshots::point_and_gradient}), coins_(context) {}
  bool unbiased() const override { return has_full_snapshots(); }
  const Element* drift() const override { return &snapshot().gradient(); }

  void start(Objective& f, Sampler& sampler) override {
    EpochEstimator::start(f, sampler);
    coins_.start();
  }
  void begin_epoch(const Element& x, const EpochPlan& plan) override {
    EpochEstimator::begin_epoch(x, plan);
    if (!plan.length) set_left(coins_.length(left()));
  }
  const Element& estimate(const Element& x, Index batch) override {
    const Batch S = draw(batch);
    g_ = snapshot().gradient();
    f().add_gradient_difference(x, snapshot().point(), S, 1.0, g_);
    return g_;
  }

  void state(StateVisitor& v) override {
    EpochEstimator::state(v);
    v("coins", coins_);
  }

 private:
  sdk::CoinEpochs coins_;
};

}  // namespace

CLAROS_PLUGIN(
    LooplessSvrg, Kind::estimator, "loopless-svrg", "l-svrg", "1.0.0",
    "Loopless SVRG (Kovalev, Horvath, Richtarik 2020): the snapshot is renewed with probability 1/p",
    "g = (1/|S|) sum over S of [grad f_i(x) - grad f_i(xs)] + grad f(xs); before every step the snapshot xs "
    "becomes x with probability 1/p: an epoch "
    "has p steps in the mean.",
    "Kovalev, Horvath, Richtarik: Don't jump through hoops and remove those loops, ALT 2020, Algorithm 1",
    "Use it as svrg, for finite sums, where the snapshot must be renewed at random, as its theory assumes. "
    "It keeps what svrg keeps and costs as much in the mean, but epochs have random lengths. For epochs of "
    "one length, or the batches of a theory, take svrg. An expectation needs estimator.snapshot.",
    "data.use=synthetic-regression data.rows=500 data.cols=50 data.nonzero=5 "
    "data.response=logistic objective.use=linear-model objective.loss=logistic penalty.use=ridge "
    "penalty.lambda=0.1 estimator.use=loopless-svrg stop.relative_gap=1e-4")
