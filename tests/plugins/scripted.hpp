// SPDX-License-Identifier: BSD-3-Clause
/// @file scripted.hpp  An algorithm that reads its iterates from a script, and an objective whose value is
/// its variable.
#pragma once

#include "../core/small_svrg.hpp"
#include "bare_problem.hpp"
#include "compose_for_test.hpp"

namespace claros::test {

/// f(x) = x in R, of `components` equal parts.
class Itself final : public Objective {
 public:
  explicit Itself(Index components = 1) : components_(components) {}
  Shape shape() const override { return Shape::matrix(1, 1); }
  Index terms() const override { return components_; }
  double value(const Element& x) override {
    ++values;
    return x.is_zero() ? 0.0 : x.to_dense()[0];
  }
  void add_gradient(const Element&, const Batch&, double a, Element& g) override {
    g.add(a, Element::dense(shape(), {1.0}));
  }
  Index values = 0;

 private:
  Index components_;
};

/// x_t = script(t). Asks the estimator for a gradient at every step, as algorithms do.
class Scripted final : public Algorithm {
 public:
  explicit Scripted(std::function<double(Index)> script) : script_(std::move(script)) {}
  std::vector<Need> needs() const override { return {}; }
  Takes takes() const override { return {.penalty = true, .set = true, .both = true}; }
  void start(const Problem& problem, Element) override {
    problem_ = problem;
    set();
  }
  void step() override {
    if (problem_.estimator->epoch_due()) problem_.estimator->begin_epoch(x_);
    (void)problem_.estimator->estimate(x_);
    ++t_;
    set();
  }
  const Element& iterate() const override { return x_; }
  void measured(const Measurement& m) override { told.push_back(m.value); }
  std::vector<double> told;

 private:
  void set() { x_ = Element::dense(Shape::matrix(1, 1), {script_(t_)}); }
  std::function<double(Index)> script_;
  Problem problem_;
  Element x_;
  Index t_ = 0;
};

/// The gradient itself, without a plugin.
class Plain final : public GradientEstimator {
 public:
  void start(Objective& f, Sampler&) override { f_ = &f; }
  bool epoch_due() const override { return false; }
  void begin_epoch(const Element&, const EpochPlan&) override {}
  const Element& estimate(const Element& x, Index) override {
    g_ = Element(x.shape());
    f_->add_gradient(x, Batch::all(), 1.0, g_);
    ++calls_;
    return g_;
  }
  bool exact() const override { return true; }
  Index epochs() const override { return calls_; }

 private:
  Objective* f_ = nullptr;
  Element g_;
  Index calls_ = 0;
};

/// A run of a script. Everything may be adjusted before.
struct ScriptedRun {
  Itself objective;
  Plain plain;
  Scripted algorithm;
  Problem problem;
  RunSettings settings;

  explicit ScriptedRun(std::function<double(Index)> script, Index components = 1)
      : objective(components), algorithm(std::move(script)) {
    problem.objective = &objective;
    problem.estimator = &plain;
  }
  RunResult operator()() { return run_bare(problem, algorithm, Element(objective.shape()), settings); }
};

}  // namespace claros::test
