// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <shared/sets/entry_bounds.hpp>
#include <shared/sets/support_face.hpp>

namespace {

using namespace claros;

struct Options {
  double lower = 0.0, upper = 1.0;
  std::string lowers, uppers;
};

/// C = {l_j <= x_j <= u_j}. argmin <c, x>: the lower bound where c_j >= 0, the upper one elsewhere; D = ||u -
/// l||, which for the same bounds of all p entries is sqrt(p) (upper - lower).
class Box final : public sdk::ArraySet, public Faces {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("lower", &Options::lower, any(), "least value of an entry"),
        row("upper", &Options::upper, any(), "largest value of an entry"),
        sdk::entry_bounds_row("lowers", &Options::lowers, "a least value"),
        sdk::entry_bounds_row("uppers", &Options::uppers, "a largest value")};
    return table;
  }

  Box(const Options& o, const Context& context) : bounds_({o.lower, o.upper}, o.lowers, o.uppers, context) {}

  double diameter(const Shape& shape) override {
    fit(shape);
    const sdk::Interval& all = bounds_.of_all();
    if (!bounds_.vary()) return std::sqrt(static_cast<double>(entries_)) * (all.upper - all.lower);
    double square = 0.0;
    for (std::size_t j = 0; j < static_cast<std::size_t>(entries_); ++j)
      square = std::hypot(square, bounds_.of(j).upper - bounds_.of(j).lower);
    return square;
  }

  /// The point nearest to 0.
  Element start_point(const Shape& shape) override {
    fit(shape);
    std::vector<double> x(static_cast<std::size_t>(shape.size()), 0.0);
    bounds_.project(x, x);
    return Element::dense(shape, std::move(x));
  }
  /// Entries on a bound stay there; the others go to the bound that <g, a> grows towards.
  FaceInfo away(const Element& g, const Element& x, const OracleRequest&, Element& vertex) override {
    fit(x.shape());
    const std::vector<double> slope = g.to_dense(), at = x.to_dense();
    sdk::require_finite(slope, at);
    const std::span<double> a = sdk::overwrite_dense(x.shape(), vertex);
    FaceInfo info{.whole = true};
    double longest = sdk::kInfinity;
    for (std::size_t j = 0; j < at.size(); ++j) {
      const sdk::Interval b = bounds_.of(j);
      // An entry whose bounds are the same may be off by its rounding.
      const double rounding = kRoundings * std::max(std::abs(b.lower), std::abs(b.upper));
      const double near = std::max(sdk::kOnBound * (b.upper - b.lower), rounding);
      const bool low = at[j] - b.lower <= near, high = b.upper - at[j] <= near;
      a[j] = high || (!low && slope[j] > 0.0) ? b.upper : b.lower;
      info.whole = info.whole && ((!low && !high) || b.lower == b.upper);
      const double d = at[j] - a[j];
      if (std::abs(d) > near)
        longest = std::min(longest, std::max(0.0, (d > 0.0 ? b.upper - at[j] : b.lower - at[j]) / d));
    }
    info.value = sdk::dot(slope, a);
    info.longest = longest < sdk::kInfinity ? longest : 0.0;
    return info;
  }
  void* ability(std::string_view id) noexcept override {
    void* own = offer<Faces>(this, id);
    return own ? own : ArraySet::ability(id);
  }

 private:
  static constexpr double kRoundings = 1e-13;  ///< of the larger bound, after many steps

  void fit(const Shape& shape) override {
    bounds_.fit(shape.size());
    entries_ = shape.size();
  }
  void corner(std::span<const double> c, std::span<double> x) override {
    if (!bounds_.vary())
      return sdk::map_entries(
          c, x, [b = bounds_.of_all()](double value) { return value < 0.0 ? b.upper : b.lower; });
    for (std::size_t j = 0; j < c.size(); ++j) x[j] = c[j] < 0.0 ? bounds_.of(j).upper : bounds_.of(j).lower;
  }
  void project(std::span<const double> v, std::span<double> x) override { bounds_.project(v, x); }
  /// An excess over the largest bound, so that a box around 0 is measured like a ball.
  double outside(std::span<const double> x) override { return bounds_.relative(bounds_.excess(x)); }

  sdk::EntryBounds bounds_;
  Index entries_ = 0;
};

}  // namespace

CLAROS_PLUGIN(Box, Kind::set, "box", "", "1.0.0", "Box, lower <= x_j <= upper, or l_j <= x_j <= u_j",
              "C = {x : lower <= x_j <= upper for all j}, or bounds for each entry. Linear oracle and "
              "projection entry by entry. Diameter ||u - l||, sqrt(p) (upper - lower) for p entries.",
              "",
              "Use it for finite bounds of the entries, with Frank-Wolfe methods or "
              "beside a penalty. For bounds alone use the penalty box: coordinate-descent and prox-newton "
              "take it. It allows infinite bounds, with which a run ends at a residual.",
              "data.use=synthetic-regression data.rows=100 data.cols=20 data.nonzero=5 "
              "objective.use=linear-model set.use=box stop.relative_gap=1e-6")
