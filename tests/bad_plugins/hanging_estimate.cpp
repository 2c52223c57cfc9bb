// SPDX-License-Identifier: BSD-3-Clause
#include "hang.hpp"

#include <claros/gradient_estimator.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>

/// The gradient itself, three times.
class HangingEstimate final : public claros::GradientEstimator, public claros::State {
 public:
  struct Options {};
  static const claros::ParameterList& parameters() {
    static const claros::ParameterTable<Options> table{};
    return table;
  }
  HangingEstimate(const Options&, const claros::Context&) {}
  void start(claros::Objective& f, claros::Sampler&) override { f_ = &f; }
  bool epoch_due() const override { return false; }
  void begin_epoch(const claros::Element&, const claros::EpochPlan&) override {}
  const claros::Element& estimate(const claros::Element& x, claros::Index) override {
    if (++calls_ > 3) hang();
    g_ = claros::Element(x.shape());
    f_->add_gradient(x, claros::Batch::all(), 1.0, g_);
    return g_;
  }
  void state(claros::StateVisitor& v) override { v("calls", calls_); }
  void* ability(std::string_view id) noexcept override { return claros::offer<claros::State>(this, id); }
  bool exact() const override { return true; }
  claros::Index epochs() const override { return calls_; }

 private:
  claros::Objective* f_ = nullptr;
  claros::Element g_;
  claros::Index calls_ = 0;
};

CLAROS_PLUGIN(HangingEstimate, claros::Kind::estimator, "hanging-estimate", "", "1.0.0",
              "Never returns from its fourth call.", "A fixture of the tests.", "")
