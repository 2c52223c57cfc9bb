// SPDX-License-Identifier: BSD-3-Clause
// A sound penalty; each macro plants one bug.
#include <claros/plugin.hpp>
#include <claros/proximal_oracle.hpp>

#include <algorithm>
#include <cmath>

namespace {

using namespace claros;

/// h(x) = lambda ||x||_1; its proximal step shrinks every entry by step * lambda.
class Soft final : public Component, public ProximalOracle {
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
#endif
    std::vector<double> values = v.to_dense();
    for (double& value : values)
      if (!std::isnan(value)) value = std::copysign(std::max(std::abs(value) - step * lambda_, 0.0), value);
    x = Element::dense(v.shape(), std::move(values));
    return {};
  }
  double value(const Element& x) override {
    double sum = 0.0;
    for (const double value : x.to_dense()) sum += std::abs(value);
    return lambda_ > 0.0 ? lambda_ * sum : 0.0;
  }
  void* ability(std::string_view id) noexcept override { return offer<ProximalOracle>(this, id); }

 private:
  double lambda_;
};

}  // namespace

CLAROS_PLUGIN(Soft, Kind::penalty, "planted-soft", "", "1.0.0", "The l1 norm",
              "lambda times the sum of magnitudes.", "")
