// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <shared/sets/interval.hpp>
#include <shared/sets/pooled.hpp>

namespace {

using namespace claros;

enum class Order { rising, falling };
enum class Along { columns, rows };

struct Options {
  double lower = 0.0, upper = 1.0;
  Order order = Order::rising;
  Along along = Along::columns;
};

/// C = {lower <= x_1 <= ... <= x_p <= upper} on each line of the variable, or with falling entries. Its
/// corners are the steps: lower up to some k, upper behind it. The minimiser of <c, x> is the step before the
/// least sum c_k + ... + c_p. The projection is isotonic regression by pooled violators, cut to the bounds,
/// which is exact.
class Monotone final : public sdk::ArraySet, public Faces {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("lower", &Options::lower, any(), "least value of an entry"),
        row("upper", &Options::upper, any(), "largest value of an entry"),
        row("order", &Options::order, one_of<Order>({{Order::rising, "rising"}, {Order::falling, "falling"}}),
            "whether entries rise or fall along their line"),
        row("along", &Options::along, one_of<Along>({{Along::columns, "columns"}, {Along::rows, "rows"}}),
            "the lines of a matrix that are ordered; a vector is one column")};
    return table;
  }

  Monotone(const Options& o, const Context&)
      : bounds_{o.lower, o.upper}, rising_(o.order == Order::rising), rows_(o.along == Along::rows) {
    sdk::require_bounds(bounds_);
  }

  double diameter(const Shape& shape) override {
    fit(shape);
    return std::sqrt(static_cast<double>(count_ * length_)) * width();
  }
  /// The constant nearest to 0.
  Element start_point(const Shape& shape) override {
    fit(shape);
    return Element::dense(shape, std::vector<double>(count_ * length_, bounds_.nearest()(0.0)));
  }
  FaceInfo away(const Element& g, const Element& x, const OracleRequest&, Element& vertex) override;
  void* ability(std::string_view id) noexcept override {
    void* own = offer<Faces>(this, id);
    return own ? own : ArraySet::ability(id);
  }

 private:
  /// The first `position` entries of a rising line are `lower`, the others `upper`.
  struct Step {
    std::size_t position = 0;
    double sum = 0.0;  ///< of the costs behind it
  };

  double width() const noexcept { return bounds_.upper - bounds_.lower; }
  void fit(const Shape& shape) override {
    if (shape.is_product())
      throw Error(
          ErrorKind::usage, "", "a product of spaces has no order, and the variable is " + shape.text(),
          "take a variable that is a vector or a matrix, or a monotone set for each block of a product");
    count_ = static_cast<std::size_t>(rows_ ? shape.rows : shape.cols);
    length_ = static_cast<std::size_t>(rows_ ? shape.cols : shape.rows);
  }
  /// The index in the array of entry k, counted along a rising line.
  std::size_t index(std::size_t line, std::size_t k) const noexcept {
    const std::size_t at = rising_ ? k : length_ - 1 - k;
    return rows_ ? at * count_ + line : line * length_ + at;
  }
  /// How far x rises before entry k of a line; over all k from 0 to the length, bounds included, the width.
  double rise(std::span<const double> x, std::size_t line, std::size_t k) const {
    return (k < length_ ? x[index(line, k)] : bounds_.upper) -
           (k > 0 ? x[index(line, k - 1)] : bounds_.lower);
  }

  /// The step of the least sum among those that `allowed` takes.
  template <class Allowed>
  Step least_step(std::span<const double> c, std::size_t line, Allowed allowed) const {
    Step best{length_, sdk::kInfinity};
    double sum = 0.0;
    for (std::size_t k = length_ + 1; k-- > 0;) {
      if (k < length_) sum += c[index(line, k)];
      if (sum < best.sum && allowed(k)) best = {k, sum};
    }
    return best;
  }
  void write(const Step& step, std::size_t line, std::span<double> x) const {
    for (std::size_t k = 0; k < length_; ++k)
      x[index(line, k)] = k < step.position ? bounds_.lower : bounds_.upper;
  }
  void corner(std::span<const double> c, std::span<double> x) override {
    for (std::size_t line = 0; line < count_; ++line)
      write(least_step(c, line, [](std::size_t) { return true; }), line, x);
  }
  void project(std::span<const double> v, std::span<double> x) override {
    const auto nearest = bounds_.nearest();
    for (std::size_t line = 0; line < count_; ++line) {
      const auto from_top = [&](std::size_t k) { return index(line, length_ - 1 - k); };
      sdk::pool_falling(
          length_, [&](std::size_t k) { return v[from_top(k)]; }, [](std::size_t) { return 0.0; }, pools_);
      for (const sdk::Pool& p : pools_)
        for (std::size_t k = p.first; k < p.first + p.count; ++k) x[from_top(k)] = nearest(p.mean_v());
    }
  }
  /// The largest excess over a bound or fall along a line, over the larger bound.
  double outside(std::span<const double> x) override {
    double excess = bounds_.excess(x);
    for (std::size_t line = 0; line < count_; ++line)
      for (std::size_t k = 1; k < length_; ++k) excess = std::max(excess, -rise(x, line, k));
    return bounds_.relative(excess);
  }

  sdk::Interval bounds_;
  bool rising_, rows_;
  std::size_t count_ = 0, length_ = 0;
  std::vector<sdk::Pool> pools_;
};

