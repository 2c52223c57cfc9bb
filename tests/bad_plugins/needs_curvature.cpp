// SPDX-License-Identifier: BSD-3-Clause
#include <claros/gradient_estimator.hpp>
#include <claros/plugin.hpp>

/// Never gets to its first estimate unless the objective offers Hessian products.
class NeedsCurvature final : public claros::GradientEstimator {
 public:
  struct Options {};
  static const claros::ParameterList& parameters() {
    static const claros::ParameterTable<Options> table{};
    return table;
  }
  NeedsCurvature(const Options&, const claros::Context&) {}
  std::vector<claros::Need> needs() const override {
    return {claros::need::objective<claros::Curvature>("a fixture of the tests")};
  }
  void start(claros::Objective&, claros::Sampler&) override {}
  bool epoch_due() const override { return false; }
  void begin_epoch(const claros::Element&, const claros::EpochPlan&) override {}
  const claros::Element& estimate(const claros::Element&, claros::Index) override { return g_; }
  claros::Index epochs() const override { return 0; }

 private:
  claros::Element g_;
};

CLAROS_PLUGIN(NeedsCurvature, claros::Kind::estimator, "needs-curvature", "", "1.0.0",
              "Needs Hessian products.", "A fixture of the tests.", "")
