// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/falling_root.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <claros/sdk/chosen_rows.hpp>

#include <algorithm>
#include <cmath>

namespace {

using namespace claros;

struct Options {
  double ratio = 0.5, radius = kUnset;
};

/// C = {x : g(x) <= r}, g(x) = a ||x||_1 + (1 - a) ||x||^2 / 2, 0 <= a <= 0.999. With the multiplier t of the
/// border, soft(v, s)_j = sign(v_j) max(|v_j| - s, 0):
///   projection of v:    soft(v, t a) / (1 + t (1 - a)),
///   argmin <c, x>:      soft(-c, t a) / (t (1 - a)),
/// each at the t with g = r, the root of a falling function. For every t > 0, Lagrange's dual bounds <c, x>
/// on C from below by
/// -r t - ||soft(c, t a)||^2 / (2 t (1 - a)) = -t (r + (1 - a) ||x||^2 / 2).
/// D is twice the largest norm, that of one entry.
class ElasticNetBall final : public sdk::ArraySet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("ratio", &Options::ratio, between(0, 0.999),
            "share of the sum of magnitudes; the rest is for half the sum of squares; 1 is the set l1-ball",
            "a"),
        sdk::radius_row(&Options::radius, "bound on the sum", "r", "sum")};
    return table;
  }

  ElasticNetBall(const Options& o, const Context&) : a_(o.ratio), radius_(o.radius) {}
  double diameter(const Shape&) override { return 2.0 / gauge(1.0, 1.0, 1.0); }

 private:
  /// The least b > 0 with g(x / b) <= r, of top x with this sum of magnitudes and of squares.
  double gauge(double top, double sum, double squares) const {
    return top * (a_ * sum + std::sqrt(a_ * a_ * sum * sum + 2.0 * (1.0 - a_) * squares * radius_)) /
           (2.0 * radius_);
  }
  double gauge(std::span<const double> x) const {
    const double top = sdk::largest_magnitude(x);
    if (!(top > 0.0) || !std::isfinite(top)) return top;
    const double squares = sdk::sum_entries(x, [top](double value) { return (value / top) * (value / top); });
    return gauge(top, sdk::sum_entries(x, [top](double value) { return std::abs(value / top); }), squares);
  }
  /// g(soft(v, s) / scale) - r.
  double excess(std::span<const double> v, double s, double scale) const {
    return sdk::sum_entries(v,
                            [=, this](double value) {
                              const double left = std::max(std::abs(value) - s, 0.0) / scale;
                              return a_ * left + 0.5 * (1.0 - a_) * left * left;
                            }) -
           radius_;
  }

  /// By the largest entry m = (|c|_max / t - a) / (1 - a), from which every |x_j| = (|c_j| / t - a) / (1 - a)
  /// follows without cancellation.
  void corner(std::span<const double> c, std::span<double> x) override {
    const double top = sdk::largest_magnitude(c);
    std::fill(x.begin(), x.end(), 0.0);
    if (top == 0.0) return;
    const auto magnitude = [=, this](double entry, double m) {
      const double share = std::abs(entry) / top;
      return std::max(share * m - a_ / (1.0 - a_) * (1.0 - share), 0.0);
    };
    const double m = 1.0 / falling_root(
                               [&](double s) {
                                 return sdk::sum_entries(c,
                                                         [&](double entry) {
                                                           const double size = magnitude(entry, 1.0 / s);
                                                           return size * (a_ + 0.5 * (1.0 - a_) * size);
                                                         }) -
                                        radius_;
                               },
                               gauge(1.0, 1.0, 1.0));
    t_ = top / (a_ + (1.0 - a_) * m);
    sdk::map_entries(c, x, [&](double entry) { return std::copysign(magnitude(entry, m), -entry); });
  }
  double bound(std::span<const double>, std::span<const double> x, double value) override {
    if (value == 0.0) return value;
    return -t_ *
           (radius_ + 0.5 * (1.0 - a_) * sdk::sum_entries(x, [](double entry) { return entry * entry; }));
  }
  void project(std::span<const double> v, std::span<double> x) override {
    if (gauge(v) <= 1.0) return sdk::map_entries(v, x, [](double value) { return value; });
    const double t =
        falling_root([&](double s) { return excess(v, s * a_, 1.0 + s * (1.0 - a_)); }, gauge(v) - 1.0);
    sdk::map_entries(v, x, [=, this](double value) {
      return sdk::soft_threshold(value, t * a_) / (1.0 + t * (1.0 - a_));
    });
  }
  double outside(std::span<const double> x) override { return sdk::ball_violation(gauge(x), 1.0); }

  double a_, radius_;
  double t_ = 0.0;  ///< of the last corner
};

}  // namespace

CLAROS_PLUGIN(
    ElasticNetBall, Kind::set, "elastic-net-ball", "", "1.0.0",
    "Elastic net ball, a ||x||_1 + (1 - a)/2 ||x||^2 <= radius",
    "C = {x : a ||x||_1 + (1 - a) ||x||^2 / 2 <= r} over all entries of a vector or matrix. The "
    "projection and the linear oracle soft-threshold, at the root of a falling function, to the last "
    "bits. Strongly convex for a < 1: minimisers of linear functions are unique, and sparse for "
    "a > 0.",
    "Zou, Hastie: Regularization and variable selection via the elastic net, JRSS B 67, 2005 (section 2.2)",
    "Use it for sparse coefficients of correlated columns, bounded by a radius. For a ratio "
    "below 1 the set is strongly convex: frank-wolfe with a line search then has faster rates if "
    "f is strongly convex too. If you can choose a factor lambda instead of a radius, use the "
    "penalty elastic-net, which working-set solves on few coordinates.",
    "data.use=synthetic-regression data.rows=100 data.cols=50 data.nonzero=5 "
    "objective.use=linear-model set.use=elastic-net-ball set.radius=1 stop.relative_gap=1e-6")
