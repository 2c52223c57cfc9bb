// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <claros/sdk/chosen_rows.hpp>

namespace {

using namespace claros;

struct Options {
  double radius = kUnset;
};

/// C = {x : ||x||_F <= r}. argmin <c, x> = -r c / ||c||; D = 2 r.
class L2Ball final : public sdk::ArraySet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::radius_row(&Options::radius, "bound on the Euclidean norm", "R", "norm")};
    return table;
  }

  L2Ball(const Options& options, const Context&) : radius_(options.radius) {}
  double diameter(const Shape&) override { return 2.0 * radius_; }

 private:
  void corner(std::span<const double> c, std::span<double> x) override {
    const double norm = sdk::euclidean_norm(c);
    resize(c, -radius_, norm > 0.0 ? norm : 1.0, x);
  }
  void project(std::span<const double> v, std::span<double> x) override {
    const double norm = sdk::euclidean_norm(v);
    norm > radius_ ? resize(v, radius_, norm, x) : resize(v, 1.0, 1.0, x);
  }
  double outside(std::span<const double> x) override {
    return sdk::ball_violation(sdk::euclidean_norm(x), radius_);
  }

  /// Divides first: radius / norm may overflow.
  static void resize(std::span<const double> v, double radius, double norm, std::span<double> x) {
    sdk::map_entries(v, x, [=](double value) { return value / norm * radius; });
  }

  double radius_;
};

}  // namespace

CLAROS_PLUGIN(L2Ball, Kind::set, "l2-ball", "", "1.0.0", "Euclidean ball, ||x||_2 <= radius",
              "C = {x : ||x|| <= r}, the Frobenius norm of a matrix. Linear oracle and projection in closed "
              "form. Diameter 2 r.",
              "",
              "Use it to bound the length of a vector or the Frobenius norm of a matrix; solutions are not "
              "sparse. Away-step, pairwise and fully corrective methods have no guaranteed rate on its "
              "round boundary. If you can choose a factor lambda instead of a radius, use the penalty "
              "ridge. For a half-length for each entry use ellipsoid.",
              "data.use=synthetic-regression data.rows=100 data.cols=50 data.nonzero=5 "
              "objective.use=linear-model set.use=l2-ball set.radius=1 stop.relative_gap=1e-6")
