// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/falling_root.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <shared/sets/number_rows.hpp>

namespace {

using namespace claros;

struct Options {
  double radius = kUnset;
  std::string axes, center;
};

/// C = {x : sum_j ((x_j - m_j) / a_j)^2 <= r^2}. argmin <c, x> = m - r A^2 c / ||A c||, A = diag(a). The
/// projection is m + a_j^2 d_j / (a_j^2 + t), d = v - m, for the t > 0 that is on the border. That t is the
/// root of a secular equation. D = 2 r max a.
class Ellipsoid final : public sdk::ArraySet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("radius", &Options::radius,
            required(above(0), "1 where the axes are the half-lengths; else what they are multiplied by"),
            "factor of the half-lengths of the axes", "r"),
        row("axes", &Options::axes, any(),
            "half-lengths of the axes, above 0, one an entry: written "
            "out (1 2 0.5) or in a file; empty: all 1",
            "a"),
        row("center", &Options::center, any(), "the centre: written out or in a file; empty: 0", "m")};
    return table;
  }

  Ellipsoid(const Options& o, const Context& context) : radius_(o.radius) {
    if (!o.axes.empty()) a_ = sdk::number_list(o.axes, "axes", context);
    if (!o.center.empty()) m_ = sdk::number_list(o.center, "center", context);
    for (std::size_t j = 0; j < a_.size(); ++j)
      if (!(a_[j] > 0.0))
        throw Error(ErrorKind::usage, "axes",
                    "half-length " + std::to_string(j + 1) + " is " + print_real(a_[j]),
                    "give half-lengths above 0");
    longest_ = a_.empty() ? 1.0 : *std::max_element(a_.begin(), a_.end());
  }

  double diameter(const Shape&) override { return 2.0 * radius_ * longest_; }

  Element start_point(const Shape& shape) override {
    fit(shape);
    return m_.empty() ? Element(shape) : Element::dense(shape, m_);
  }

 private:
  double axis(std::size_t j) const { return a_.empty() ? 1.0 : a_[j]; }
  double middle(std::size_t j) const { return m_.empty() ? 0.0 : m_[j]; }
  void fit(const Shape& shape) override {
    if (!a_.empty()) sdk::require_count(a_.size(), shape.size(), "axes", "half-lengths");
    if (!m_.empty()) sdk::require_count(m_.size(), shape.size(), "center", "coordinates of the centre");
  }
  /// d_ <- (v - m) / a, and its length.
  double standardised(std::span<const double> v) {
    d_.resize(v.size());
    for (std::size_t j = 0; j < v.size(); ++j) d_[j] = (v[j] - middle(j)) / axis(j);
    return sdk::euclidean_norm(d_);
  }

  void corner(std::span<const double> c, std::span<double> x) override {
    d_.resize(c.size());
    for (std::size_t j = 0; j < c.size(); ++j) d_[j] = c[j] * (axis(j) / longest_);
    const double length = sdk::euclidean_norm(d_);
    for (std::size_t j = 0; j < c.size(); ++j)
      x[j] = middle(j) - (length > 0.0 ? d_[j] / length * axis(j) * radius_ : 0.0);
  }
  void project(std::span<const double> v, std::span<double> x) override {
    const double length = standardised(v);
    if (!std::isfinite(length))
      throw Error(ErrorKind::numerical, "",
                  "the point to project is too far away for its distance to be computed",
                  "check for a step that is too long");
    if (length <= radius_) return sdk::map_entries(v, x, [](double value) { return value; });
    // In units of the longest axis: u_j = d_j a_j^2 / (a_j^2 + t).
    const auto shrunk = [this](std::size_t j, double t) {
      const double square = std::pow(axis(j) / longest_, 2);
      return d_[j] * (square / (square + t));
    };
    u_.resize(d_.size());
    const auto excess = [&](double t) {
      for (std::size_t j = 0; j < d_.size(); ++j) u_[j] = shrunk(j, t);
      return sdk::euclidean_norm(u_) / radius_ - 1.0;
    };
    const double t = falling_root(excess, length / radius_ - 1.0);
    for (std::size_t j = 0; j < d_.size(); ++j) x[j] = middle(j) + shrunk(j, t) * axis(j);
  }
  double outside(std::span<const double> x) override { return sdk::ball_violation(standardised(x), radius_); }

  double radius_, longest_ = 1.0;
  std::vector<double> a_, m_, d_, u_;
};

}  // namespace

CLAROS_PLUGIN(
    Ellipsoid, Kind::set, "ellipsoid", "", "1.0.0",
    "Axis-aligned ellipsoid, sum_j ((x_j - m_j) / a_j)^2 <= r^2",
    "C = {x : sum_j ((x_j - m_j) / a_j)^2 <= r^2}, over all entries of a vector or matrix. The linear oracle "
    "is in closed form; the projection finds the root of a secular equation to the last bits. "
    "Diameter 2 r max_j a_j.",
    "",
    "Use it to keep x near a centre, with a half-length for each entry. Its axes are those of "
    "the coordinates; a general x'Qx <= r^2 is not offered. For equal axes around 0 use l2-ball. "
    "For a bound of each entry by itself use lp-ball with p = inf and weights, inside moved.",
    "data.use=synthetic-regression data.rows=100 data.cols=4 data.nonzero=2 objective.use=linear-model "
    "set.use=ellipsoid set.radius=1 set.axes='1 1 0.5 0.5' stop.relative_gap=1e-6")
