// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/epoch_estimator.hpp>

#include <algorithm>

namespace {

using namespace claros;

struct Options {
  sdk::EpochOptions epochs;
  double clip = 1.0;
};

/// g_t = min(1, c / ||m_t||) m_t, m_t = (1/|S|) sum over S of grad f_i(x_t), S a fresh batch: one wild
/// term moves the point by a bounded step. Biased, as far as it clips.
class ClippedGradient final : public sdk::EpochEstimator {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("clip", &Options::clip, above(0), "largest norm of an estimate", "c")},
        {include(&Options::epochs, sdk::batch_rows())}};
    return table;
  }
  ClippedGradient(const Options& options, const Context&)
      : EpochEstimator(options.epochs), clip_(options.clip) {}

  const Element& estimate(const Element& x, Index batch) override {
    const Batch S = draw(batch);
    g_.set_zero();
    f().add_gradient(x, S, 1.0, g_);
    const double length = norm(g_);
    if (length > clip_) g_.scale(clip_ / length);
    return g_;
  }

 private:
  double clip_;
};

}  // namespace

CLAROS_PLUGIN(
    ClippedGradient, Kind::estimator, "clipped-sg", "", "1.0.0",
    "The mean gradient of a fresh batch, of bounded norm",
    "g = min(1, c / ||m||) m with m = (1/|S|) sum over S of grad f_i(x). Remembers nothing; biased.",
    "Pascanu, Mikolov, Bengio: On the difficulty of training recurrent neural networks, ICML 2013")
