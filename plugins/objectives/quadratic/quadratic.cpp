// SPDX-License-Identifier: BSD-3-Clause
#include "reading.hpp"

#include <claros/abilities.hpp>
#include <claros/io/matrix_file.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_objective.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace {

using namespace claros;

/// f(x) = x'Qx/2 + c'x. With g = grad f(x) = Qx + c, f*(g) = x'Qx/2. f* is 1/mu-smooth with gradient x at g,
/// so that for every a
///     f*(a g) <= f*(g) + (a - 1) <x, g> + (a - 1)^2 ||g||^2 / (2 mu).
/// This bounds min f + h >= -f*(a g) - h*(-a g) if h* is finite only at a multiple of -g. If Q is
/// semidefinite only with a shift delta, tangents lie above f by at most delta ||u - x||^2 / 2.
class Quadratic final : public sdk::ArrayObjective, public Certified, public Rounding {
 public:
  using Options = quadratic::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(),
             "file of Q or of what it is made of: .npy, .npz, a table, Matrix Market (coordinates stay "
             "sparse); empty: the rows of a data section, or a diagonal alone",
             "Q"),
         row("form", &Options::form, one_of<quadratic::Rows>(quadratic::rows_words()),
             "what the data are: matrix: Q, symmetric; factors: F, a row a variable, of Q = F F'; samples: "
             "rows, of which Q is the covariance, with 1/n; prices: rows in the order of time, whose "
             "relative changes are samples; Q of none of these is formed. auto: a symmetric matrix of a "
             "file, and samples of a data section"),
         row("diagonal", &Options::diagonal, any(),
             "added to the diagonal of Q: a number for all, numbers written out, or a file", "d"),
         row("linear", &Options::linear, any(),
             "c: numbers written out, a file, or mean, of the samples; empty: 0", "c"),
         row("linear_factor", &Options::linear_factor, any(),
             "what c is multiplied by: -1 for returns that are to be large")},
        {include(&Options::table, matrix_rows())}};
    return table;
  }

  Quadratic(const Options& o, const Context& context) : Quadratic(quadratic::read(o, context), context) {}

  Constants constants() const override {
    Constants c;
    c.convex = spectrum_.semidefinite;
    c.smoothness = c.term_smoothness = smoothness_;
    if (c.convex) c.strong_convexity = spectrum_.least;
    c.lower_smoothness = c.convex ? 0.0 : smoothness_;
    c.hessian_smoothness = c.term_hessian_smoothness = 0.0;
    if (c.convex && spectrum_.shift == 0.0 &&
        std::ranges::all_of(c_, [](double value) { return value == 0.0; }))
      c.lower_bound = 0.0;
    return c;
  }
  double lower_bound(const Element& x, Conjugate& h) override {
    const std::vector<double> at = x.to_dense();
    std::vector<double> g(at.size());
    q_->apply(at, g);
    const double conjugate = 0.5 * dot(at, g);
    for (std::size_t k = 0; k < g.size(); ++k) g[k] += c_[k];
    Element s = Element::dense(shape(), g);
    s.scale(-1.0);
    const double a = h.into_domain(s);
    if (a < 1.0 && !(spectrum_.least > 0.0)) return -std::numeric_limits<double>::infinity();
    s.scale(a);
    const double scaled =
        a < 1.0 ? (a - 1.0) * dot(at, g) + (a - 1.0) * (a - 1.0) * dot(g, g) / (2.0 * spectrum_.least) : 0.0;
    return -conjugate - scaled - h.conjugate(s);
  }
  /// The errors of the products, and the difference between Q + shift I and Q.
  double rounding(const Element& x, double size) override {
    const double length = norm(x), apart = length + size, slope = largest_ * length + std::sqrt(dot(c_, c_));
    return 0.5 * spectrum_.shift * apart * apart + sum_rounding(shape().size()) * slope * (length + apart);
  }
  void* ability(std::string_view id) noexcept override {
    if (id == Certified::kAbility) return spectrum_.semidefinite ? static_cast<Certified*>(this) : nullptr;
    if (id == Rounding::kAbility) return spectrum_.shift > 0.0 ? static_cast<Rounding*>(this) : nullptr;
    return ArrayObjective::ability(id);
  }

 private:
  Quadratic(quadratic::Data data, const Context& context)
      : ArrayObjective(Shape::vector(data.q->rows())),
        q_(std::move(data.q)),
        c_(std::move(data.c)),
        spectrum_(q_->spectrum()),
        smoothness_(quadratic::largest_magnitude(*q_)),
        largest_(q_->norm_bound()) {
    if (!spectrum_.semidefinite)
      context.note(spectrum_.evidence +
                   ": f is not known to be convex, and a gap shows a stationary point, not a minimum");
  }

  static double dot(std::span<const double> a, std::span<const double> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  }
  /// x = scale * of, scaled down if squares would overflow, and image = Q of.
  struct Product {
    double scale = 1.0;
    std::span<const double> of, image;
  };
  Product product(std::span<const double> x) {
    constexpr double kLarge = 1e150;
    double largest = 0.0;
    for (const double value : x) largest = std::max(largest, std::abs(value));
    Product made;
    made.of = x;
    if (largest > kLarge && std::isfinite(largest)) {
      made.scale = largest;
      scaled_.assign(x.begin(), x.end());
      for (double& value : scaled_) value /= largest;
      made.of = scaled_;
    }
    product_.resize(x.size());
    q_->apply(made.of, product_);
    made.image = product_;
    return made;
  }

  double value_at(std::span<const double> x) override {
    const Product p = product(x);
    return p.scale * (p.scale * (0.5 * dot(p.of, p.image)) + dot(c_, p.of));
  }
  void add_gradient_at(std::span<const double> x, const Batch&, double a, std::span<double> g) override {
    const Product p = product(x);
    for (std::size_t k = 0; k < g.size(); ++k) g[k] += a * (p.scale * p.image[k] + c_[k]);
  }
  void add_hessian_product_at(std::span<const double>, std::span<const double> d, const Batch&, double a,
                              std::span<double> g) override {
    const Product p = product(d);
    for (std::size_t k = 0; k < g.size(); ++k) g[k] += a * (p.scale * p.image[k]);
  }
  bool has_hessian() const noexcept override { return true; }

  std::unique_ptr<quadratic::Form> q_;
  std::vector<double> c_, product_, scaled_;
  quadratic::Spectrum spectrum_;
  double smoothness_, largest_;
};

}  // namespace

