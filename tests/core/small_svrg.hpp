// SPDX-License-Identifier: BSD-3-Clause
/// @file small_svrg.hpp  SVRG in the fewest lines, to try the interfaces on.
#pragma once

#include <claros/gradient_estimator.hpp>

namespace claros::testing {

/// g = (1/|S|) sum_S [grad f_i(x) - grad f_i(xs)] + gs. (Johnson, Zhang 2013.)
class SmallSvrg final : public GradientEstimator {
 public:
  SmallSvrg(Index batch, Index length) : own_{0, batch, length} {}
  void start(Objective& f, Sampler& sampler) override { f_ = &f, sampler_ = &sampler, left_ = 0; }
  bool epoch_due() const override { return left_ == 0; }
  void begin_epoch(const Element& x, const EpochPlan& plan) override {
    plan_ = {plan.snapshot ? plan.snapshot : own_.snapshot, plan.batch ? plan.batch : own_.batch,
             plan.length ? plan.length : own_.length};
    snapshot_ = x;
    gradient_ = Element(x.shape());
    f_->add_gradient(x, plan_.snapshot ? sampler_->draw(plan_.snapshot) : Batch::all(), 1.0, gradient_);
    left_ = plan_.length;
    ++epochs_;
  }
  const Element& estimate(const Element& x, Index batch) override {
    g_ = gradient_;
    f_->add_gradient_difference(x, snapshot_, sampler_->draw(batch ? batch : plan_.batch), 1.0, g_);
    --left_;
    return g_;
  }
  const Element* drift() const override { return &gradient_; }
  Index epochs() const override { return epochs_; }
  const EpochPlan& plan() const { return plan_; }

 private:
  Objective* f_ = nullptr;
  Sampler* sampler_ = nullptr;
  EpochPlan own_, plan_;
  Element snapshot_, gradient_, g_;
  Index left_ = 0, epochs_ = 0;
};

}  // namespace claros::testing
