// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <claros/sdk/proximal_step.hpp>

namespace {

using namespace claros;

enum class Step { automatic };

struct Options {
  NumberOr<Step> step = Step::automatic;
};

/// x_{t+1} = prox_{s h}(x_t - s g_t): the proximal step of a penalty, the projection onto a set, or, without
/// either, the point itself. g_t comes from any estimator. The base holds the point, counts steps, and lists
/// both in its state.
class MyAlgorithm final : public sdk::PointAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{row("step", &Options::step,
                                                   number_or<Step>(above(0), {{Step::automatic, "auto"}}),
                                                   "step length; auto is 1/L", "s")};
    return table;
  }
  MyAlgorithm(const Options& options, const Context&) : options_(options) {}

  // MATHEMATICS 1 of 3: what no step can do without, and why; a composition that lacks it is refused. Nothing
  // here:
  //   return {need::set<LinearOracle>("every step minimises a linear function over the
  //   set")};
  std::vector<Need> needs() const override { return {}; }
  // And what it minimises besides f: anything else is refused before the run. `penalty` includes weakly
  // convex ones (mcp, scad), of which sdk::ProximalStep takes the convexified step (apply_convexified,
  // claros/proximal_oracle.hpp).
  Takes takes() const override {
    return {
        .penalty = true, .set = true, .reason = "a step has no closed form with a penalty and a set at once"};
  }

 private:
  // MATHEMATICS 2 of 3: made once, when the problem is known.
  void begin() override {
    proximal_.start(problem());
    step_ = options_.step.is_number() ? options_.step.number() : 1.0 / smoothness("step");
  }
  // MATHEMATICS 3 of 3: the box of the algorithm: from x() and g to the next x().
  void move(const Element& g) override {
    proximal_(x(), g, step_, x());
    report_step(step_);
  }

  // A member that the next step depends on is listed, once, to be saved and loaded. Here it would be:
  //   void state(StateVisitor& v) override {
  //     PointAlgorithm::state(v);
  //     v("velocity", velocity_);
  //   }

  Options options_;
  sdk::ProximalStep proximal_;
  double step_ = 0.0;
};

}  // namespace

CLAROS_PLUGIN(MyAlgorithm, .kind = Kind::algorithm, .name = "@name@", .version = "0.1.0",
              .summary = "Gradient steps followed by a proximal step",
              .description =
                  "x <- prox of s h at x - s g. What claros describe shows: the step, and which roles "
                  "it needs.",
              .citation = "Author, Title, Year: where the formulas come from",
              .guidance = "When to use it, and when not")
