// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/epoch_estimator.hpp>

namespace {

using namespace claros;

/// t mod p = 0:  xs = x_t, gs = grad f(xs).
/// g_t = (1/|S|) sum_S [grad f_i(x_t) - grad f_i(xs)] + gs.
/// (Johnson, Zhang 2013; Shen et al. 2019, GE 2.)
///
/// Theory: variance at most L^2 ||x - xs||^2 / |S| <= p^2 eps^2 / |S|; p = n^(1/3), |S| = 4 n^(2/3) make it
/// eps^2/4.
class Svrg final : public sdk::EpochEstimator {
 public:
  using Options = sdk::EpochOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{{}, {sdk::theory_snapshot_rows()}};
    return table;
  }

  Svrg(const Options& options, const Context&)
      : EpochEstimator(options, {.snapshots = sdk::Snapshots::point_and_gradient}) {}
  bool unbiased() const override { return has_full_snapshots(); }
  const Element* drift() const override { return &snapshot().gradient(); }

  const Element& estimate(const Element& x, Index batch) override {
    const Batch S = draw(batch);
    g_ = snapshot().gradient();
    f().add_gradient_difference(x, snapshot().point(), S, 1.0, g_);
    return g_;
  }

 private:
  EpochPlan theory_numbers(const sdk::Theory& theory) const override {
    const double root = std::cbrt(theory.n());
    return {.batch = sdk::Theory::at_least(4.0 * root * root), .length = sdk::Theory::at_most(root)};
  }
};

}  // namespace

CLAROS_PLUGIN(Svrg, Kind::estimator, "svrg", "", "1.0.0",
              "SVRG (Johnson, Zhang 2013): differences to a snapshot with known gradient",
              "g = (1/|S|) sum over S of [grad f_i(x) - grad f_i(xs)] + grad f(xs), the snapshot xs renewed "
              "every p steps. "
              "Of an expectation the snapshot's gradient is a mean over `snapshot` draws.",
              "Johnson, Zhang: NIPS 2013; Shen, Fang, Zhao, Huang, Qian: AISTATS 2019, GE 2",
              "Use it for finite sums where a pass over the data takes long: proximal-gradient converges "
              "along it with steps of one length. Every epoch begins with a full pass, and an expectation "
              "needs estimator.snapshot. For linear models saga takes one full pass only. For objectives "
              "that are not convex try spider.",
              "data.use=synthetic-regression data.rows=500 data.cols=50 "
              "data.nonzero=5 objective.use=linear-model penalty.use=l1 "
              "penalty.lambda=0.1*max estimator.use=svrg stop.relative_gap=1e-6")
