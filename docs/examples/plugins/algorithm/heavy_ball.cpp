// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <claros/sdk/proximal_step.hpp>

#include <string>

namespace {

using namespace claros;

enum class Step { automatic };

struct Options {
  NumberOr<Step> step = Step::automatic;
  double momentum = 0.5;
};

/// x_{t+1} = P(x_t - s g_t + beta (x_t - x_{t-1})), P the projection onto the set, or nothing without one.
class HeavyBall final : public sdk::PointAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("step", &Options::step, number_or<Step>(above(0), {{Step::automatic, "auto"}}),
            "step length; auto is (1 - beta)/L", "s"),
        row("momentum", &Options::momentum, between(0, 0.99), "part of the last step that is made again",
            "beta")};
    return table;
  }
  HeavyBall(const Options& options, const Context&) : options_(options) {}

  Takes takes() const override { return {.set = true, .reason = "heavy-ball has no proximal step"}; }

  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    v("before", before_);
  }

 private:
  void begin() override {
    step_ =
        options_.step.is_number() ? options_.step.number() : (1.0 - options_.momentum) / smoothness("step");
    proximal_.start(problem());
    before_ = x();
  }
  void move(const Element& g) override {
    Element next(x());
    next.add(options_.momentum, x());
    next.add(-options_.momentum, before_);
    next.add(-step_, g);
    before_ = x();
    proximal_(next, 1.0, x());
    report_step(step_);
  }

  Options options_;
  double step_ = 0.0;
  sdk::ProximalStep proximal_;
  Element before_;
};

}  // namespace

CLAROS_PLUGIN(
    HeavyBall, Kind::algorithm, "heavy-ball", "", "1.0.0", "Projected gradient steps with momentum",
    "x <- P(x - s g + beta (x - the x before)). Takes a set with a projection, or none; no penalty.",
    "Polyak: Some methods of speeding up the convergence of iteration methods, 1964")
