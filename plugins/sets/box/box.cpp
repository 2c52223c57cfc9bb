// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <shared/sets/support_face.hpp>

namespace {

using namespace claros;

struct Options {
  double lower = 0.0;
  double upper = 1.0;
};

/// C = {lower <= x_j <= upper}. argmin <c, x>: the lower bound where c_j >= 0, the upper one elsewhere; D =
/// sqrt(p) (upper - lower) for p entries, known from the first call on.
class Box final : public sdk::ArraySet, public Faces {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("lower", &Options::lower, any(), "least value of an entry"),
        row("upper", &Options::upper, any(), "largest value of an entry")};
    return table;
  }

  Box(const Options& options, const Context&) : bounds_{options.lower, options.upper} {
    sdk::require_bounds(bounds_);
  }

  double diameter(const Shape& shape) override {
    fit(shape);
    return std::sqrt(static_cast<double>(entries_)) * (bounds_.upper - bounds_.lower);
  }

  /// The point nearest to 0.
  Element start_point(const Shape& shape) override {
    fit(shape);
    const auto size = static_cast<std::size_t>(shape.size());
    return Element::dense(shape, std::vector<double>(size, bounds_.nearest()(0.0)));
  }
  /// Entries on a bound stay there; the others go to the bound that <g, a> grows towards.
  FaceInfo away(const Element& g, const Element& x, const OracleRequest&, Element& vertex) override {
    fit(x.shape());
    const std::vector<double> slope = g.to_dense(), at = x.to_dense();
    sdk::require_finite(slope, at);
    const double size = bounds_.upper - bounds_.lower;
    const std::span<double> a = sdk::overwrite_dense(x.shape(), vertex);
    FaceInfo info{.whole = true};
    for (std::size_t j = 0; j < at.size(); ++j) {
      const bool low = at[j] - bounds_.lower <= sdk::kOnBound * size,
                 high = bounds_.upper - at[j] <= sdk::kOnBound * size;
      a[j] = high || (!low && slope[j] > 0.0) ? bounds_.upper : bounds_.lower;
      info.whole = info.whole && !low && !high;
    }
    info.value = sdk::dot(slope, a);
    info.longest = sdk::longest_away(at, a, bounds_, size);
    return info;
  }
  void* ability(std::string_view id) noexcept override {
    void* own = offer<Faces>(this, id);
    return own ? own : ArraySet::ability(id);
  }

 private:
  void fit(const Shape& shape) override { entries_ = shape.size(); }
  void corner(std::span<const double> c, std::span<double> x) override {
    sdk::map_entries(c, x, [b = bounds_](double value) { return value < 0.0 ? b.upper : b.lower; });
  }
  void project(std::span<const double> v, std::span<double> x) override {
    sdk::map_entries(v, x, bounds_.nearest());
  }
  double outside(std::span<const double> x) override { return bounds_.relative(bounds_.excess(x)); }

  sdk::Interval bounds_;
  Index entries_ = 0;
};

}  // namespace

CLAROS_PLUGIN(Box, Kind::set, "box", "", "1.0.0", "Box, lower <= x_j <= upper",
              "C = {x : lower <= x_j <= upper for all j}. Linear oracle and projection entry by entry. "
              "Diameter sqrt(p) (upper - "
              "lower) for p entries.",
              "",
              "Use it for finite bounds that are the same for all entries, with Frank-Wolfe methods or "
              "beside a penalty. For bounds alone use the penalty box: coordinate-descent and prox-newton "
              "take it. It allows infinite bounds, with which a run ends at a residual. For bounds that "
              "differ between entries use lp-ball with p = inf and weights, inside moved.",
              "data.use=synthetic-regression data.rows=100 data.cols=20 data.nonzero=5 "
              "objective.use=linear-model set.use=box stop.relative_gap=1e-6")
