// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/falling_root.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>

#include <algorithm>

namespace {

using namespace claros;

struct Options {
  double radius = 1.0;
  double centre = 0.0;
};

/// C = {x : ||x - m|| <= r}, every entry of m the same. argmin <c, x> = m - r c / ||c||.
class ShiftedBall final : public sdk::ArraySet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{row("radius", &Options::radius, above(0), "of the ball", "r"),
                                               row("centre", &Options::centre, any(), "of all entries", "m")};
    return table;
  }

  ShiftedBall(const Options& options, const Context&) : options_(options) {}
  double diameter(const Shape&) override { return 2.0 * options_.radius; }
  Element start_point(const Shape& shape) override {
    return Element::dense(shape,
                          std::vector<double>(static_cast<std::size_t>(shape.size()), options_.centre));
  }

 private:
  void corner(std::span<const double> c, std::span<double> x) override {
    const double norm = sdk::euclidean_norm(c);
    std::transform(c.begin(), c.end(), x.begin(), [&](double entry) {
      return options_.centre - (norm > 0.0 ? entry / norm * options_.radius : 0.0);
    });
  }
  void project(std::span<const double> v, std::span<double> x) override {
    const double shrink = std::min(1.0, options_.radius / distance(v));
    sdk::map_entries(v, x,
                     [&](double entry) { return options_.centre + shrink * (entry - options_.centre); });
  }
  double outside(std::span<const double> x) override {
    return sdk::ball_violation(distance(x), options_.radius);
  }

  double distance(std::span<const double> x) const {
    return std::sqrt(
        sdk::sum_entries(x, [m = options_.centre](double entry) { return (entry - m) * (entry - m); }));
  }

  Options options_;
};

}  // namespace

CLAROS_PLUGIN(ShiftedBall, Kind::set, "shifted-ball", "", "1.0.0", "A ball around a point with equal entries",
              "C = {x : ||x - m|| <= r}. Linear oracle and projection in closed form.", "")
