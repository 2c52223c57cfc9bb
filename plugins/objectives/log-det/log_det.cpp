// SPDX-License-Identifier: BSD-3-Clause
#include "last_factors.hpp"
#include "sample_matrix.hpp"

#include <claros/abilities.hpp>
#include <claros/domain.hpp>
#include <claros/element/gemm.hpp>
#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/row_parts.hpp>
#include <claros/sdk/array_objective.hpp>
#include <claros/sdk/entries.hpp>
#include <shared/log_det_linear.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

namespace {

using namespace claros;
using log_det::BlockCholesky;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// f(X) = -log det X + <S, X> if X is positive definite, else +infinity. X is in R^{p x p}, and f sees only
/// its symmetric part (X + X')/2. Derivatives: grad f(X) = S - X^{-1}, hess f(X) D = X^{-1} D X^{-1}, D
/// symmetric. There is no L: the curvature of f has no bound near its border.
///
/// f*(S - W) = -p - log det W for W positive definite, so that min f + h >= p + log det W - h*(W - S). W is S
/// + a (X^{-1} - S) with the largest a in [0, 1] that h* allows (Banerjee, El Ghaoui, d'Aspremont 2008,
/// section 2). If a is 0, as with a diagonal that is not penalised, W_ii = S_ii is tried. Another W is made
/// of a subgradient of h next to X^{-1} - S, for an l1 norm of one lambda. Its bound is of second order in
/// the error of X. The better bound counts.
///
/// If |S_ij| <= lambda between two groups of variables, the solution with an l1 penalty has two blocks
/// (Witten, Friedman, Simon 2011; Mazumder, Hastie 2012). The start is diagonal. Every proximal step from a
/// point with these blocks has them too, and no point costs more than the factors of its blocks.
class LogDet final : public sdk::ArrayObjective,
                     public Domain,
                     public Certified,
                     public Rounding,
                     public RowParts,
                     public sdk::LogDetLinear {
 public:
  using Options = log_det::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(),
             "file of samples, a row each, or of the covariance matrix S; empty: the rows of a data section",
             "S"),
         row("form", &Options::form,
             one_of<log_det::Rows>({{log_det::Rows::automatic, "auto"},
                                    {log_det::Rows::matrix, "matrix"},
                                    {log_det::Rows::samples, "samples"}}),
             "what the data are: matrix: S; samples: rows of which S is the covariance, with 1/n; auto: a "
             "symmetric matrix of a file is S, all else samples"),
         row("center", &Options::center, "whether the mean of the samples is taken off first")},
        {include(&Options::table, matrix_rows())}};
    return table;
  }

  LogDet(const Options& options, const Context& context)
      : LogDet(log_det::Source(options, context), context) {}

  Constants constants() const override {
    Constants c;
    c.convex = true;
    c.lower_smoothness = 0.0;
    return c;
  }

  /// diag(1/S_ii), which minimises f over diagonal matrices; 1 if S_ii is 0.
  Element inner_point(const Shape& asked) override {
    if (asked != shape())
      throw Error(ErrorKind::usage, "", "a point of " + asked.text() + " for a variable of " + shape().text(),
                  "ask for one of its shape");
    std::vector<double> x(S_.size(), 0.0);
    for (std::size_t k = 0; k < x.size(); k += p() + 1) x[k] = S_[k] > 0.0 ? 1.0 / S_[k] : 1.0;
    return Element::dense(shape(), std::move(x));
  }

  double lower_bound(const Element& x, Conjugate& h) override {
    const std::span<const double> at = dual_reader_(x);
    BlockCholesky& factors = factors_.at(at);
    if (!factors.is_definite()) return -kInfinity;
    std::vector<double> s(S_.size());
    std::transform(S_.begin(), S_.end(), s.begin(), std::negate<>());
    factors.add_inverse(1.0, s);
    const bool free_diagonal = !(h.into_domain(Element::dense(shape(), s)) > 0.0);
    if (free_diagonal)
      for (std::size_t k = 0; k < s.size(); k += p() + 1) s[k] = 0.0;
    return std::max(bound_at(s, h), bound_at(subgradient(at, s, free_diagonal, h), h));
  }

  /// With d_i^2 = X_ii and gamma a few units, the computed factor is that of X + E, |E_ij| <= gamma d_i d_j
  /// (Higham 2002, Theorem 10.3). It moves log det X by at most gamma d'|X^{-1}|d, and X^{-1} by at most
  /// gamma || |X^{-1}|d ||^2 in the Frobenius norm.
  double rounding(const Element& x, double size) override {
    const std::span<const double> at = dual_reader_(x);
    BlockCholesky& factors = factors_.at(at);
    if (!factors.is_definite()) return 0.0;
    std::vector<double> g(S_);
    factors.add_inverse(-1.0, g);
    const double all = sum_rounding(shape().size()), spread = scaled_inverse(at, factors).square;
    return value_error(at, factors) + 2.0 * size * (all * length(g) + gamma() * spread);
  }

  void* ability(std::string_view id) noexcept override {
    if (id == RowParts::kAbility && rows() == 0) return nullptr;
    if (void* mine = offer<Domain, Certified, Rounding, RowParts, LogDetLinear>(this, id)) return mine;
    return ArrayObjective::ability(id);
  }

  std::span<const double> linear_part() const override { return S_; }
  void inverse(const Element& x, std::span<double> out) override {
    std::ranges::fill(out, 0.0);
    definite(dual_reader_(x)).add_inverse(1.0, out);
  }

  Index rows() const override { return source_ ? source_->samples() : 0; }
  std::vector<FoldMetric> measures() const override { return {}; }
  void require(const std::vector<Index>&) const override {}
  std::shared_ptr<Objective> part(const std::vector<Index>& rows) const override {
    return std::shared_ptr<Objective>(new LogDet(source_->matrix_of(rows)));
  }
  std::unique_ptr<FoldJudge> judge(const std::vector<Index>& rows, Objective&, FoldMetric) override {
    return std::make_unique<Likelihood>(std::unique_ptr<LogDet>(new LogDet(source_->beside(rows))));
  }

 private:
  /// f of samples that were held back.
  class Likelihood final : public FoldJudge {
   public:
    explicit Likelihood(std::unique_ptr<LogDet> f) : f_(std::move(f)) {}
    HeldBack operator()(const Element& x) override { return {.loss = f_->value(x)}; }

   private:
    std::unique_ptr<LogDet> f_;
  };

  explicit LogDet(DenseTable S)
      : ArrayObjective(Shape::matrix(S.rows, S.rows)), S_(std::move(S.values)), factors_(S.rows) {}
  LogDet(log_det::Source source, const Context& context) : LogDet(source.matrix(context)) {
    source_ = std::move(source);
  }

  std::size_t p() const { return static_cast<std::size_t>(shape().rows); }
  static double length(std::span<const double> g) {
    return std::sqrt(std::inner_product(g.begin(), g.end(), g.begin(), 0.0));
  }
  double gamma() const {
    constexpr double kSteps = 4.0;  // factor, inverse of the factor, product, symmetric part
    return kSteps * sum_rounding(shape().rows);
  }

  /// d'|X^{-1}|d and || |X^{-1}|d ||^2, d_i^2 = X_ii.
  struct Scaled {
    double sum = 0.0, square = 0.0;
  };
  Scaled scaled_inverse(std::span<const double> x, BlockCholesky& factors) const {
    std::vector<double> d(p());
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = std::sqrt(x[i * (p() + 1)]);
    const std::vector<double> v = factors.magnitudes_times(d);
    return {std::inner_product(d.begin(), d.end(), v.begin(), 0.0),
            std::inner_product(v.begin(), v.end(), v.begin(), 0.0)};
  }
  /// Infinite if the matrix may be singular, and its computed factor that of a rounding error: the bound
  /// is of first order in gamma d'|X^{-1}|d.
  double log_det_error(std::span<const double> x, BlockCholesky& factors) const {
    constexpr double kFirstOrder = 0.1;
    const double sum = scaled_inverse(x, factors).sum;
    return gamma() * sum <= kFirstOrder ? gamma() * (factors.log_magnitude() + sum) : kInfinity;
  }
  double value_error(std::span<const double> x, BlockCholesky& factors) const {
    double products = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) products += std::abs(S_[k] * x[k]);
    return log_det_error(x, factors) + sum_rounding(shape().size()) * products;
  }

  /// The subgradient of an l1 norm of one lambda after a proximal step from x along s, of Newton's length
  /// X_ii X_jj. It is lambda sign x_ij if x_ij is not 0, where a smaller one costs x_ij in the first order.
  std::vector<double> subgradient(std::span<const double> x, std::vector<double> s, bool free_diagonal,
                                  Conjugate& h) const {
    const double far = 2.0 * (sdk::largest_magnitude(s) + sdk::largest_magnitude(S_));
    std::vector<double> probe(s.size(), far);
    for (std::size_t k = 0; free_diagonal && k < probe.size(); k += p() + 1) probe[k] = 0.0;
    const double lambda = far * h.into_domain(Element::dense(shape(), std::move(probe)));
    for (std::size_t j = 0; j < p(); ++j)
      for (std::size_t i = 0; i < p(); ++i) {
        const std::size_t k = j * p() + i;
        if (i == j && free_diagonal) continue;
        s[k] = std::clamp(s[k] + x[k] / x[i * (p() + 1)] / x[j * (p() + 1)], -lambda, lambda);
      }
    return s;
  }

  /// The bound of W = S + a s, less the possible error of its log det.
  double bound_at(std::vector<double> s, Conjugate& h) const {
    const double a = h.into_domain(Element::dense(shape(), s));
    if (!(a >= 0.0)) return -kInfinity;
    std::vector<double> W(S_);
    for (std::size_t k = 0; k < W.size(); ++k) W[k] += s[k] *= a;
    const Element dual = Element::dense(shape(), std::move(s));
    BlockCholesky factors(W, shape().rows);
    if (!factors.is_definite()) return -kInfinity;
    return static_cast<double>(p()) + factors.log_det() - log_det_error(W, factors) - h.conjugate(dual);
  }

  double value_at(std::span<const double> x) override {
    const BlockCholesky& factors = factors_.at(x);
    const double product = std::inner_product(x.begin(), x.end(), S_.begin(), 0.0);
    if (factors.is_definite()) return product - factors.log_det();
    return std::isnan(product) ? product : kInfinity;
  }
  void add_gradient_at(std::span<const double> x, const Batch&, double a, std::span<double> g) override {
    BlockCholesky& factors = definite(x);
    for (std::size_t k = 0; k < g.size(); ++k) g[k] += a * S_[k];
    factors.add_inverse(-a, g);
  }
  void add_hessian_product_at(std::span<const double> x, std::span<const double> d, const Batch&, double a,
                              std::span<double> g) override {
    const std::size_t n = p();
    std::vector<double> W(S_.size(), 0.0), D(S_.size()), DW(S_.size());
    definite(x).add_inverse(1.0, W);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) D[j * n + i] = 0.5 * d[j * n + i] + 0.5 * d[i * n + j];
    column_products(shape().rows, D, W, DW);
    column_products(shape().rows, W, DW, D);
    for (std::size_t k = 0; k < g.size(); ++k) g[k] += a * D[k];
  }
  bool has_hessian() const noexcept override { return true; }

  BlockCholesky& definite(std::span<const double> x) {
    BlockCholesky& factors = factors_.at(x);
    if (factors.is_definite()) return factors;
    throw Error(ErrorKind::numerical, "",
                "expected a positive definite matrix, found a point outside "
                "the domain, where there is no gradient",
                "take a shorter step, or an algorithm that searches along its steps");
  }

  std::optional<log_det::Source> source_;
  std::vector<double> S_;
  log_det::LastFactors factors_;
  sdk::DenseReader dual_reader_;
};

}  // namespace