CLAROS_PLUGIN(
    Quadratic, Kind::objective, "quadratic", "quadratic-program", "1.0.0", "Quadratic function, x'Qx/2 + c'x",
    "f(x) = x'Qx/2 + c'x, Q symmetric: a dense or sparse matrix, F F' of factors, or the covariance of "
    "samples, with a diagonal added to any. L is the largest |eigenvalue|, by Lanczos. f is called convex "
    "where that is proved to rounding: of factors and samples always; of a dense matrix by its eigenvalues "
    "(up to 1000 rows) or a Cholesky factor (up to 5000); of a sparse one by Gershgorin's disks or a "
    "Cholesky factor. With the simplex: portfolios of least variance.",
    "Markowitz: Portfolio selection, The Journal of Finance 7, 1952 (with the simplex)",
    "Use it where Q, its factors or samples are given: portfolios over the simplex, quadratic "
    "programs over a polytope. It is one term: stochastic gradient estimators save no work. Where "
    "convexity is not proved, a gap means stationarity only. For rows and responses take "
    "linear-model, for the distance to given numbers distance.",
    "data.use=synthetic-regression data.rows=100 data.cols=20 data.nonzero=0 "
    "objective.use=quadratic set.use=simplex set.radius=1 stop.relative_gap=1e-6")
