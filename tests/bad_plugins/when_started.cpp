// SPDX-License-Identifier: BSD-3-Clause
#include <claros/gradient_estimator.hpp>
#include <claros/plugin.hpp>

#include "acts.hpp"

namespace {

/// The gradient itself, of an estimator that acts when it is started.
class WhenStarted final : public claros::GradientEstimator {
 public:
  struct Options {};
  static const claros::ParameterList& parameters() {
    static const claros::ParameterTable<Options> table{};
    return table;
  }
  WhenStarted(const Options&, const claros::Context&) {}
  void start(claros::Objective& f, claros::Sampler&) override {
    f_ = &f;
    acts::CLAROS_ACT();
  }
  bool epoch_due() const override { return false; }
  void begin_epoch(const claros::Element&, const claros::EpochPlan&) override {}
  const claros::Element& estimate(const claros::Element& x, claros::Index) override {
    g_ = claros::Element(x.shape());
    f_->add_gradient(x, claros::Batch::all(), 1.0, g_);
    return g_;
  }
  bool exact() const override { return true; }
  claros::Index epochs() const override { return 0; }

 private:
  claros::Objective* f_ = nullptr;
  claros::Element g_;
};

}  // namespace

CLAROS_PLUGIN(WhenStarted, claros::Kind::estimator, "when-started-" CLAROS_WORDS, "", "1.0.0",
              "Acts when it is started.", "A fixture of the tests.", "")
