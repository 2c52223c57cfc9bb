// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_objective.hpp>

#include <cmath>

namespace {

using namespace claros;

struct Options {
  Index points = 20;
  Index degree = 3;
};

/// f(x) = (1/n) sum_i f_i(x), f_i(x) = (x_0 + x_1 t_i + ... + x_d t_i^d - sin(pi t_i))^2 / 2 at n points t_i
/// of (0, 1].
class MyObjective final : public sdk::ArrayObjective {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("points", &Options::points, at_least(1), "points where the polynomial is fitted", "n"),
        row("degree", &Options::degree, between(0, 50), "of the polynomial", "d")};
    return table;
  }
  MyObjective(const Options& options, const Context&)
      : ArrayObjective(Shape::vector(options.degree + 1), options.points) {}

  // MATHEMATICS 1 of 3: what is known of f. Every number may be left out; steps of length auto need the
  // smoothness.
  Constants constants() const override {
    const auto largest = static_cast<double>(shape().rows);  // ||(1, t_i, ..., t_i^d)||^2 at t_i = 1
    return {.convex = true, .smoothness = largest, .term_smoothness = largest, .lower_bound = 0.0};
  }

 private:
  // MATHEMATICS 2 of 3: f(x). Where f is infinite (a logarithm of what is not positive), +infinity, and a
  // point inside by the ability Domain (claros/domain.hpp): line searches and gap checks then keep to the
  // domain.
  double value_at(std::span<const double> x) override {
    double sum = 0.0;
    for (Index i = 0; i < terms(); ++i) sum += 0.5 * residual(x, i) * residual(x, i);
    return sum / static_cast<double>(terms());
  }
  // MATHEMATICS 3 of 3: g <- g + a * (mean over the batch of grad f_i(x)).
  void add_gradient_at(std::span<const double> x, const Batch& batch, double a,
                       std::span<double> g) override {
    const Index size = batch.size(terms());
    for (Index k = 0; k < size; ++k) {
      double c = a / static_cast<double>(size) * residual(x, batch[k]);
      for (double& entry : g) entry += c, c *= point(batch[k]);
    }
  }

  double point(Index i) const { return static_cast<double>(i + 1) / static_cast<double>(terms()); }
  double residual(std::span<const double> x, Index i) const {
    double value = 0.0;
    for (std::size_t j = x.size(); j-- > 0;) value = value * point(i) + x[j];
    return value - std::sin(M_PI * point(i));
  }
};

}  // namespace

CLAROS_PLUGIN(MyObjective, .kind = Kind::objective, .name = "@name@", .version = "0.1.0",
              .summary = "Least squares of a polynomial and a sine",
              .description =
                  "f(x) = (1/n) sum_i (p_x(t_i) - sin(pi t_i))^2 / 2. What claros describe shows: the "
                  "objective, what its components are, and what it reads.",
              .citation = "Author, Title, Year: where the formulas come from",
              .guidance = "When to use it, and when not")
