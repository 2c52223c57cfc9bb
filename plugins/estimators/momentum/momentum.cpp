// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/epoch_estimator.hpp>

namespace {

using namespace claros;

enum class Averaging { decay };

struct MomentumOptions {
  sdk::EpochOptions numbers;
  NumberOr<Averaging> averaging = Averaging::decay;
};

/// d_t = (1 - rho_t) d_{t-1} + rho_t (1/|S|) sum_S grad f_i(x_t), d_0 the first batch's mean.
/// (Mokhtari, Hassani, Karbasi 2018, with rho_t = 4/(t+8)^(2/3), which is 1 at t = 0.)
class Momentum final : public sdk::EpochEstimator {
 public:
  using Options = MomentumOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("averaging", &Options::averaging,
             number_or<Averaging>(above_to(0, 1), {{Averaging::decay, "decay"}}),
             "weight of the newest batch; decay is 4/(t+8)^(2/3)", "rho")},
        {include(&Options::numbers, sdk::batch_rows())}};
    return table;
  }

  Momentum(const Options& options, const Context&)
      : EpochEstimator(options.numbers, {.noisy = true}), rho_(options.averaging.number_or(0.0)) {}

  const Element& estimate(const Element& x, Index batch) override {
    const double decaying = weight();
    const Batch S = draw(batch);
    const double rho = S.is_all() ? 1.0 : decaying;  // an average would only lag behind the gradient itself
    g_.scale(1.0 - rho);
    f().add_gradient(x, S, rho, g_);
    settle();
    return g_;
  }

 private:
  double weight() const {
    if (t() == 0) return 1.0;
    return rho_ > 0.0 ? rho_ : 4.0 / std::pow(static_cast<double>(t()) + 8.0, 2.0 / 3.0);
  }

  double rho_;  ///< 0: the decaying rule
};

}  // namespace

CLAROS_PLUGIN(Momentum, Kind::estimator, "momentum", "", "1.0.0",
              "Momentum: exponential moving average of mini-batch gradients",
              "d <- (1 - rho) d + rho (1/|S|) sum over S of grad f_i(x). Also for expectations; converges "
              "with batches of fixed "
              "size when rho decays. Epochs are p steps and only counted.",
              "Mokhtari, Hassani, Karbasi: Stochastic conditional gradient methods, 2018",
              "Use it under frank-wolfe for expectations, with batches of a fixed size (estimator.growth "
              "= 0), along which plain sg does not converge. It is biased: dual-averaging "
              "and three-operator refuse it. storm has the better rate, at two gradients a "
              "term. For finite sums take svrg or saga.",
              "data.use=synthetic-sensing data.rows=20 data.count=0 objective.use=matrix-sensing "
              "objective.draws=gaussian objective.noise=0.1 set.use=nuclear-ball set.radius=1 "
              "estimator.use=momentum estimator.growth=0 algorithm.use=frank-wolfe stop.gap=1e-2")
