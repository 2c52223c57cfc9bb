// SPDX-License-Identifier: BSD-3-Clause
// A sound penalty; each macro plants one bug.
#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/sdk/penalties/piecewise_steps.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace claros;

/// h(x) = lambda ||x||_1; its proximal step shrinks every entry by step * lambda.
class Soft final : public Component, public ProximalOracle, public Separable, public LazyProximal {
 public:
  struct Options {
    double lambda = 0.5;
  };
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("lambda", &Options::lambda, at_least(0), "factor", "lambda")};
    return table;
  }
  Soft(const Options& options, const Context&) : lambda_(options.lambda) {}

  Certificate apply(const Element& v, double step, Element& x, const Accuracy&) override {
    if (!(step >= 0.0)) throw Error(ErrorKind::usage, "penalty", "a negative step", "give one of at least 0");
#ifdef BUG_STEP_SQUARED
    step *= step;
#elif defined BUG_STEP_CAPPED
    step = std::min(step, 4.0);
#endif
    std::vector<double> values = v.to_dense();
    for (double& value : values) value = shrunk(value, step);
    x = Element::dense(v.shape(), std::move(values));
    return {};
  }
  double value(const Element& x) override {
    double sum = 0.0;
    for (const double value : x.to_dense()) sum += std::abs(value);
    sum = lambda_ > 0.0 ? lambda_ * sum : 0.0;
#ifdef BUG_ADDS_UP
    for (const double value : x.to_dense()) sum += 0.5 * value * value;
#endif
    return sum;
  }
  Blocks blocks(const Shape& shape) override { return Blocks::single(shape.size()); }
  BlockStep block_step() override {
    return {this,
            [](const void* self, Index, const double* v, double step, double* x) {
              *x = static_cast<const Soft*>(self)->shrunk(*v, step);
            },
            true};
  }
  std::unique_ptr<Component> restrict_to(std::span<const Index>) override {
    return std::make_unique<Soft>(Options{lambda_}, Context{});
  }
  LazySteps lazy_steps(const Shape&, double t) override {
    double level = t * lambda_;
#ifdef BUG_LAG_LEVEL
    level *= 1.01;
#endif
    const double infinity = std::numeric_limits<double>::infinity();
    steps_ = sdk::PiecewiseSteps(
        sdk::PiecewiseAffine::odd(sdk::PiecewiseAffine().piece(level, 0.0, 0.0).piece(infinity, 1.0, -level)),
        t);
    LazySteps steps = steps_.lazy_steps();
#ifdef BUG_LAG_SUM
    steps.coordinate = [](const void* self, double x, Index count, double d, double* sum) {
      const double last = (*static_cast<const sdk::PiecewiseSteps*>(self))(x, count, d, nullptr);
      if (sum) *sum += static_cast<double>(count) * last;
      return last;
    };
#endif
    return steps;
  }
  void* ability(std::string_view id) noexcept override {
#if defined BUG_STEP_SQUARED || defined BUG_STEP_CAPPED
    return offer<ProximalOracle>(this, id);  // many steps at once would be others
#elif defined BUG_ADDS_UP
    return offer<ProximalOracle, Separable>(this, id);
#else
    return offer<ProximalOracle, Separable, LazyProximal>(this, id);
#endif
  }

 private:
  double shrunk(double v, double step) const {
    if (std::isnan(v)) return v;
    const double left = std::copysign(std::max(std::abs(v) - step * lambda_, 0.0), v);
#ifdef BUG_ADDS_UP
    return left / (1.0 + step);  // of 0.5 x'x besides, whose steps do not add up
#else
    return left;
#endif
  }

  double lambda_;
  sdk::PiecewiseSteps steps_;
};

}  // namespace

CLAROS_PLUGIN(Soft, Kind::penalty, "planted-soft", "", "1.0.0", "The l1 norm",
              "lambda times the sum of magnitudes.", "")
