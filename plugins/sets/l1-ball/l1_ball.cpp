// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/sets/support_face.hpp>
#include <shared/sets/water_level.hpp>

namespace {

using namespace claros;

struct Options {
  double radius = kUnset;
};

/// C = {x : ||x||_1 <= r} over all entries. argmin <c, x> = -r sign(c_j) e_j with |c_j| = ||c||_inf; D = 2 r.
class L1Ball final : public sdk::ArraySet, public Faces {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::radius_row(&Options::radius, "bound on the sum of magnitudes", "rho", "sum of magnitudes")};
    return table;
  }

  L1Ball(const Options& options, const Context&) : radius_(options.radius) {}
  double diameter(const Shape&) override { return 2.0 * radius_; }

  /// On the sphere the vertices of F(x) are r sign(x_j) e_j of the entries that are not 0; inside it is all
  /// of C. With a = r s e_j and u = s x_j, ||x + b (x - a)||_1 = r at b = (r - ||x||_1 + |x_j| + u) / (r +
  /// ||x||_1 - |x_j| - u).
  FaceInfo away(const Element& g, const Element& x, const OracleRequest&, Element& vertex) override {
    const std::vector<double> slope = g.to_dense(), at = x.to_dense();
    sdk::require_finite(slope, at);
    const double norm = sdk::sum_of_magnitudes(at);
    FaceInfo info{.value = -sdk::kInfinity, .whole = norm < (1.0 - sdk::kOnBound) * radius_};
    std::size_t place = 0;
    for (std::size_t j = 0; j < at.size(); ++j) {
      if (!info.whole && std::abs(at[j]) <= sdk::kOnBound * radius_) continue;
      const double value = radius_ * (info.whole ? std::abs(slope[j]) : std::copysign(1.0, at[j]) * slope[j]);
      if (value > info.value) info.value = value, place = j;
    }
    const double sign = std::copysign(1.0, info.whole ? slope[place] : at[place]), u = sign * at[place];
    const double others = norm - std::abs(at[place]);
    if (others + std::abs(u - radius_) > sdk::kOnBound * radius_)
      info.longest = std::max(0.0, (radius_ - others + u) / (radius_ + others - u));
    const std::span<double> a = sdk::overwrite_dense(x.shape(), vertex);
    std::fill(a.begin(), a.end(), 0.0);
    a[place] = sign * radius_;
    return info;
  }
  void* ability(std::string_view id) noexcept override {
    void* own = offer<Faces>(this, id);
    return own ? own : ArraySet::ability(id);
  }

 private:
  void corner(std::span<const double> c, std::span<double> x) override {
    const double top = sdk::largest_magnitude(c);
    const auto found =
        std::find_if(c.begin(), c.end(), [top](double value) { return std::abs(value) == top; });
    std::fill(x.begin(), x.end(), 0.0);
    x[static_cast<std::size_t>(found - c.begin())] = std::copysign(radius_, -*found);
  }
  void project(std::span<const double> v, std::span<double> x) override {
    sdk::project_to_l1_ball(v, radius_, x);
  }
  double outside(std::span<const double> x) override {
    return sdk::ball_violation(sdk::sum_of_magnitudes(x), radius_);
  }

  double radius_;
};

}  // namespace

CLAROS_PLUGIN(L1Ball, Kind::set, "l1-ball", "", "1.0.0", "l1 ball, ||x||_1 <= radius",
              "C = {x : ||x||_1 <= r}, over all entries of a vector or matrix. The linear oracle answers "
              "with one entry; the "
              "projection soft-thresholds. Diameter 2 r.",
              "Duchi, Shalev-Shwartz, Singer, Chandra: Efficient projections onto the l1-ball, ICML 2008",
              "Use it for sparse coefficients under a bound by a radius, and with Frank-Wolfe methods, "
              "since a vertex has one entry. If you can choose a factor lambda instead, use the penalty "
              "l1: working-set solves it on few coordinates, and lambda can be given as 0.1*max. For a "
              "weight for each entry use lp-ball with p = 1.",
              "data.use=synthetic-regression data.rows=100 data.cols=50 data.nonzero=5 "
              "objective.use=linear-model set.use=l1-ball set.radius=3 stop.relative_gap=1e-6")
