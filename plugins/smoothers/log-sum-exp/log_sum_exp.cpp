// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/map/design_map.hpp>
#include <claros/objective.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/smoothing_accuracy.hpp>
#include <shared/losses/sample_rows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace claros;

struct Options {
  double mu = kUnset, eps = 0.0;
  std::string data;
  Index rows = 0, cols = 1;
};

/// R(X) = mu log sum_{i<=n} exp((<A_i, X> - b_i)/mu): convex, and max_i (<A_i, X> - b_i) <= R(X) <= that + mu
/// log n. With p_i the share of i in the sum,
///   grad R = sum_i p_i A_i,
///   hess R D = (1/mu) (sum_i p_i <A_i, D> A_i - <grad R, D> grad R) <= (1/mu) max_i ||A_i||_F^2 ||D||_F,
/// so that R is max_i ||A_i||_F^2/mu-smooth. (Beck, Teboulle 2012; Garber, Kaplan 2019, section 4.2.2, who
/// print the two bounds the wrong way round.) Without A_i they are the entries of X, n their number, b = 0.
class LogSumExp final : public Objective, public Curvature, public Smoothing, public SmoothingAccuracy {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("mu", &Options::mu,
            required(above(0),
                     "the value is at most mu log n above the largest of n terms: mu = 7 eps/(92 log n) for "
                     "an answer within eps (GK, Corollary 4)"),
            "how far from the largest a term still counts; R is max ||A_i||^2/mu-smooth", "mu"),
        row("eps", &Options::eps, at_least(0),
            "instead of mu: how far the value without smoothing may be from its least; mu = 7 eps/(92 "
            "gamma), gamma = log n; 0: not given",
            "eps"),
        row("data", &Options::data, any(),
            "file of a row for each i: A_i, column after column, and b_i at its end; empty: the terms are "
            "the entries of X",
            "A, b"),
        row("rows", &Options::rows, between(0, std::numeric_limits<std::int32_t>::max()),
            "of data: rows of X; 0: as many as fit"),
        row("cols", &Options::cols, between(1, std::numeric_limits<std::int32_t>::max()),
            "of data: columns of X")};
    return table;
  }

  LogSumExp(const Options& o, const Context& context) : mu_(o.mu) {
    sdk::require_composed(o.eps);
    if (!o.data.empty()) read(o, context);
  }

  Shape shape() const override { return map_ ? map_->domain() : Shape(); }
  Index terms() const override { return 1; }

  double value(const Element& x) override {
    const double top = exponentials(x);
    return std::isfinite(top) ? top + excess(top) : top;
  }
  double correction(const Element& x) override {
    const double top = exponentials(x);
    return std::isfinite(top) ? -excess(top) : 0.0;
  }
  void add_gradient(const Element& x, const Batch&, double a, Element& g) override {
    require_same(x, g);
    shares(x);
    for (double& p : z_) p *= a;
    add_adjoint(g);
  }
  void add_hessian_product(const Element& at, const Element& d, const Batch&, double a, Element& g) override {
    require_same(at, g);
    require_same(d, g);
    shares(at);
    const std::vector<double> along = applied(d);
    double mean = 0.0;
    for (std::size_t i = 0; i < z_.size(); ++i) mean += z_[i] * along[i];
    for (std::size_t i = 0; i < z_.size(); ++i) z_[i] *= a / mu_ * (along[i] - mean);
    add_adjoint(g);
  }
  Constants constants() const override {
    const double L = largest_ / mu_;
    return {.convex = true, .smoothness = L, .term_smoothness = L, .lower_smoothness = 0.0};
  }
  void* ability(std::string_view id) noexcept override {
    return offer<Curvature, Smoothing, SmoothingAccuracy>(this, id);
  }
  /// gamma = log n.
  double mu_for(double eps, const Shape& shape) const override {
    const Index n = map_ ? static_cast<Index>(b_.size()) : shape.size();
    return sdk::mu_for_accuracy(eps, std::log(static_cast<double>(n)));
  }

 private:
  static void require_same(const Element& x, const Element& g) {
    if (x.shape() != g.shape())
      throw Error(ErrorKind::usage, "",
                  "a point of " + x.shape().text() + " and a gradient of " + g.shape().text(),
                  "give both in one shape");
  }
  void require_shape(const Element& x) const {
    if (map_ && x.shape() != map_->domain())
      throw Error(ErrorKind::usage, "",
                  "a point of " + x.shape().text() + ", where A_i are " + map_->domain().text(),
                  "give rows and cols of the variable");
  }
  void read(const Options& o, const Context& context) {
    const auto table = sdk::read_sample_rows(context.resolve(o.data), context);
    const Index length = table->cols - 1, rows = o.rows ? o.rows : length / o.cols;
    if (length < 1 || rows * o.cols != length)
      throw Error(ErrorKind::data, o.data,
                  "a row holds " + std::to_string(table->cols) + " numbers, where A_i of " +
                      Shape::matrix(rows, o.cols).text() + " and b_i are " +
                      std::to_string(rows * o.cols + 1),
                  "give rows and cols of X, and b_i, which may be 0, as the last number of a row");
    std::vector<double> all, row(static_cast<std::size_t>(table->cols));
    for (Index i = 0; i < table->rows; ++i) {
      table->row(i, row);
      b_.push_back(row.back());
      all.insert(all.end(), row.begin(), row.end() - 1);
    }
    const auto map = std::make_shared<DesignMap>(sdk::dense_rows(table->rows, length, std::move(all)),
                                                 Shape::matrix(rows, o.cols));
    largest_ = std::ranges::max(map->squared_norms());
    map_ = map;
  }

  std::vector<double> applied(const Element& x) {
    require_shape(x);
    if (!map_) return x.to_dense();
    std::vector<double> z(b_.size());
    map_->apply(1.0, x, 0.0, z);
    return z;
  }
  /// z_ <- <A_i, x> - b_i; the largest, or a NaN.
  double exponentials(const Element& x) {
    z_ = applied(x);
    for (std::size_t i = 0; i < b_.size(); ++i) z_[i] -= b_[i];
    double top = -std::numeric_limits<double>::infinity();
    for (const double term : z_) top = term <= top || std::isnan(top) ? top : term;
    return top;
  }
  /// R less the largest term.
  double excess(double top) const {
    double sum = 0.0;
    for (const double term : z_) sum += std::exp((term - top) / mu_);
    return mu_ * std::log(sum);
  }
  /// z_ <- p
  void shares(const Element& x) {
    const double top = exponentials(x);
    double sum = 0.0;
    for (double& term : z_) sum += term = term == top ? 1.0 : std::exp((term - top) / mu_);
    for (double& p : z_) p /= sum;
  }
  void add_adjoint(Element& g) {
    const std::span<double> values = g.dense_values();
    if (map_) return map_->add_adjoint(z_, values);
    for (std::size_t j = 0; j < values.size(); ++j) values[j] += z_[j];
  }

  double mu_, largest_ = 1.0;  ///< max ||A_i||^2
  MapPtr map_;                 ///< null: the entries
  std::vector<double> b_, z_;
};

}  // namespace

