// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <shared/sets/water_level.hpp>

namespace {

using namespace claros;

struct Options {
  double radius = kUnset;
};

/// C = {x >= 0 : sum x <= r} over all entries. argmin <c, x> = r e_j with c_j the least, or 0 if c >= 0.
/// D = sqrt(2) r, or r for one entry. Starts at the mean of its corners.
class UnitSimplex final : public sdk::ArraySet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{row(
        "radius", &Options::radius,
        required(above(0),
                 "1 for shares of which a rest may stay, such as weights beside cash; else the known bound"),
        "the largest sum of the entries", "r")};
    return table;
  }

  UnitSimplex(const Options& options, const Context&) : radius_(options.radius) {}
  double diameter(const Shape& shape) override { return (shape.size() > 1 ? std::sqrt(2.0) : 1.0) * radius_; }

  Element start_point(const Shape& shape) override {
    const auto size = static_cast<std::size_t>(shape.size());
    return Element::dense(shape, std::vector<double>(size, radius_ / static_cast<double>(size + 1)));
  }

 private:
  void corner(std::span<const double> c, std::span<double> x) override {
    const auto least = std::min_element(c.begin(), c.end());
    std::fill(x.begin(), x.end(), 0.0);
    if (*least < 0.0) x[static_cast<std::size_t>(least - c.begin())] = radius_;
  }
  void project(std::span<const double> v, std::span<double> x) override {
    const double sum = sdk::sum_entries(v, [](double value) { return std::max(value, 0.0); });
    if (sum > radius_) return sdk::project_to_simplex(v, radius_, x);
    sdk::map_entries(v, x, [](double value) { return std::max(value, 0.0); });
  }
  double outside(std::span<const double> x) override {
    const double sum = sdk::sum_entries(x, [](double value) { return value; });
    return sdk::largest(x, std::max(sum / radius_ - 1.0, 0.0),
                        [this](double value) { return -value / radius_; });
  }

  double radius_;
};

}  // namespace

CLAROS_PLUGIN(UnitSimplex, Kind::set, "unit-simplex", "", "1.0.0",
              "Unit simplex, x >= 0, sum_j x_j <= radius",
              "C = {x >= 0 : sum x <= r}, over all entries of a vector or matrix: the simplex and what lies "
              "between it and 0. The linear oracle answers with one entry, or with 0. Diameter sqrt(2) r.",
              "Held, Wolfe, Crowder: Validation of subgradient optimization, Mathematical Programming 6, "
              "1974 (projection)",
              "Use it for entries of at least 0 with a bound on their sum: a portfolio that may keep cash, a "
              "budget that need not be spent. Where the sum is known use simplex. For entries of either sign "
              "use l1-ball. For symmetric matrices with a bound on the trace use psd-trace.",
              "objective.use=quadratic objective.diagonal='4 2 1' objective.linear='-1 -1 -0.5' "
              "set.use=unit-simplex set.radius=1 stop.gap=1e-9")
