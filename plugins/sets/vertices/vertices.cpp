// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <shared/sets/nearest_point.hpp>
#include <shared/sets/number_rows.hpp>

namespace {

using namespace claros;

struct Options {
  std::string vertices;
};

/// C = the convex hull of the rows of a table. argmin <c, x>: the row with the least inner product, the first
/// of several. The projection is Wolfe's (nearest_point.hpp). D = the largest distance of two rows, or of
/// more than 2000 rows twice that from their mean.
class Vertices final : public sdk::IteratedSet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("vertices", &Options::vertices,
            required(any(), "a point a row, in a file or written out: `0 0; 1 0; 0 1; 2 2`"),
            "points that span the set, a row each with a number for each entry of the variable, column-major",
            "V")};
    return table;
  }

  Vertices(const Options& o, const Context& context)
      : rows_(sdk::number_rows(o.vertices, "vertices", context)),
        mean_(static_cast<std::size_t>(rows_.width), 0.0) {
    for (Index i = 0; i < rows_.count; ++i)
      for (std::size_t j = 0; j < mean_.size(); ++j)
        mean_[j] += rows_.row(i)[j] / static_cast<double>(rows_.count);
    double largest = 0.0, from_mean = 0.0;
    for (Index i = 0; i < rows_.count; ++i)
      largest = std::max(largest, sdk::euclidean_norm(rows_.row(i))),
      from_mean = std::max(from_mean, apart(rows_.row(i), mean_));
    diameter_ = rows_.count > 2000 ? 2.0 * from_mean : 0.0;
    for (Index i = 0; rows_.count <= 2000 && i < rows_.count; ++i)
      for (Index k = 0; k < i; ++k) diameter_ = std::max(diameter_, apart(rows_.row(i), rows_.row(k)));
    size_ = from_mean > 0.0 ? from_mean : largest > 0.0 ? largest : 1.0;
    if (!std::isfinite(diameter_) || !std::isfinite(largest))
      throw Error(ErrorKind::data, "vertices",
                  "the points are too far apart: their distances are beyond all numbers", "scale them");
  }

  double diameter(const Shape&) override { return diameter_; }

  /// The mean of the points.
  Element start_point(const Shape& shape) override {
    fit(shape);
    return Element::dense(shape, mean_);
  }

 private:
  static constexpr double kFar = 1e100;  // squares of distances beyond it have no room

  static double apart(std::span<const double> x, std::span<const double> y) {
    std::vector<double> d(x.size());
    for (std::size_t j = 0; j < d.size(); ++j) d[j] = x[j] - y[j];
    return sdk::euclidean_norm(d);
  }
  void fit(const Shape& shape) override {
    if (shape.size() != rows_.width)
      throw Error(
          ErrorKind::usage, "vertices",
          "a point has " + std::to_string(rows_.width) + " numbers, and the variable is " + shape.text(),
          "give one for each entry, column-major");
  }
  void corner(std::span<const double> c, std::span<double> x) override {
    Index best = 0;
    double least = sdk::kInfinity;
    for (Index i = 0; i < rows_.count; ++i)
      if (const double value = sdk::dot(c, rows_.row(i)); value < least) least = value, best = i;
    std::copy(rows_.row(best).begin(), rows_.row(best).end(), x.begin());
  }
  Certificate approach(std::span<const double> v, const Accuracy& accuracy, std::span<double> x) override {
    if (sdk::largest_magnitude(v) > kFar * size_)
      throw Error(ErrorKind::numerical, "",
                  "the point to project is too far away for its distances to be computed",
                  "check for a step that is too long");
    (void)nearest(v, x);
    return within(nearest_.error(), accuracy, x);
  }
  double outside(std::span<const double> x) override {
    if (const double top = sdk::largest_magnitude(x); top > kFar * size_) return top / size_;
    near_.resize(x.size());
    const double distance = std::sqrt(nearest(x, near_));
    // For weights that sum to 1, a point is known no better than to its rounding.
    return distance <= 1e-13 * (size_ + sdk::euclidean_norm(x)) ? 0.0 : distance / size_;
  }
  double nearest(std::span<const double> v, std::span<double> x) {
    return nearest_(
        v, size_, [this](std::span<const double> c, std::span<double> to) { corner(c, to); }, x);
  }

  sdk::NumberRows rows_;
  std::vector<double> mean_, near_;
  double diameter_ = 0.0, size_ = 1.0;
  sdk::NearestPoint nearest_;
};

}  // namespace

CLAROS_PLUGIN(
    Vertices, Kind::set, "vertices", "", "1.0.0", "Convex hull of a list of points, conv{v_1, ..., v_m}",
    "C = the convex hull of a list of points. The linear oracle compares all points of the list; the "
    "projection is Wolfe's method, which ends at the face that holds the nearest point and is for lists of "
    "small dimension (a few hundred entries). Diameter: the largest distance of two points.",
    "Wolfe: Finding the nearest point in a polytope, Mathematical Programming 11, 1976 (projection)",
    "Use it for the convex hull of points that you list. A linear minimisation compares all "
    "points; projection and membership test are iterative, for up to some hundred entries. If "
    "the points are the vertices of simplex, birkhoff or permutahedron, use that set, which does "
    "not list them. For a hull given by inequalities use polytope.",
    "objective.use=distance objective.data='2 0' set.use=vertices "
    "set.vertices='0 0; 1 0; 0 1; 2 2' stop.gap=1e-8")
