// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/falling_root.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <claros/sdk/chosen_rows.hpp>
#include <shared/sets/water_level.hpp>

namespace {

using namespace claros;

enum class Norm { l2, linf };

struct Options {
  double radius = kUnset;
  Index k = 1;
  Norm norm = Norm::l2;
};

/// C = the convex hull of {x : ||x||_0 <= k, ||x|| <= r}. k beyond the number of entries is that number.
/// - l2, the ball of the k-support norm: argmin <c, x> = -r c_T / ||c_T||, T the k largest magnitudes, D = 2
/// r.
/// - linf, C = {||x||_inf <= r, ||x||_1 <= k r}: argmin -r sign(c_T), D = 2 r sqrt(k).
/// Projection, a = |v|. With linf the magnitudes are clip(a - t, 0, r), t that of the capped simplex or 0.
/// With l2, for a height h > 0 and the t with sum_j clip(a_j - t, 0, h) = k h, x is a h / (h + t) if a >= h +
/// t ("full"), a - t if a is between, else 0. ||x||^2 = sum_full x_j^2 + h sum_between x_j falls with h, and
/// is r^2 at the solution. (McDonald, Pontil, Stamos 2016, Theorem 22 has the proximal step of ||.||^2, with
/// theta_j = clip(a_j - t, 0, h) / h.)
class KSparse final : public sdk::ArraySet {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        sdk::radius_row(&Options::radius, "bound on the norm of the sparse points", "rho", "norm"),
        row("k", &Options::k, at_least(1), "most entries other than 0 of a corner", "k"),
        row("norm", &Options::norm, one_of<Norm>({{Norm::l2, "l2"}, {Norm::linf, "linf"}}),
            "the norm of the sparse points: Euclidean, or the largest magnitude")};
    return table;
  }

  KSparse(const Options& o, const Context&) : radius_(o.radius), k_(o.k), euclidean_(o.norm == Norm::l2) {}

  double diameter(const Shape& shape) override {
    return 2.0 * radius_ * (euclidean_ ? 1.0 : std::sqrt(static_cast<double>(std::min(k_, shape.size()))));
  }

 private:
  void fit(const Shape& shape) override { entries_ = shape.size(); }
  std::size_t most() const { return static_cast<std::size_t>(std::min(k_, entries_)); }

  void corner(std::span<const double> c, std::span<double> x) override {
    magnitudes_.resize(c.size());
    sdk::map_entries(c, magnitudes_, sdk::magnitude);
    order_.resize(c.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    const auto larger = [this](std::size_t i, std::size_t j) {
      return magnitudes_[i] != magnitudes_[j] ? magnitudes_[i] > magnitudes_[j] : i < j;
    };
    std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(most()) - 1, order_.end(),
                     larger);
    order_.resize(most());
    std::sort(order_.begin(), order_.end());  // the same sum in whatever order they were found
    magnitudes_.clear();
    for (const std::size_t j : order_) magnitudes_.push_back(c[j]);
    const double norm = sdk::euclidean_norm(magnitudes_);
    std::fill(x.begin(), x.end(), 0.0);
    for (const std::size_t j : order_)
      x[j] = euclidean_ ? (norm > 0.0 ? -c[j] / norm * radius_ : 0.0) : std::copysign(radius_, -c[j]);
  }

  void project(std::span<const double> v, std::span<double> x) override {
    if (sdk::all_finite(v) && outside(v) <= 0.0)
      return sdk::map_entries(v, x, [](double value) { return value; });
    magnitudes_.resize(v.size());
    sdk::map_entries(v, magnitudes_, sdk::magnitude);
    if (!euclidean_) return project_to_cube(v, x);
    const auto others = static_cast<std::size_t>(
        std::count_if(v.begin(), v.end(), [](double value) { return value != 0.0; }));
    if (others > most()) return project_to_ball(v, x);
    const double length = sdk::euclidean_norm(v);  // sparse: nearest in the Euclidean ball around C, too
    sdk::map_entries(v, x, [=, this](double value) { return value / length * radius_; });
  }

  void project_to_cube(std::span<const double> v, std::span<double> x) {
    const double whole = radius_ * static_cast<double>(most());
    sdk::CappedLevel left{0.0, 0.0, radius_};
    if (sdk::sum_entries(v, [this](double value) { return std::min(std::abs(value), radius_); }) > whole)
      left = sdk::capped_level(magnitudes_, most(), radius_, work_);
    sdk::map_entries(v, x, [=](double value) { return std::copysign(left(std::abs(value)), value); });
  }

  void project_to_ball(std::span<const double> v, std::span<double> x) {
    const auto shrunk = [](const sdk::CappedLevel& between, double magnitude) {
      const double height = between.cap, left = between(magnitude);
      return left < height ? left : magnitude * (height / (height + (between.base + between.level)));
    };
    // The excess as a function of 1 / h. It is infinite if t would be negative, that is, if x is v.
    const auto excess = [&](double per_height) {
      const double height = 1.0 / per_height;
      const sdk::CappedLevel between = sdk::capped_level(magnitudes_, most(), height, work_);
      if (!(between.base + between.level > 0.0)) return sdk::kInfinity;
      const double square = sdk::sum_entries(magnitudes_, [&, this](double magnitude) {
        const double value = shrunk(between, magnitude) / radius_;
        return value * (between(magnitude) < height ? height / radius_ : value);
      });
      return std::sqrt(square) - 1.0;
    };
    const double per_height = falling_root(excess, std::sqrt(static_cast<double>(most())) / radius_);
    const sdk::CappedLevel between = sdk::capped_level(magnitudes_, most(), 1.0 / per_height, work_);
    sdk::map_entries(v, x,
                     [&](double value) { return std::copysign(shrunk(between, std::abs(value)), value); });
  }

  double outside(std::span<const double> x) override {
    if (!euclidean_)
      return std::max(sdk::ball_violation(sdk::largest_magnitude(x), radius_),
                      sdk::ball_violation(sdk::sum_of_magnitudes(x), radius_ * static_cast<double>(most())));
    return sdk::ball_violation(support_norm(x), radius_);
  }

  /// sqrt(sum_{i <= k-r-1} a_i^2 + (sum_{i >= k-r} a_i)^2 / (r + 1)), a = |x| sorted and r the one of 0, ...,
  /// k - 1 with a_{k-r-1} > sum_{i >= k-r} a_i / (r + 1) >= a_{k-r}. (Argyriou, Foygel, Srebro 2012,
  /// Proposition 2.1.)
  double support_norm(std::span<const double> x) {
    const double top = sdk::largest_magnitude(x);
    if (top == 0.0 || !std::isfinite(top)) return top;
    magnitudes_.resize(x.size());
    sdk::map_entries(x, magnitudes_, [top](double value) { return std::abs(value) / top; });
    std::sort(magnitudes_.begin(), magnitudes_.end(), std::greater<>());
    const std::size_t k = most();
    double tail =
        std::accumulate(magnitudes_.begin() + static_cast<std::ptrdiff_t>(k), magnitudes_.end(), 0.0);
    for (std::size_t r = 0; r < k; ++r) {
      tail += magnitudes_[k - r - 1];
      const double mean = tail / static_cast<double>(r + 1);
      if (r + 1 < k && !(magnitudes_[k - r - 2] > mean)) continue;
      double square = tail * mean;
      for (std::size_t i = 0; i + r + 1 < k; ++i) square += magnitudes_[i] * magnitudes_[i];
      return top * std::sqrt(square);
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  double radius_;
  Index k_, entries_ = 0;
  bool euclidean_;
  std::vector<double> magnitudes_, work_;
  std::vector<std::size_t> order_;
};

}  // namespace

