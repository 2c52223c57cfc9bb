// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/sdk/entries.hpp>
#include <claros/sdk/point_algorithm.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace {

using namespace claros;

enum class Step { automatic };

struct Options {
  NumberOr<Step> step = Step::automatic;
};

/// Over the simplex {x >= 0, sum x = r}, with the entropy for its mirror map: y_{t+1} = y_t - s g_t, x_{t+1}
/// = r exp(y_{t+1}) / sum of exp(y_{t+1}), the minimiser of s <g_t, x> + sum_j x_j log(x_j / x_tj) over it.
/// The state is the logarithms: an entry that underflows to 0 can grow again.
class MirrorDescent final : public sdk::PointAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{row("step", &Options::step,
                                                   number_or<Step>(above(0), {{Step::automatic, "auto"}}),
                                                   "step length; auto is 1/(L r)", "s")};
    return table;
  }
  MirrorDescent(const Options& options, const Context&) : options_(options) {}

  std::vector<Need> needs() const override {
    return {need::set<LinearOracle>("the entropy belongs to the simplex, which is known by its corners")};
  }
  Takes takes() const override {
    return {.set = true, .reason = "the step has a closed form over the simplex alone"};
  }

  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    v("y", y_);
  }

 private:
  /// min over C of <c, x> for c = all (1, ..., 1) + first e_1. For sets that treat all entries alike, four of
  /// them tell a simplex.
  double least(double all, double first) {
    std::vector<double> c(static_cast<std::size_t>(x().shape().size()), all);
    c.front() += first;
    Element corner;
    return problem().linear_oracle->minimize(Element::dense(x().shape(), c), {}, corner).value;
  }
  void begin() override {
    radius_ = least(1, 0);
    const auto is = [this](double value, double expected) {
      return std::abs(value - expected) <= 1e-9 * radius_;
    };
    if (!(radius_ > 0 && is(least(-1, 0), -radius_) && is(least(0, 1), 0) && is(least(0, -1), -radius_)))
      throw Error(ErrorKind::usage, "", "is not a simplex, to which the entropy belongs",
                  "give set.use = simplex");
    y_.assign(x().dense_values().begin(), x().dense_values().end());
    for (double& entry : y_)
      if (!((entry = std::log(entry)) > -sdk::kInfinity))
        throw Error(ErrorKind::usage, "start", "an entry is not above 0: no step moves it from there",
                    "begin at the centre: leave start out");
    step_ = options_.step.is_number() ? options_.step.number() : 1.0 / (smoothness("step") * radius_);
  }
  void move(const Element& g) override {
    const std::span<const double> gradient = reader_(g);
    for (std::size_t j = 0; j < y_.size(); ++j) y_[j] -= step_ * gradient[j];
    const double top = sdk::largest(y_, -sdk::kInfinity, [](double entry) { return entry; });
    const double sum = sdk::sum_entries(y_, [top](double entry) { return std::exp(entry - top); });
    sdk::map_entries(y_, x().dense_values(),
                     [top, f = radius_ / sum](double entry) { return f * std::exp(entry - top); });
    report_step(step_);
  }

  Options options_;
  sdk::DenseReader reader_;
  double step_ = 0.0, radius_ = 0.0;
  std::vector<double> y_;
};

}  // namespace

CLAROS_PLUGIN(MirrorDescent, .kind = Kind::algorithm, .name = "mirror-descent",
              .aliases = "exponentiated-gradient", .version = "1.0.0",
              .summary = "Multiplicative steps over the simplex",
              .description =
                  "x_j <- x_j exp(-s g_j), and back to the sum r: gradient steps in the geometry of the "
                  "entropy, whose rate "
                  "knows the number of entries by its logarithm alone. Takes the simplex, and no penalty.",
              .citation =
                  "Beck, Teboulle: Mirror descent and nonlinear projected subgradient methods for convex "
                  "optimization, OR "
                  "Letters 31, 2003, Section 5")
