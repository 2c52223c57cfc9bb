// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/epoch_estimator.hpp>

namespace {

using namespace claros;

/// g_t = (1/|S|) sum_S grad f_i(x_t), S fresh. (Shen et al. 2019, GE 1.) Its epochs only count: p steps each.
/// Theory: variance at most eps^2/4, |S| = 4 G^2/eps^2, G = L D.
class StochasticGradient final : public sdk::EpochEstimator {
 public:
  using Options = sdk::EpochOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {sdk::accuracy_row(), sdk::diameter_row(), sdk::smoothness_row()},
        {sdk::batch_rows(sdk::TheoryOf::batch)}};
    return table;
  }

  StochasticGradient(const Options& options, const Context&) : EpochEstimator(options, {.noisy = true}) {}
  bool unbiased() const override { return true; }
  bool renews_drift() const override { return false; }
  const Element& estimate(const Element& x, Index batch) override {
    const Batch S = draw(batch);
    g_.set_zero();
    f().add_gradient(x, S, 1.0, g_);
    return g_;
  }

 private:
  bool has_theory_numbers() const noexcept override { return options().batch == sdk::Chosen::theory; }

  EpochPlan theory_numbers(const sdk::Theory& theory) const override {
    const double G = theory.L() * theory.D(), epsilon = theory.epsilon();
    return {.batch = sdk::Theory::at_least(4.0 * G * G / (epsilon * epsilon))};
  }
};

}  // namespace

CLAROS_PLUGIN(
    StochasticGradient, Kind::estimator, "sg", "", "1.0.0",
    "Mini-batch stochastic gradient, g = (1/|S|) sum over S of grad f_i(x)",
    "g = (1/|S|) sum over S of grad f_i(x). Also for expectations. Epochs are p steps and only counted.",
    "Shen, Fang, Zhao, Huang, Qian: Complexities in projection-free stochastic non-convex minimization, "
    "AISTATS 2019, GE 1",
    "Use it for expectations, and for a low accuracy on very large sums: it keeps nothing, and its steps "
    "are cheap. Its noise stays: proximal-gradient needs a decay, and under frank-wolfe batches must grow, "
    "as they do by default. With batches of a fixed size take storm or momentum. For finite sums svrg and "
    "saga reach higher accuracies.",
    "data.use=synthetic-regression data.rows=500 data.cols=50 data.nonzero=5 data.response=logistic "
    "objective.use=linear-model objective.loss=logistic penalty.use=ridge penalty.lambda=0.1 "
    "estimator.use=sg algorithm.decay=sqrt stop.relative_gap=1e-2")
