// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <shared/sets/support_face.hpp>
#include <shared/sets/water_level.hpp>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace {

using namespace claros;

struct Options {
  double radius = kUnset, upper = sdk::kInfinity;
};

/// C = {0 <= x <= u : sum x = r} over all entries. A corner has k - 1 entries u and one rest in (0, u]. The
/// minimiser of <c, x> has them where c is least, the rest last. Without a cap k = 1, and D = sqrt(2) r. With
/// one, two corners with opposite orders of their entries are farthest apart. Starts at its centre.
class Simplex final : public sdk::ArraySet, public Faces {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("radius", &Options::radius,
            required(above(0),
                     "1 for shares, such as probabilities or the weights of a portfolio; "
                     "else the known total"),
            "the sum of the entries", "r"),
        row("upper", &Options::upper, or_infinity(above(0)),
            "the most that one entry may be, such as 0.4 for the weights of a portfolio; inf: radius alone",
            "u")};
    return table;
  }

  Simplex(const Options& options, const Context&)
      : radius_(options.radius), upper_(options.upper < options.radius ? options.upper : sdk::kInfinity) {
    if (!capped()) return;
    const double ratio = radius_ / upper_, whole = std::round(ratio);
    if (std::abs(ratio - whole) <= 1e-12 * whole) {
      parts_ = whole;
    } else {
      parts_ = std::ceil(ratio);
      spare_ = parts_ * upper_ - radius_;
    }
  }
  double diameter(const Shape& shape) override {
    if (!capped()) return std::sqrt(2.0) * radius_;
    fit(shape);
    const auto size = static_cast<std::size_t>(shape.size());
    std::vector<double> order(size), a(size), b(size);
    std::iota(order.begin(), order.end(), 0.0);
    corner(order, a);
    for (double& c : order) c = -c;
    corner(order, b);
    for (std::size_t j = 0; j < size; ++j) a[j] -= b[j];
    return sdk::euclidean_norm(a);
  }

  Element start_point(const Shape& shape) override {
    fit(shape);
    const auto size = static_cast<std::size_t>(shape.size());
    return Element::dense(shape, std::vector<double>(size, radius_ / static_cast<double>(size)));
  }
  FaceInfo away(const Element& g, const Element& x, const OracleRequest&, Element& vertex) override {
    return sdk::away_in_support(
        g, x, {0.0, upper_}, radius_, [this](auto c, auto a) { corner(c, a); }, vertex);
  }
  void* ability(std::string_view id) noexcept override {
    void* own = offer<Faces>(this, id);
    return own ? own : ArraySet::ability(id);
  }

 private:
  bool capped() const { return upper_ < sdk::kInfinity; }
  void fit(const Shape& shape) override {
    const auto size = static_cast<double>(shape.size());
    if (capped() && size < parts_)
      throw Error(ErrorKind::usage, "upper",
                  print_real(size) + " entries of at most " + print_real(upper_) + " sum to at most " +
                      print_real(size * upper_) + ", and radius is " + print_real(radius_),
                  "give at least " + print_real(radius_ / size));
  }
  void corner(std::span<const double> c, std::span<double> x) override {
    std::fill(x.begin(), x.end(), 0.0);
    if (!capped()) {
      const auto least = std::min_element(c.begin(), c.end());
      x[static_cast<std::size_t>(least - c.begin())] = radius_;
      return;
    }
    order_.resize(c.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const auto rest = order_.begin() + static_cast<std::ptrdiff_t>(parts_) - 1;
    std::nth_element(order_.begin(), rest, order_.end(),
                     [&](std::size_t i, std::size_t j) { return std::pair(c[i], i) < std::pair(c[j], j); });
    std::for_each(order_.begin(), rest, [&](std::size_t j) { x[j] = upper_; });
    x[*rest] = upper_ - spare_;
  }
  void project(std::span<const double> v, std::span<double> x) override {
    if (!capped()) return sdk::project_to_simplex(v, radius_, x);
    sdk::project_to_capped_simplex(v, static_cast<std::size_t>(parts_), upper_, x, work_, spare_);
  }
  double outside(std::span<const double> x) override {
    const double sum = sdk::sum_entries(x, [](double value) { return value; });
    return sdk::largest(x, std::abs(sum / radius_ - 1.0),
                        [this](double value) { return std::max(-value, value - upper_) / radius_; });
  }

  double radius_, upper_;
  double parts_ = 1.0, spare_ = 0.0;  ///< of a cap: k, and k u - r
  std::vector<std::size_t> order_;
  std::vector<double> work_;
};

}  // namespace

CLAROS_PLUGIN(
    Simplex, Kind::set, "simplex", "", "1.0.0", "Simplex, 0 <= x <= upper, sum_j x_j = radius",
    "C = {0 <= x <= u : sum x = r}, over all entries of a vector or matrix; without upper x >= 0 "
    "alone, and the linear oracle answers with one entry. Diameter sqrt(2) r, or less with a cap.",
    "Held, Wolfe, Crowder: Validation of subgradient optimization, "
    "Mathematical Programming 6, 1974 (projection); Wang, Lu: Projection onto the capped simplex, 2015",
    "Use it for probabilities, mixture weights and portfolios: entries of at least 0 with a known "
    "sum, and perhaps a cap. For choosing k entries use matroid-base. For further linear constraints use "
    "polytope, or intersection with other sets. For entries of either sign use l1-ball.",
    "objective.use=quadratic objective.diagonal='4 2 1' "
    "set.use=simplex set.radius=1 stop.relative_gap=1e-6")
