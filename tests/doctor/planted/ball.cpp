// SPDX-License-Identifier: BSD-3-Clause
// A sound ball; each macro plants one bug.
#include <claros/abilities.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/plugin.hpp>
#include <claros/proximal_oracle.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace {

using namespace claros;

/// {x : ||x||_F <= r}: argmin <c, x> = -r c / ||c||; P v = v min(1, r / ||v||).
class Ball final : public Component, public LinearOracle, public ProximalOracle, public Membership {
 public:
  struct Options {
    double radius = 2.0;
  };
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("radius", &Options::radius, above(0), "radius of the ball", "r")};
    return table;
  }
  Ball(const Options& options, const Context&) : radius_(options.radius) {}

  OracleInfo minimize(const Element& direction, const OracleRequest&, Element& vertex) override {
    const double length = length_of(direction);
#ifdef BUG_CRASH
    if (length > 0.0 && direction.shape().cols > 1) std::abort();
#endif
#ifdef BUG_HANG
    for (volatile bool on = direction.shape().cols > 1; on;) {
    }
#endif
#ifdef BUG_EXIT
    if (direction.shape().cols > 1) std::exit(0);
#endif
    std::vector<double> v = direction.to_dense();
    for (double& value : v) value *= length > 0.0 ? kSign * radius_ / length : 0.0;
    vertex = Element::dense(direction.shape(), std::move(v));
    OracleInfo info;
    info.value = info.lower_bound = kSign * radius_ * length;
    info.confirmed = true;
    return info;
  }
  double diameter(const Shape&) override {
#ifdef BUG_DIAMETER
    return radius_;
#else
    return 2.0 * radius_;
#endif
  }

  Certificate apply(const Element& v, double, Element& x, const Accuracy&) override {
    const double length = length_of(v);
#ifdef BUG_RACE
    static std::vector<double> values;
#else
    std::vector<double> values;
#endif
    values = v.to_dense();
    for (double& value : values) value *= length > radius_ ? radius_ / length : 1.0;
    x = Element::dense(v.shape(), values);
    return {};
  }
  double value(const Element& x) override {
    return violation(x) <= 1e-10 ? 0.0 : std::numeric_limits<double>::infinity();
  }
  double violation(const Element& x) override { return std::max(norm(x) / radius_ - 1.0, 0.0); }
  void* ability(std::string_view id) noexcept override {
    return offer<LinearOracle, ProximalOracle, Membership>(this, id);
  }

 private:
#ifdef BUG_MAXIMISES
  static constexpr double kSign = 1.0;
#else
  static constexpr double kSign = -1.0;
#endif
  static double length_of(const Element& x) {
    const double length = norm(x);
    if (std::isfinite(length)) return length;
    throw Error(ErrorKind::numerical, "set", "the length of the argument is not finite",
                "check for a step that is too long");
  }
  double radius_;
};

}  // namespace

CLAROS_PLUGIN(Ball, Kind::set, "planted-ball", "", "1.0.0", "A ball", "The Frobenius ball of a radius.", "")
