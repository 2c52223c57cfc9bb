// SPDX-License-Identifier: BSD-3-Clause
/// @file point_algorithm.hpp  Base of algorithms whose state is one point and the number of steps.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/error.hpp>
#include <claros/sdk/estimators/whole_batch.hpp>
#include <claros/state/state.hpp>

#include <utility>
#include <vector>

namespace claros::sdk {

/// x_{t+1} from x_t and an estimate of grad f(x_t). A derived class writes `move` and `takes`, and `needs`
/// when it needs something of the set or the penalty. One with more state than x and t lists it too: override
/// `state` and call this one first.
class PointAlgorithm : public Algorithm, public State {
 public:
  std::vector<Need> needs() const override { return {}; }

  void start(const Problem& problem, Element x0) override {
    problem_ = problem;
    x_ = std::move(x0);
    t_ = 0;
    report_ = {};
    begin();
  }
  void step() final {
    if (!move_without_gradient()) move_along_estimate();
    ++t_;
  }
  const Element& iterate() const override { return x_; }
  StepReport report() const override { return report_; }

  void state(StateVisitor& v) override {
    v("x", x_);
    v("t", t_);
    v.require(t_ >= 0, "t", "negative");
    v("weight", report_.weight);
    v("gap", report_.gap);
    v("full gradient", report_.full_gradient);
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 protected:
  /// Checks and makes what is needed once: called with problem() and x() known.
  virtual void begin() {}
  /// Makes x() the next point. `g` lives until the next estimate and must not be changed. It reports the step
  /// length with report_step and, if it is known, the Frank-Wolfe gap on g at the point before.
  virtual void move(const Element& g) = 0;
  /// Makes x() the next point by what is known without an estimate; false if no such step exists.
  virtual bool move_without_gradient() { return false; }

  /// |S| of this step; 0: the estimator's own, n or more: all components.
  virtual Index batch() const { return 0; }
  /// The plan of every epoch.
  virtual EpochPlan epoch_plan() const { return {}; }

  const Problem& problem() const noexcept { return problem_; }
  Element& x() noexcept { return x_; }
  /// Steps made.
  Index t() const noexcept { return t_; }
  void report_step(double weight, double gap = std::numeric_limits<double>::quiet_NaN()) {
    report_.weight = weight;
    report_.gap = gap;
  }

  /// The smoothness of f if the gradient is exact, of one component if it is sampled. If it is not known,
  /// throws Error(usage) that names `key`, the parameter to give instead.
  double smoothness(const std::string& key) const {
    const Constants constants = problem_.objective->constants();
    const auto L = problem_.estimator->exact() ? constants.smoothness : constants.term_smoothness;
    if (L && *L > 0.0 && *L < std::numeric_limits<double>::infinity()) return *L;
    throw Error(ErrorKind::usage, key, "'auto' needs the smoothness of the objective, which is not known",
                "give " + key + " = NUMBER");
  }

 private:
  void move_along_estimate() {
    GradientEstimator& estimator = *problem_.estimator;
    const Index size = batch(), n = problem_.objective->terms();
    const bool whole = !estimator.exact() && n != kUnbounded && size >= n;
    if (whole) {
      move(whole_batch(problem_, x_, whole_));
    } else {
      if (estimator.epoch_due()) estimator.begin_epoch(x_, epoch_plan());
      move(estimator.estimate(x_, size));
    }
    report_.full_gradient = estimator.exact() || whole;
  }

  Problem problem_;
  Element x_, whole_;
  StepReport report_;
  Index t_ = 0;
};

}  // namespace claros::sdk
