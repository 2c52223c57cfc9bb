// SPDX-License-Identifier: BSD-3-Clause
// A sound recursion; FROZEN never moves its previous point, SKIPS moves it every second step.
#include <claros/plugin.hpp>
#include <claros/sdk/epoch_estimator.hpp>

namespace {

using namespace claros;

/// g_t = (1/|S|) sum_S [grad f_i(x_t) - grad f_i(x_{t-1})] + g_{t-1}, and grad f(x_t) where an epoch begins.
class Recursive final : public sdk::EpochEstimator {
 public:
  using Options = sdk::EpochOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{{}, {sdk::batch_rows()}};
    return table;
  }
  Recursive(const Options& options, const Context&) : EpochEstimator(options) {}

  void start(Objective& f, Sampler& sampler) override {
    EpochEstimator::start(f, sampler);
    previous_ = Element(f.shape());
  }
  void state(StateVisitor& v) override {
    EpochEstimator::state(v);
    v("previous", previous_);
  }
  void begin_epoch(const Element& x, const EpochPlan& numbers) override {
    EpochEstimator::begin_epoch(x, numbers);
    g_.set_zero();
    f().add_gradient(x, plan().snapshot ? draw_uniformly(plan().snapshot) : Batch::all(), 1.0, g_);
    previous_ = x;
  }
  const Element& estimate(const Element& x, Index batch) override {
    f().add_gradient_difference(x, previous_, draw(batch), 1.0, g_);
#ifdef BUG_FROZEN
    return g_;
#endif
#ifdef BUG_SKIPS
    if (t() % 2 == 1) return g_;
#endif
    previous_ = x;
    return g_;
  }

 private:
  Element previous_;
};

}  // namespace

CLAROS_PLUGIN(Recursive, Kind::estimator, "planted-recursive", "", "1.0.0",
              "Differences to the previous point", "SARAH's estimate.", "")
