// SPDX-License-Identifier: BSD-3-Clause
// A sound set whose membership is known by an iteration, to 7e-5; each macro plants one bug.
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <claros/sdk/chosen_rows.hpp>

namespace {

using namespace claros;

/// C = {x : ||x||_2 <= r}. Of a point its gauge is bracketed, by halving, and the upper end is stated.
class Iterated final : public sdk::ArraySet {
 public:
  struct Options {
    double radius = 2.0;
  };
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("radius", &Options::radius, above(0), "radius of the ball", "r")};
    return table;
  }
  Iterated(const Options& options, const Context&) : radius_(options.radius) {}
  double diameter(const Shape&) override { return 2.0 * radius_; }
#ifndef BUG_UNSAID
  double slack() const override { return kExact; }
#endif

 private:
  static constexpr double kExact = 7e-5;

  void corner(std::span<const double> c, std::span<double> x) override {
    const double norm = sdk::euclidean_norm(c);
    sdk::map_entries(c, x,
                     [norm, r = radius_](double value) { return norm > 0.0 ? -r * (value / norm) : 0.0; });
  }
  void project(std::span<const double> v, std::span<double> x) override {
    const double norm = sdk::euclidean_norm(v), scale = norm > radius_ ? radius_ / norm : 1.0;
    sdk::map_entries(v, x, [scale](double value) { return scale * value; });
  }
  double outside(std::span<const double> x) override {
    const double norm = sdk::euclidean_norm(x) / radius_;
    if (!(norm < 1e300)) return norm;
    double low = 0.0, high = 1.5;
    while (high < norm) low = high, high *= 2.0;
    while (high - low > kExact) (0.5 * (low + high) < norm ? low : high) = 0.5 * (low + high);
#ifdef BUG_WIDE
    return high - 1.0 > 0.2 ? high - 1.0 : 0.0;
#else
    return high > 1.0 ? high - 1.0 : 0.0;
#endif
  }

  double radius_;
};

}  // namespace

CLAROS_PLUGIN(Iterated, .kind = Kind::set, .name = "planted-iterated", .version = "1.0.0",
              .summary = "A ball, its gauge by halving",
              .description = "The Euclidean ball; membership is exact to 7e-5.", .citation = "")
