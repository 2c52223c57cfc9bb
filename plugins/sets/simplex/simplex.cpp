// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <shared/sets/support_face.hpp>
#include <shared/sets/water_level.hpp>

namespace {

using namespace claros;

struct Options {
  double radius = kUnset;
};

/// C = {x >= 0 : sum x = r} over all entries. argmin <c, x> = r e_j with c_j the least; D = sqrt(2) r. Starts
/// at its centre.
class Simplex final : public sdk::ArraySet, public Faces {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{row(
        "radius", &Options::radius,
        required(above(0),
                 "1 for shares, such as probabilities or the weights of a portfolio; else the known total"),
        "the sum of the entries", "r")};
    return table;
  }

  Simplex(const Options& options, const Context&) : radius_(options.radius) {}
  double diameter(const Shape&) override { return std::sqrt(2.0) * radius_; }

  Element start_point(const Shape& shape) override {
    const auto size = static_cast<std::size_t>(shape.size());
    return Element::dense(shape, std::vector<double>(size, radius_ / static_cast<double>(size)));
  }
  FaceInfo away(const Element& g, const Element& x, const OracleRequest&, Element& vertex) override {
    return sdk::away_in_support(
        g, x, {0.0, sdk::kInfinity}, radius_, [this](auto c, auto a) { corner(c, a); }, vertex);
  }
  void* ability(std::string_view id) noexcept override {
    void* own = offer<Faces>(this, id);
    return own ? own : ArraySet::ability(id);
  }

 private:
  void corner(std::span<const double> c, std::span<double> x) override {
    const auto least = std::min_element(c.begin(), c.end());
    std::fill(x.begin(), x.end(), 0.0);
    x[static_cast<std::size_t>(least - c.begin())] = radius_;
  }
  void project(std::span<const double> v, std::span<double> x) override {
    sdk::project_to_simplex(v, radius_, x);
  }
  double outside(std::span<const double> x) override {
    const double sum = sdk::sum_entries(x, [](double value) { return value; });
    return sdk::largest(x, std::abs(sum / radius_ - 1.0), [this](double value) { return -value / radius_; });
  }

  double radius_;
};

}  // namespace

CLAROS_PLUGIN(Simplex, Kind::set, "simplex", "", "1.0.0", "Simplex, x >= 0, sum_j x_j = radius",
              "C = {x >= 0 : sum x = r}, over all entries of a vector or matrix. The linear oracle answers "
              "with one entry. "
              "Diameter sqrt(2) r.",
              "Held, Wolfe, Crowder: Validation of subgradient optimization, "
              "Mathematical Programming 6, 1974 (projection)",
              "Use it for probabilities, mixture weights and portfolios: entries of at least 0 with a known "
              "sum. For entries of at most 1 with sum k use matroid-base. For further linear constraints use "
              "polytope, or intersection with other sets. For entries of either sign use l1-ball.",
              "objective.use=quadratic objective.diagonal='4 2 1' "
              "set.use=simplex set.radius=1 stop.relative_gap=1e-6")
