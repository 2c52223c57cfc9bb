// SPDX-License-Identifier: BSD-3-Clause
// A sound algorithm; each macro plants one bug.
#include <claros/algorithm.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>

namespace {

using namespace claros;

/// v <- beta v - s g, x <- x + v.
class HeavyBall final : public Algorithm, public State {
 public:
  struct Options {
    double step = 0.05;
    double momentum = 0.5;
  };
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("step", &Options::step, above_to(0, 0.1), "step length", "s"),
        row("momentum", &Options::momentum, between(0, 0.9), "momentum", "beta")};
    return table;
  }
  HeavyBall(const Options& options, const Context&) : options_(options) {}
  std::vector<Need> needs() const override { return {}; }
  Takes takes() const override { return {.reason = "steps along gradients of f alone"}; }

  void start(const Problem& problem, Element x0) override {
    problem_ = problem;
    x_ = std::move(x0);
    v_ = Element(x_.shape());
  }
  void step() override {
    GradientEstimator& estimator = *problem_.estimator;
    if (estimator.epoch_due()) estimator.begin_epoch(x_);
    v_.scale(options_.momentum);
    v_.add(-options_.step, estimator.estimate(x_));
    x_.add(1.0, v_);
  }
  const Element& iterate() const override { return x_; }
  void state(StateVisitor& v) override {
    v("x", x_);
#ifndef BUG_STATE
    v("v", v_);
#endif
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  Options options_;
  Problem problem_;
  Element x_, v_;
};

}  // namespace

CLAROS_PLUGIN(HeavyBall, Kind::algorithm, "planted-heavy-ball", "", "1.0.0", "Gradient descent with momentum",
              "Polyak's heavy ball on f alone.", "")
