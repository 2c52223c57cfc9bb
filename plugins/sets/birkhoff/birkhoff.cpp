// SPDX-License-Identifier: BSD-3-Clause
#include "assignment.hpp"

#include <claros/plugin.hpp>
#include <claros/sdk/array_set.hpp>
#include <shared/sets/network_projection.hpp>
#include <shared/sets/support_face.hpp>

namespace {

using namespace claros;

struct Options {};

/// C = {X in R^{n x n} : X >= 0, every row and column sums to 1}, the convex hull of the permutation matrices
/// (Birkhoff 1946). The minimiser of <G, X> is an assignment of least cost. The projection is that onto the
/// flows from rows to columns (network_projection.hpp). D = sqrt(2 n) for n > 1. Starts at its centre, 1/n
/// everywhere.
class Birkhoff final : public sdk::IteratedSet, public Faces {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{};
    return table;
  }

  Birkhoff(const Options&, const Context&) {}

  double diameter(const Shape& shape) override {
    fit(shape);
    return n_ > 1 ? std::sqrt(2.0 * static_cast<double>(n_)) : 0.0;
  }

  Element start_point(const Shape& shape) override {
    fit(shape);
    return Element::dense(shape, std::vector<double>(n_ * n_, 1.0 / static_cast<double>(n_)));
  }

  bool is_expensive() const override { return true; }

  FaceInfo away(const Element& g, const Element& x, const OracleRequest&, Element& vertex) override {
    fit(x.shape());
    return sdk::away_in_support(
        g, x, {0.0, sdk::kInfinity}, 1.0, [this](auto c, auto a) { corner(c, a); }, vertex);
  }
  void* ability(std::string_view id) noexcept override {
    void* own = offer<Faces>(this, id);
    return own ? own : IteratedSet::ability(id);
  }

 private:
  void fit(const Shape& shape) override {
    if (shape.is_product() || shape.rows != shape.cols)
      throw Error(ErrorKind::usage, "",
                  "an assignment needs a square matrix of costs, and the variable is " + shape.text(),
                  "take an objective of a square matrix, and where rows and columns differ in number fill up "
                  "with costs of 0");
    n_ = static_cast<std::size_t>(shape.rows);
  }

  /// Columns stand one after the other: it is they that are assigned to rows.
  void corner(std::span<const double> c, std::span<double> x) override {
    constexpr double kLarge = 1e290;  // differences of larger numbers may overflow
    if (sdk::largest_magnitude(c) > kLarge) {
      scaled_.assign(c.begin(), c.end());
      for (double& cost : scaled_) cost *= 0x1p-100;
      c = scaled_;
    }
    const auto to = solver_.solve(c, n_);
    std::fill(x.begin(), x.end(), 0.0);
    for (std::size_t j = 0; j < n_; ++j) x[j * n_ + to[j]] = 1.0;
  }

  Certificate approach(std::span<const double> v, const Accuracy& accuracy, std::span<double> x) override {
    if (flows_.nodes() != 2 * n_) {
      std::vector<sdk::NetworkProjection::Arc> arcs;
      std::vector<double> supply(2 * n_, 1.0);
      std::fill(supply.begin() + static_cast<std::ptrdiff_t>(n_), supply.end(), -1.0);
      for (std::size_t j = 0; j < n_; ++j)
        for (std::size_t i = 0; i < n_; ++i)
          arcs.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(n_ + j)});
      flows_.start(std::move(arcs), std::move(supply), sdk::kInfinity);
    }
    return within(flows_(v, x), accuracy, x);
  }

  /// The largest violation: a sum that is too large or too small, or a negative entry.
  double outside(std::span<const double> x) override {
    sums_.assign(n_, 0.0);
    double worst = 0.0;
    for (std::size_t j = 0; j < n_; ++j) {
      double sum = 0.0;
      for (std::size_t i = 0; i < n_; ++i) {
        const double entry = x[j * n_ + i];
        sum += entry;
        sums_[i] += entry;
        worst = std::max(worst, -entry);
      }
      worst = std::max(worst, std::abs(sum - 1.0));
    }
    for (const double sum : sums_) worst = std::max(worst, std::abs(sum - 1.0));
    return worst;
  }

  birkhoff::Assignment solver_;
  sdk::NetworkProjection flows_;
  std::size_t n_ = 0;
  std::vector<double> sums_, scaled_;
};

}  // namespace

CLAROS_PLUGIN(
    Birkhoff, Kind::set, "birkhoff", "", "1.0.0",
    "Birkhoff polytope: doubly stochastic matrices, X >= 0, X 1 = 1, X' 1 = 1",
    "C = {X of n x n : X >= 0, every row and every column sums to 1}, the convex hull of the permutation "
    "matrices. The linear oracle is an assignment of least cost, by "
    "shortest augmenting paths from reduced columns and rows; the projection is Newton's method on its dual, "
    "2 n numbers, which ends at the exact piece: 30 x 30 takes half a millisecond, 100 x 100 ten, 1000 x "
    "1000 some seconds. "
    "Diameter sqrt(2 n).",
    "Li, Sun, Toh: On the efficient computation of a generalized Jacobian of the projector over the Birkhoff "
    "polytope, Mathematical Programming 179, 2020 (projection); Jonker, Volgenant: A shortest augmenting "
    "path algorithm for dense and sparse linear assignment problems, Computing 38, 1987",
    "Use it for assignments and relaxed permutations; X is a dense square matrix. A projection "
    "takes as long as several linear minimisations, so Claros chooses a Frank-Wolfe method. For "
    "an order of items by one number each use permutahedron, which has n entries instead of n^2. "
    "For a linear cost of a matrix that is not square, add rows or columns of zeros.",
    "objective.use=linear objective.data='4 1 3; 2 0 5; 3 2 2' set.use=birkhoff stop.relative_gap=1e-9")
