// SPDX-License-Identifier: BSD-3-Clause
#include "dual_bound.hpp"

#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/array_objective.hpp>
#include <claros/sdk/entries.hpp>
#include <shared/losses/matrix_data.hpp>

#include <algorithm>
#include <cmath>

namespace {

using namespace claros;

struct Options {
  std::string data, weights;
  DesignOptions table;
};

/// f(X) = (1/2) sum_ij w_ij (X_ij - Y_ij)^2, w >= 0; a hole of Y is an entry of weight 0. L = max w, mu = min
/// w, and the Hessian is diag(w).
class Distance final : public sdk::ArrayObjective, public Certified, public ConjugateGap, public Rounding {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(),
             "file of Y: .npy, .npz, a table, Matrix Market, PGM or PNG (grey levels from 0 to 1), or "
             "numbers written out; missing entries (NaN, blank, NA) are not observed; empty: the rows of a "
             "data section. One row is a vector",
             "Y"),
         row("weights", &Options::weights, any(),
             "weights >= 0 of the entries, likewise, of the size of Y; empty: 1", "w")},
        {include(&Options::table, matrix_rows(true))}};
    return table;
  }

  Distance(const Options& o, const Context& context)
      : Distance(sdk::matrix_of(o.data, o.table, context, "distance", "the matrix Y"), o, context) {}

  Constants constants() const override {
    const auto [least, most] = std::minmax_element(weights_.begin(), weights_.end());
    Constants c;
    c.convex = true;
    c.smoothness = c.term_smoothness = *most;
    c.strong_convexity = *least;
    c.lower_smoothness = c.hessian_smoothness = c.term_hessian_smoothness = 0.0;
    c.lower_bound = 0.0;
    return c;
  }
  double lower_bound(const Element& x, Conjugate& h) override {
    return distance::lower_bound({shape(), y_, weights_}, x, h);
  }
  /// sum_k (w_k (x_k - y_k) + s_k)^2 / (2 w_k): no sum of x and s cancels.
  double conjugate_gap(const Element& x, const Element& s) override {
    const std::vector<double> at = x.to_dense(), dual = s.to_dense();
    double sum = 0.0;
    for (std::size_t k = 0; k < at.size(); ++k) {
      const double off = weights_[k] * (at[k] - y_[k]) + dual[k];
      if (off != 0.0) sum += off * off / weights_[k];
    }
    return 0.5 * sum;
  }
  /// The rounding of the sums of w (x - y)^2, and of the products of the gradient and points of that size.
  /// Far from 0 these products are far larger than the value, and cancel.
  double rounding(const Element& x, double size) override {
    std::vector<double> g(y_.size(), 0.0);
    const std::vector<double> at = x.to_dense();
    add_gradient_at(at, Batch::all(), 1.0, g);
    return sum_rounding(shape().size()) * (value_at(at) + 2.0 * size * sdk::euclidean_norm(g));
  }
  void* ability(std::string_view id) noexcept override {
    void* own = offer<Certified, ConjugateGap, Rounding>(this, id);
    return own ? own : ArrayObjective::ability(id);
  }

 private:
  Distance(DenseTable y, const Options& o, const Context& context) : ArrayObjective(sdk::shape_of(y)) {
    y_ = std::move(y.values);
    weights_ = o.weights.empty() ? std::vector<double>(y_.size(), 1.0) : weights_of(o, context);
    for (std::size_t k = 0; k < y_.size(); ++k)
      if (std::isnan(y_[k])) y_[k] = weights_[k] = 0.0;
    if (!std::ranges::any_of(weights_, [](double w) { return w > 0.0; }))
      throw Error(ErrorKind::data, "data",
                  "expected at least one observed entry of weight above 0, found none",
                  "give numbers, and weights above 0");
    const auto holes = std::ranges::count(weights_, 0.0);
    if (holes > 0)
      context.note(std::to_string(holes) + " of " + std::to_string(y_.size()) +
                   " entries are not observed (missing, or of weight 0)");
  }
  std::vector<double> weights_of(const Options& o, const Context& context) const {
    DenseTable table = sdk::written_matrix(o.weights, "weights", context);
    if (sdk::shape_of(table) != shape())
      throw Error(ErrorKind::data, "weights",
                  "expected " + shape().text() + ", the size of Y, found " + sdk::shape_of(table).text(),
                  "give a weight for each entry");
    for (std::size_t k = 0; k < table.values.size(); ++k)
      if (!(table.values[k] >= 0.0 && std::isfinite(table.values[k])))
        throw Error(ErrorKind::data, "weights",
                    "expected a number >= 0 in " + sdk::place_of_entry(table, k) + ", found " +
                        (std::isnan(table.values[k]) ? "none" : print_real(table.values[k])),
                    "give 0 to an entry that does not count");
    return std::move(table.values);
  }

  double value_at(std::span<const double> x) override {
    double sum = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += weights_[k] * (x[k] - y_[k]) * (x[k] - y_[k]);
    return 0.5 * sum;
  }
  void add_gradient_at(std::span<const double> x, const Batch&, double a, std::span<double> g) override {
    for (std::size_t k = 0; k < x.size(); ++k) g[k] += a * weights_[k] * (x[k] - y_[k]);
  }
  void add_hessian_product_at(std::span<const double>, std::span<const double> d, const Batch&, double a,
                              std::span<double> g) override {
    for (std::size_t k = 0; k < d.size(); ++k) g[k] += a * weights_[k] * d[k];
  }
  bool has_hessian() const noexcept override { return true; }

  std::vector<double> y_, weights_;
};

}  // namespace

CLAROS_PLUGIN(
    Distance, Kind::objective, "distance", "denoising", "1.0.0",
    "Squared distance to an array, matrix or image, ||X - Y||_F^2 / 2, with weights and holes",
    "f(X) = (1/2) sum_ij w_ij (X_ij - Y_ij)^2, w_ij = 1 unless weights are given and 0 where Y_ij is "
    "missing. L = max w, mu = min w, the Hessian is diag(w). With a penalty f has a duality gap. With tv: "
    "denoising; with holes: inpainting; with a set: the nearest point of it.",
    "Rudin, Osher, Fatemi: Nonlinear total variation based noise removal algorithms, Physica D 60, 1992 "
    "(with the total variation)",
    "Use it to denoise a signal or picture with tv, to fill holes in it, or to find the nearest point of a "
    "set. It stores the whole array and is one term: stochastic gradient estimators save no work. For a "
    "large matrix with few observed entries take matrix-completion, which stores these alone.",
    "objective.use=distance objective.data='1.1 0.9 1.2 3.1 2.8 3.0' "
    "penalty.use=tv penalty.lambda=0.1 stop.relative_gap=1e-6")
