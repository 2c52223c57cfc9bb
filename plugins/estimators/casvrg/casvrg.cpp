// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/epoch_estimator.hpp>
#include <claros/sdk/estimators/snapshot_hessian.hpp>

namespace {

using namespace claros;

/// t mod p = 0:  xs = x_t, gs = grad f(xs), H = hess f(xs).
/// c_t = [H - (1/|S|) sum_S hess f_i(xs)] (x_t - xs),
/// g_t = (1/|S|) sum_S [grad f_i(x_t) - grad f_i(xs)] + gs + c_t.
/// (Gower et al. 2018; Shen et al. 2019, GE 4.)
///
/// Theory: with steps of length eps/L, r = L_2/L^2, the variance is at most L_2^2 (p eps/L)^4 / |S| = r^2 p^4
/// eps^4 / |S|. The numbers of Section 4.1, |S| times 4, make it eps^2/4. The paper prints r as L_2/L, a
/// slip: ||x_t - xs|| is at most p eps/L there, not p eps. Unlike eps L_2/L, r eps does not depend on the
/// unit of x.
class Casvrg final : public sdk::EpochEstimator {
 public:
  using Options = sdk::EpochOptions;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{{}, {sdk::curvature_rows()}};
    return table;
  }

  Casvrg(const Options& options, const Context&)
      : EpochEstimator(options, {.snapshots = sdk::Snapshots::point_and_gradient}) {}
  bool unbiased() const override { return has_full_snapshots(); }
  std::vector<Need> needs() const override { return sdk::SnapshotHessian::needs(); }
  std::string advice(Objective& f) const override {
    return sdk::SnapshotHessian::advice(f, options().snapshot);
  }

  void start(Objective& f, Sampler& sampler) override {
    EpochEstimator::start(f, sampler);
    H_.start(f);
  }
  void begin_epoch(const Element& x, const EpochPlan& plan) override {
    EpochEstimator::begin_epoch(x, plan);
    H_.take(snapshot());
  }
  const Element& estimate(const Element& x, Index batch) override {
    const Batch S = draw(batch);
    Element d = x;
    d.add(-1.0, snapshot().point());
    g_ = snapshot().gradient();
    f().add_gradient_difference(x, snapshot().point(), S, 1.0, g_);
    H_.add_correction(snapshot(), d, S, g_);
    return g_;
  }

  void state(StateVisitor& v) override {
    EpochEstimator::state(v);
    H_.state(v, snapshot(), within_epoch());
  }

 private:
  EpochPlan theory_numbers(const sdk::Theory& theory) const override {
    const double n = theory.n(), epsilon = theory.epsilon(), ratio = theory.curvature_ratio();
    if (!(ratio > 0.0)) return {.batch = 4, .length = theory.at_most(n)};  // exact for any batch and epoch
    if (epsilon * ratio * n * n <= 1.0)
      return {.batch = 4, .length = theory.at_most(std::sqrt(1.0 / (ratio * epsilon)))};
    return {.batch = theory.at_least(4.0 * std::pow(ratio * epsilon, 0.4) * std::pow(n, 0.8)),
            .length = theory.at_most(std::pow(ratio * epsilon, -0.4) * std::pow(n, 0.2))};
  }

  sdk::SnapshotHessian H_;
};

}  // namespace

CLAROS_PLUGIN(Casvrg, Kind::estimator, "casvrg", "", "1.0.0",
              "Curvature-aided SVRG: SVRG with Hessian corrections at the snapshot",
              "SVRG plus [hess f(xs) - (1/|S|) sum over S of hess f_i(xs)] (x - xs). Exact on quadratics. "
              "Needs an objective with "
              "Hessian products; every step applies the whole Hessian once, O(n) numbers on a linear model.",
              "Gower, Le Roux, Bach: AISTATS 2018; Shen, Fang, Zhao, Huang, Qian: AISTATS 2019, GE 4",
              "Use it under frank-wolfe for smooth losses of ratings or linear models: the Hessian "
              "at the snapshot removes noise, for squares all of it. Every step multiplies by "
              "that Hessian, so on a linear model it reads all rows, and Claros warns. Where "
              "steps must read the batch alone, take svrg.",
              "data.use=synthetic objective.use=matrix-completion set.use=nuclear-ball set.radius=50 "
              "estimator.use=casvrg algorithm.use=frank-wolfe stop.relative_gap=2e-2")
