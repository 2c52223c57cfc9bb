// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/epoch_estimator.hpp>

namespace {

using namespace claros;

/// g_t = (1/|S|) sum over S of grad f_i(x_t), S a fresh batch. The base draws batches and counts epochs.
class MyEstimator final : public sdk::EpochEstimator {
 public:
  using Options = sdk::EpochOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{{}, {sdk::batch_rows()}};
    return table;
  }
  MyEstimator(const Options& options, const Context&) : EpochEstimator(options) {}

  // MATHEMATICS 1 of 2: whether the mean of estimate(x) over the draws is grad f(x).
  bool unbiased() const override { return true; }

  // MATHEMATICS 2 of 2: the estimate, made in g_. What an estimator remembers between two steps is listed in
  // `state`,
  //   void state(StateVisitor& v) override { EpochEstimator::state(v), v("previous", previous_); }
  // which saves and loads it; what it renews with every epoch is made in `begin_epoch`, after that of
  // EpochEstimator.
  const Element& estimate(const Element& x, Index batch) override {
    const Batch S = draw(batch);
    g_.set_zero();
    f().add_gradient(x, S, 1.0, g_);
    return g_;
  }
};

}  // namespace

CLAROS_PLUGIN(MyEstimator, .kind = Kind::estimator, .name = "@name@", .version = "0.1.0",
              .summary = "The mean gradient of a fresh batch",
              .description =
                  "g = (1/|S|) sum over S of grad f_i(x). What claros describe shows: the estimator, and "
                  "what it remembers.",
              .citation = "Author, Title, Year: where the formulas come from",
              .guidance = "When to use it, and when not")