/// x is the combination of steps with the weights rise / width. The steps of positive weight span F(x). The
/// whole weight w of the one of largest <g, .> can go: b = w / (1 - w), the least b of all lines.
FaceInfo Monotone::away(const Element& g, const Element& x, const OracleRequest&, Element& vertex) {
  constexpr double kNoRise = 1e-12;  // of the width
  fit(x.shape());
  const std::vector<double> slope = g.to_dense(), at = x.to_dense();
  std::vector<double> costs(slope.size()), a(slope.size());
  sdk::map_entries(slope, costs, [](double value) { return -value; });
  FaceInfo info{.longest = sdk::kInfinity, .whole = true};
  for (std::size_t line = 0; line < count_; ++line) {
    const auto allowed = [&](std::size_t k) { return rise(at, line, k) > kNoRise * width(); };
    const Step step = least_step(costs, line, allowed);
    write(step, line, a);
    const double weight = rise(at, line, step.position) / width();
    info.longest = std::min(info.longest, weight < 1.0 - kNoRise ? weight / (1.0 - weight) : sdk::kInfinity);
    for (std::size_t k = 0; k <= length_; ++k) info.whole = info.whole && allowed(k);
  }
  if (!(info.longest < sdk::kInfinity)) info.longest = 0.0;  // x is the corner itself
  info.value = sdk::dot(slope, a);
  if (!std::isfinite(info.value) || !sdk::all_finite(at))
    throw Error(ErrorKind::numerical, "", "the point or the direction holds a number that is not finite",
                "check for a step that is too long, or for bad data");
  vertex = Element::dense(x.shape(), std::move(a));
  return info;
}

}  // namespace

CLAROS_PLUGIN(
    Monotone, Kind::set, "monotone", "", "1.0.0", "Monotone vectors, lower <= x_1 <= ... <= x_p <= upper",
    "C = {x : lower <= x_1 <= x_2 <= ... <= x_p <= upper}, or with falling entries, over each column of the "
    "variable (a vector is one column) or each row. The linear oracle takes the least of the sums "
    "c_k + ... + c_p, in linear time; the projection pools adjacent violators and cuts at the bounds, "
    "exactly. Diameter sqrt(p) (upper - lower) for p entries. With the objective distance: isotonic "
    "regression.",
    "Ayer, Brunk, Ewing, Reid, Silverman: An empirical distribution function for sampling with incomplete "
    "information, Annals of Mathematical Statistics 26, 1955; Barlow, Bartholomew, Bremner, Brunk: "
    "Statistical Inference under Order Restrictions, Wiley 1972",
    "Use it for values in a known order: isotonic regression with the objective distance, or "
    "coefficients of an ordinal variable. Bounds are finite; without bounds of your own set them "
    "wider than the data. For piecewise constant solutions without a known order use the penalty "
    "fused or tv.",
    "objective.use=distance objective.data='1 3 2 2.5 5 4.5 6' set.use=monotone set.upper=10 stop.gap=1e-8")
