// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/epoch_estimator.hpp>

namespace {

using namespace claros;

struct Options {
  sdk::EpochOptions epochs;
  double probability = 0.0;
};

/// g_0 = grad f(x_0);  with probability p  g_t = grad f(x_t),
/// else  g_t = g_{t-1} + (1/|S|) sum over S of [grad f_i(x_t) - grad f_i(x_{t-1})],  S a fresh batch.
class CoinSpider final : public sdk::EpochEstimator {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("probability", &Options::probability, between(0, 1),
             "of a full gradient; 0 is |S|/(n + |S|), with which both cost the same in the mean", "p")},
        {include(&Options::epochs, sdk::uniform_batch_rows())}};
    return table;
  }
  CoinSpider(const Options& options, const Context& context)
      : EpochEstimator(options.epochs), p_(options.probability), coins_(context.stream(Purpose::coins)) {}

  void start(Objective& f, Sampler& sampler) override {
    if (f.terms() == kUnbounded)
      throw Error(ErrorKind::usage, "", "an expectation has no full gradient", "use sg or momentum");
    EpochEstimator::start(f, sampler);
    previous_ = Element(f.shape());
    coins_.seek(0);
  }
  const Element& estimate(const Element& x, Index batch) override {
    const auto n = static_cast<double>(f().terms()), b = static_cast<double>(batch_size());
    if (t() == 0 || coins_.uniform() < (p_ > 0.0 ? p_ : b / (n + b))) {
      advance();
      g_.set_zero();
      f().add_gradient(x, Batch::all(), 1.0, g_);
    } else {
      f().add_gradient_difference(x, previous_, draw(batch), 1.0, g_);
    }
    settle();
    previous_ = x;
    return g_;
  }
  void state(StateVisitor& v) override {
    EpochEstimator::state(v), v("previous", previous_), v("coins", coins_);
  }

 private:
  double p_;
  RandomStream coins_;
  Element previous_;
};

}  // namespace

CLAROS_PLUGIN(
    CoinSpider, .kind = Kind::estimator, .name = "coin-spider", .version = "1.0.0",
    .summary = "Differences to the previous point, and now and then, by chance, the gradient itself",
    .description =
        "With probability p g = grad f(x), else g <- g + (1/|S|) sum over S of [grad f_i(x) - grad "
        "f_i(x_before)]. "
        "Epochs are counted and take no part.",
    .citation =
        "Li, Bao, Zhang, Richtarik: PAGE: a simple and optimal probabilistic gradient estimator for "
        "nonconvex "
        "optimization, ICML 2021, Algorithm 1")