CLAROS_PLUGIN(
    LogDet, Kind::objective, "log-det", "graphical", "1.0.0",
    "Gaussian likelihood of an inverse covariance matrix, -log det X + <S, X>",
    "f(X) = -log det X + <S, X> on positive definite X, S the covariance matrix of samples: twice "
    "the mean negative log-likelihood of N(0, X^{-1}), without its constant. With a penalty l1 and "
    "weights = off-diagonal it is the graphical lasso, whose zeros are pairs of variables that are "
    "independent given all others. X that fall into blocks cost as much as their blocks.",
    "Friedman, Hastie, Tibshirani: Sparse inverse covariance estimation with the graphical lasso, "
    "Biostatistics 9, 2008; Banerjee, El Ghaoui, d'Aspremont: Model selection through sparse maximum "
    "likelihood estimation for multivariate Gaussian or binary data, JMLR 9, 2008; Witten, Friedman, "
    "Simon: New insights and faster computations for the graphical lasso, JCGS 20, 2011",
    "Use it with l1 for graphical models: which variables are independent given all others. "
    "Every step factorises the blocks of X, and variables of very different variance take many "
    "steps: scale the columns first. 0.1*max is not known here, since f is infinite at 0. For "
    "the covariance itself take covariance.",
    "data.use=synthetic-regression data.rows=300 data.cols=30 "
    "data.correlation=0.4 data.nonzero=0 objective.use=log-det penalty.use=l1 "
    "penalty.lambda=0.15 penalty.weights=off-diagonal stop.relative_gap=1e-6")