CLAROS_PLUGIN(LogSumExp, Kind::smoother, "log-sum-exp", "", "1.0.0",
              "Log-sum-exp, mu log sum_i exp((<A_i, X> - b_i)/mu), of a maximum of linear functions",
              "R(X) = mu log sum_i exp((<A_i, X> - b_i)/mu), at most mu log n above max_i (<A_i, X> - b_i), "
              "a penalty of linear constraints <A_i, X> <= b_i: max ||A_i||_F^2/mu-smooth. Without data the "
              "terms are the entries of X.",
              "Garber, Kaplan: Fast stochastic algorithms for low-rank and nonsmooth matrix problems, "
              "AISTATS 2019, section 4.2.2; Beck, Teboulle: Smoothing and first order methods: a unified "
              "framework, SIAM J. Optim. 2012",
              "Use it to add a smoothed maximum, of the entries or of linear functions from a "
              "file, to f over a set. It has no factor lambda: scale A_i and b_i instead. A small "
              "mu takes many steps. It penalises constraints, and does not enforce them: where "
              "they must hold, take the set polytope.",
              "objective.use=distance objective.data='0.2 0.1 0.9' smoother.use=log-sum-exp smoother.mu=0.1 "
              "set.use=simplex set.radius=1 stop.relative_gap=1e-6")