CLAROS_PLUGIN(
    KSparse, Kind::set, "k-sparse", "k-support", "1.0.0",
    "k-support ball: convex hull of {x : ||x||_0 <= k, ||x|| <= radius}",
    "C = the convex hull of {x : at most k entries other than 0, ||x|| <= r}: the ball of the k-support "
    "norm, between those of l1 (k = 1) and l2 (k = n); with the largest magnitude in the place "
    "of the length, {||x||_inf <= r, ||x||_1 <= k r}. The linear oracle takes the k largest magnitudes; the "
    "projection is exact, a root of one number around the level of a capped simplex. "
    "Diameter 2 r, or 2 r sqrt(k).",
    "Argyriou, Foygel, Srebro: Sparse prediction with the k-support norm, NIPS 2012; McDonald, Pontil, "
    "Stamos: New perspectives on k-support and cluster norms, JMLR 17, 2016 (projection)",
    "Use it for sparse coefficients whose number k is roughly known. It is the smallest convex "
    "set that contains all k-sparse vectors of a bounded norm; a solution may have more than k "
    "nonzero entries. If k is unknown, use l1-ball. To penalise the number of nonzero entries "
    "itself use the penalty l0, which is not convex.",
    "data.use=synthetic-regression data.rows=100 data.cols=50 data.nonzero=5 "
    "objective.use=linear-model set.use=k-sparse set.k=5 set.radius=1 stop.relative_gap=1e-6")
