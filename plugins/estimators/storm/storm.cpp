// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/epoch_estimator.hpp>

namespace {

using namespace claros;

enum class Averaging { decay };

struct StormOptions {
  sdk::EpochOptions numbers;
  NumberOr<Averaging> averaging = Averaging::decay;
};

/// d_t = (1/|S|) sum_S grad f_i(x_t) + (1 - a_t) [d_{t-1} - (1/|S|) sum_S grad f_i(x_{t-1})], d_0 the first
/// batch's mean. (Cutkosky, Orabona 2019, Algorithm 1.) There a_{t+1} = c eta_t^2 for steps eta_t that fall
/// as t^(-1/3); `decay` is a_t = (t+1)^(-2/3), as in Zhang et al. 2020 for linear oracles.
class Storm final : public sdk::EpochEstimator {
 public:
  using Options = StormOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("averaging", &Options::averaging,
             number_or<Averaging>(above_to(0, 1), {{Averaging::decay, "decay"}}),
             "weight of the current mini-batch gradient; decay is (t+1)^(-2/3)", "a")},
        {include(&Options::numbers, sdk::batch_rows())}};
    return table;
  }

  Storm(const Options& options, const Context&)
      : EpochEstimator(options.numbers, {.noisy = true}), a_(options.averaging.number_or(0.0)) {}

  void start(Objective& f, Sampler& sampler) override {
    EpochEstimator::start(f, sampler);
    previous_ = Element(f.shape());
  }
  void state(StateVisitor& v) override {
    EpochEstimator::state(v);
    v("previous", previous_);
  }

  const Element& estimate(const Element& x, Index batch) override {
    const double decaying = weight();
    const Batch S = draw(batch);
    const double a = S.is_all() ? 1.0 : decaying;  // the gradient itself needs no correction
    if (a < 1.0) f().add_gradient(previous_, S, -1.0, g_);
    g_.scale(1.0 - a);
    f().add_gradient(x, S, 1.0, g_);
    settle();
    previous_ = x;
    return g_;
  }

 private:
  double weight() const {
    if (t() == 0) return 1.0;
    return a_ > 0.0 ? a_ : std::pow(static_cast<double>(t()) + 1.0, -2.0 / 3.0);
  }

  double a_;  ///< 0: the decaying rule
  Element previous_;
};

}  // namespace

CLAROS_PLUGIN(Storm, Kind::estimator, "storm", "", "1.0.0",
              "STORM (Cutkosky, Orabona 2019): momentum with recursive variance reduction",
              "d <- (1/|S|) sum over S of grad f_i(x) + (1 - a) [d - (1/|S|) sum over S of grad "
              "f_i(x_{t-1})]. Also for expectations; no snapshot and no large batch is needed, since the "
              "error falls as a does and the steps become short. Epochs are p steps and only counted.",
              "Cutkosky, Orabona: Momentum-based variance reduction in non-convex SGD, NeurIPS 2019, "
              "Algorithm 1; Zhang et al.: One sample stochastic Frank-Wolfe, AISTATS 2020",
              "Use it for expectations, also of losses that are not convex, with small batches of a fixed "
              "size and no snapshot. Its steps must become short, as those of frank-wolfe do. A step "
              "computes two gradients for every term of its batch; momentum computes one. For finite sums "
              "take svrg or spider.",
              "data.use=synthetic-sensing data.rows=20 data.count=0 objective.use=matrix-sensing "
              "objective.draws=gaussian objective.noise=0.1 set.use=nuclear-ball set.radius=1 "
              "estimator.use=storm estimator.growth=0 algorithm.use=frank-wolfe stop.gap=1e-2")
