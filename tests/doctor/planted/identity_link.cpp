// SPDX-License-Identifier: BSD-3-Clause
// A sound objective with a domain; each macro plants one bug.
#include <claros/domain.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_objective.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace {

using namespace claros;

struct Options {
  Index rows = 20;
  Index cols = 5;
};

/// f(x) = (1/n) sum_i (z_i - y_i log z_i), z = A x: Poisson regression with identity link. A and y are fixed
/// positive numbers. dom f = {x : A x > 0}. Outside, the gradient is refused.
class IdentityLink final : public sdk::ArrayObjective, public Domain {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("rows", &Options::rows, at_least(1), "observations", "n"),
        row("cols", &Options::cols, between(1, 1000), "coefficients", "p")};
    return table;
  }
  IdentityLink(const Options& o, const Context&) : ArrayObjective(Shape::vector(o.cols), o.rows) {}
  Constants constants() const override { return {.convex = true}; }
  Element inner_point(const Shape& shape) override {
    if (shape != this->shape())
      throw Error(ErrorKind::usage, "objective", "has no point of " + shape.text(),
                  "ask for one of " + this->shape().text());
#ifdef BUG_POINT
    return Element::dense(shape, std::vector<double>(static_cast<std::size_t>(shape.size()), 0.0));
#else
    return Element::dense(shape, std::vector<double>(static_cast<std::size_t>(shape.size()), 1.0));
#endif
  }
  void* ability(std::string_view id) noexcept override {
#ifndef BUG_UNSAID
    if (void* own = offer<Domain>(this, id)) return own;
#endif
    return ArrayObjective::ability(id);
  }

 private:
  static double entry(Index i, Index j) { return 1.0 + std::sin(static_cast<double>(3 * i + 7 * j + i * j)); }
  static double count(Index i) { return static_cast<double>(1 + (5 * i) % 7); }
  double product(std::span<const double> x, Index i) const {
    double z = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) z += (0.05 + entry(i, static_cast<Index>(j))) * x[j];
    return z;
  }
  double value_at(std::span<const double> x) override {
    double sum = 0.0;
    for (Index i = 0; i < terms(); ++i) {
      const double z = product(x, i);
#ifdef BUG_OPEN
      sum += z - count(i) * std::log(std::abs(z));
#else
      if (!(z > 0.0)) return std::isnan(z) ? z : std::numeric_limits<double>::infinity();
      sum += z - count(i) * std::log(z);
#endif
    }
    return sum / static_cast<double>(terms());
  }
  void add_gradient_at(std::span<const double> x, const Batch& batch, double a,
                       std::span<double> g) override {
    const Index size = batch.size(terms());
    for (Index k = 0; k < size; ++k) {
      const double z = product(x, batch[k]);
#ifndef BUG_OPEN
      if (!(z > 0.0))
        throw Error(ErrorKind::numerical, "objective",
                    "has no gradient where observation " + std::to_string(batch[k]) + " has a mean of " +
                        std::to_string(z),
                    "stay in the domain");
#endif
      const double c = a / static_cast<double>(size) * (1.0 - count(batch[k]) / z);
      for (std::size_t j = 0; j < g.size(); ++j) g[j] += c * (0.05 + entry(batch[k], static_cast<Index>(j)));
    }
  }
};

}  // namespace

CLAROS_PLUGIN(IdentityLink, .kind = Kind::objective, .name = "planted-identity-link", .version = "1.0.0",
              .summary = "Poisson regression with identity link",
              .description = "f(x) = (1/n) sum_i (z_i - y_i log z_i), z = A x > 0.", .citation = "")
