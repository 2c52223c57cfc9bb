// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/epoch_estimator.hpp>
#include <claros/sdk/estimators/coin_epochs.hpp>

namespace {

using namespace claros;

/// With probability 1/p:  xs = x_t, gs = grad f(xs).
/// g_t = (1/|S|) sum_S [grad f_i(x_t) - grad f_i(xs)] + gs.
/// (Kovalev, Horvath, Richtarik 2020, Algorithm 1.)
class LooplessSvrg final : public sdk::SnapshotEstimator {
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
      : SnapshotEstimator(options), epochs_(context) {}
  const Element* drift() const override { return &gradient(); }

  void start(Objective& f, Sampler& sampler) override {
    SnapshotEstimator::start(f, sampler);
    xs_ = Element(f.shape());
    epochs_.start();
  }
  void state(StateVisitor& v) override {
    SnapshotEstimator::state(v);
    v("snapshot", xs_);
    v("coins", epochs_);
  }
  bool unbiased() const override { return has_full_snapshots(); }

 private:
  void begin(const Element& x) override { xs_ = x; }
  Index steps_of_epoch(Index p) override { return epochs_.length(p); }

  const Element& at(const Element& x) override {
    const Batch S = draw();
    g_ = gradient();
    f().add_gradient_difference(x, xs_, S, 1.0, g_);
    return g_;
  }

  sdk::CoinEpochs epochs_;
  Element xs_;
};

}  // namespace

CLAROS_PLUGIN(
    LooplessSvrg, Kind::estimator, "loopless-svrg", "l-svrg", "1.0.0",
    "Loopless SVRG (Kovalev, Horvath, Richtarik 2020): the snapshot is renewed with probability 1/p",
    "g = (1/|S|) sum over S of [grad f_i(x) - grad f_i(xs)] + grad f(xs); before every step the snapshot xs "
    "becomes x with probability 1/p: an epoch "
    "has p steps in the mean.",
    "Kovalev, Horvath, Richtarik: Don't jump through hoops and remove those loops, ALT 2020, Algorithm 1")
