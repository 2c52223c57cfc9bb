// SPDX-License-Identifier: BSD-3-Clause
#include "lines.hpp"

#include <claros/abilities.hpp>
#include <claros/algorithm.hpp>
#include <claros/element/views.hpp>
#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <claros/plugin.hpp>
#include <claros/state/state.hpp>
#include <shared/entries_read.hpp>
#include <shared/sets/spectral_sum.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace {

using namespace claros;

struct Options {
  Index rank = 24;
  double ratio = 0.85;
};

/// minimise f(X) + lambda ||X||_* over X = U V' with few columns, by
///   F(U, V) = f(U V') + (lambda/2) (||U||_F^2 + ||V||_F^2).
/// Here f(X) = (1/n) sum_e (a_e/2) x_e^2 - b_e x_e + (mu/2) ||X||_F^2, e the observed entries. A step is
///   U <- argmin_U F(U, V),   V <- argmin_V F(U, V).
/// Both are ridge regressions, one a row or column. Their normal matrices are sum_e a_e v_e v_e' + n mu V'V +
/// n lambda I. Regressions are solved in float, those of more than 40 factors by conjugate gradients. Then U
/// and V are balanced: X = P S Q', U = P S^(1/2), V = Q S^(1/2).
///
/// From X = 0 the lambda of step t is max(lambda, ratio^t lambda_max) (continuation; Ma, Goldfarb, Chen
/// 2011). So columns grow one after the other, as singular values of a path do. V starts small and at random.
/// No column becomes shorter than a small length before lambda is reached.
class Alternating final : public Algorithm, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("rank", &Options::rank, at_least(1), "the most columns of U and V", "r"),
        row("ratio", &Options::ratio, between(0.1, 1),
            "of the lambdas of two steps, from max down to penalty.lambda, if the start is 0; 1: "
            "penalty.lambda in every step")};
    return table;
  }

  Alternating(const Options& options, const Context& context)
      : options_(options), stream_(context.stream(Purpose::output)) {}

  std::vector<Need> needs() const override {
    return {need::penalty<sdk::SpectralSum>("squared norms of the factors take its place"),
            need::exact_estimator("every step reads all entries")};
  }
  Takes takes() const override {
    return {.penalty = true, .reason = "a step is a ridge regression a row, with lambda as the ridge"};
  }

  void start(const Problem& problem, Element x0) override {
    problem_ = problem;
    stream_.seek(0);
    const Element slopes = read_entries();
    auto* sum = dynamic_cast<sdk::SpectralSum*>(problem.penalty);
    auto* largest = dynamic_cast<LambdaMax*>(problem.penalty);
    for (const Kept& kept : problem.kept)
      if (kept.name == "penalty" && kept.component) {
        sum = query<sdk::SpectralSum>(*kept.component);
        largest = query<LambdaMax>(*kept.component);
      }
    if (!sum || !largest || !std::isfinite(sum->spectral_sum().size)) refuse("another penalty");
    lambda_ = sum->spectral_sum().size;
    max_ = largest->lambda_max(slopes);
    const Shape shape = problem.objective->shape();
    rank_ = std::min({options_.rank, shape.rows, shape.cols});
    width_ = Lines::width(rank_);
    U_.assign(static_cast<std::size_t>(shape.rows) * width_, 0.0F);
    V_.assign(static_cast<std::size_t>(shape.cols) * width_, 0.0F);
    const double unit = std::sqrt(max_ / scale_ * static_cast<double>(problem.objective->terms()));
    least_ = kLeast * unit;
    const double each = kFirst * unit / std::sqrt(static_cast<double>(shape.cols));
    for (Index j = 0; j < shape.cols; ++j)
      for (Index k = 0; k < rank_; ++k) V_[place(j, k)] = static_cast<float>(each * stream_.normal());
    t_ = 0;
    from_ = x0.is_zero() && options_.ratio < 1.0 ? max_ : lambda_;
    x_ = std::move(x0);
    take_columns(0.0);
  }

  void step() override {
    const double n = static_cast<double>(problem_.objective->terms()),
                 lambda = std::max(lambda_, from_ * std::pow(options_.ratio, ++t_)),
                 ridge = n * lambda / scale_;
    by_rows_->solve(V_, common(V_, n * mu_, ridge), width_, U_);
    by_columns_->solve(U_, common(U_, n * mu_, ridge), width_, V_);
    x_ = product();
    take_columns(lambda > lambda_ ? least_ : 0.0);
  }

  const Element& iterate() const override { return x_; }
  StepReport report() const override {
    StepReport report;
    report.full_gradient = true;
    report.coordinate_steps = t_ > 0 ? static_cast<Index>((U_.size() + V_.size()) / width_) : 0;
    return report;
  }

  void state(StateVisitor& v) override {
    v("t", t_);
    v("from", from_);
    v("X", x_);
    v.require(t_ >= 0, "t", "negative");
    for (auto [name, factors] : {std::pair("U", &U_), std::pair("V", &V_)}) {
      std::vector<double> numbers(factors->begin(), factors->end());
      v(name, numbers);
      v.require(numbers.size() == factors->size(), name, "not a line of factors a row or column");
      std::ranges::transform(numbers, factors->begin(), [](double x) { return static_cast<float>(x); });
    }
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  static constexpr double kFar = 1e3, kAlike = 1e-9;
  static constexpr double kFirst = 0.03, kLeast = 0.003;  ///< lengths, of (n lambda_max)^(1/2)

  std::size_t place(Index line, Index k) const {
    return static_cast<std::size_t>(line) * width_ + static_cast<std::size_t>(k);
  }

  [[noreturn]] static void refuse(const std::string& found) {
    throw Error(ErrorKind::usage, "",
                "expected squares of entries of a matrix and the penalty nuclear, found " + found,
                "take objective.use = matrix-completion with loss = squared and without features, or "
                "algorithm.use = proximal-gradient");
  }

  Element gradient(const Element& x) const {
    Element G(x.shape());
    problem_.objective->add_gradient(x, Batch::all(), 1.0, G);
    return G;
  }

  /// n times the values of G at the entries.
  std::vector<double> at_entries(Element G, const Pattern& pattern, bool all) const {
    std::vector<double> values;
    if (all) {
      const std::vector<double> dense = G.to_dense();
      for (std::size_t e = 0; e < dense.size(); ++e)
        values.push_back(dense[at(pattern.col()[e] * pattern.rows() + pattern.row()[e])]);
    } else {
      values = sdk::values_at_entries(G);
    }
    for (double& value : values) value *= static_cast<double>(problem_.objective->terms());
    return values;
  }

  static std::shared_ptr<const Pattern> all_positions(const Shape& shape) {
    constexpr Index kMost = 1 << 24;
    if (shape.size() > kMost) refuse("no entries, and a matrix of more than 2^24");
    std::vector<std::int32_t> row, col;
    for (Index i = 0; i < shape.rows; ++i)
      for (Index j = 0; j < shape.cols; ++j) {
        row.push_back(static_cast<std::int32_t>(i));
        col.push_back(static_cast<std::int32_t>(j));
      }
    return std::make_shared<Pattern>(shape.rows, shape.cols, std::move(row), std::move(col));
  }

  /// Makes a and b of two gradients, and checks them by a third one at a far random matrix. Functions that
  /// are not sum_e (a_e/2) x_e^2 - b_e x_e have another gradient there. Returns grad f(0).
  Element read_entries() {
    Objective& f = *problem_.objective;
    const Shape shape = f.shape();
    if (shape.is_product() || f.terms() == kUnbounded) refuse("another variable or an expectation");
    std::shared_ptr<const Pattern> pattern = sdk::entries_read(f);
    const bool all = !pattern;
    if (all) pattern = all_positions(shape);
    const Element slopes = gradient(Element(shape)),
                  ones = Element::rank_one(1.0, std::vector<double>(at(shape.rows), 1.0),
                                           std::vector<double>(at(shape.cols), 1.0));
    std::vector<double> b = at_entries(slopes, *pattern, all);
    if (b.empty() || std::ssize(b) != pattern->entries()) refuse("gradients of other entries");
    double largest = 0.0, steepest = 0.0;
    for (const double slope : b) largest = std::max(largest, std::abs(slope));
    scale_ = largest > 0.0 ? largest : 1.0;
    Element some = ones;
    some.scale(scale_);
    std::vector<double> a = at_entries(gradient(some), *pattern, all);
    if (a.size() != b.size()) refuse("gradients of other entries");
    for (std::size_t e = 0; e < b.size(); ++e) {
      a[e] = (a[e] - b[e]) / scale_;
      b[e] = -b[e];
      steepest = std::max(steepest, a[e]);
    }
    if (!(std::ranges::min(a) >= 0.0 && steepest > 0.0)) refuse("another function");
    std::vector<double> u(at(shape.rows)), v(at(shape.cols));
    for (double& x : u) x = 0.5 + stream_.uniform();
    for (double& x : v) x = stream_.normal();
    const double far = kFar * scale_ * std::max(1.0, 1.0 / steepest);
    const std::vector<double> there = at_entries(gradient(Element::rank_one(far, u, v)), *pattern, all);
    if (there.size() != b.size()) refuse("gradients of other entries");
    for (std::size_t e = 0; e < b.size(); ++e) {
      const double moved = a[e] * far * u[at(pattern->row()[e])] * v[at(pattern->col()[e])];
      if (std::abs(there[e] - (moved - b[e])) > kAlike * (steepest * far + largest))
        refuse("another function");
    }
    for (double& value : b) value /= scale_;
    mu_ = 0.0;
    if (auto* terms = query<TermCoefficients>(f); terms && !all && terms->has_common_gradient()) {
      Element common(shape);
      terms->add_common_gradient(ones, 1.0, common);
      mu_ = inner(common, ones) / static_cast<double>(shape.size());
    }
    by_rows_ = Lines::rows(*pattern, a, b);
    by_columns_ = Lines::columns(*pattern, a, b);
    return slopes;
  }

  /// n mu F'F + ridge I.
  std::vector<float> common(const std::vector<float>& F, double mu, double ridge) const {
    std::vector<float> G(width_ * width_, 0.0F);
    for (std::size_t k = 0; k < width_; ++k) G[k * width_ + k] = static_cast<float>(ridge);
    if (mu == 0.0) return G;
    std::vector<double> sums(width_ * width_, 0.0);
    for (std::size_t i = 0; i < F.size(); i += width_)
      for (std::size_t k = 0; k < width_; ++k)
        for (std::size_t l = 0; l < width_; ++l)
          sums[k * width_ + l] += static_cast<double>(F[i + k]) * static_cast<double>(F[i + l]);
    for (std::size_t k = 0; k < G.size(); ++k) G[k] += static_cast<float>(mu * sums[k]);
    return G;
  }

  /// X.
  Element product() const {
    const auto columns = [&](const std::vector<float>& F) {
      const auto lines = static_cast<Index>(F.size() / width_);
      std::vector<double> values;
      values.reserve(at(lines * rank_));
      for (Index k = 0; k < rank_; ++k)
        for (Index i = 0; i < lines; ++i) values.push_back(static_cast<double>(F[place(i, k)]));
      return Buffer(std::move(values));
    };
    const Shape shape = problem_.objective->shape();
    return Element::low_rank(std::make_shared<FactorStore>(shape.rows, shape.cols, columns(U_), columns(V_)),
                             std::vector<double>(at(rank_), scale_));
  }

  /// The first columns of U and V become those of x, if it is of low rank. Those of V are as long as `least`
  /// or longer.
  void take_columns(double least) {
    const auto svd = factor_view(x_);
    if (!svd) return;
    const auto take = [&](std::vector<float>& F, Index lines, std::span<const double> of, double shortest) {
      for (Index k = 0; k < std::min(svd->rank(), rank_); ++k) {
        const double length = std::max(std::sqrt(svd->s[at(k)] / scale_), shortest);
        for (Index i = 0; i < lines; ++i) F[place(i, k)] = static_cast<float>(length * of[at(k * lines + i)]);
      }
    };
    take(U_, svd->rows, svd->U, 0.0);
    take(V_, svd->cols, svd->V, least);
  }

  Options options_;
  Problem problem_;
  std::optional<Lines> by_rows_, by_columns_;
  double lambda_ = 0.0, max_ = 0.0, from_ = 0.0, mu_ = 0.0;
  double scale_ = 1.0;  ///< max |b_e|: U V' is X over it, so that floats neither over- nor underflow
  double least_ = 0.0;  ///< length of a column of V on the way to lambda
  Index rank_ = 0, t_ = 0;
  std::size_t width_ = 0;
  RandomStream stream_;
  Element x_;
  std::vector<float> U_, V_;
};

}  // namespace

CLAROS_PLUGIN(
    Alternating, Kind::algorithm, "alternating", "als", "1.0.0",
    "Alternating least squares: ridge regressions on U and V in turn, X = U V'",
    "Replaces lambda ||X||_* by (lambda/2)(||U||^2 + ||V||^2), X = U V' with at most `rank` columns, and "
    "minimises over U and over V in turn, exactly: a ridge regression a row, then one a column, in float. "
    "The limit is a minimum of f + lambda ||X||_* if its rank is below the limit and the gap says so.",
    "Hu, Koren, Volinsky: Collaborative filtering for implicit feedback datasets, ICDM 2008; Hastie, "
    "Mazumder, Lee, Zadeh: Matrix completion and low-rank SVD via fast alternating least squares, JMLR 2015",
    "Use it for ratings and views if few factors and the least error on held-out entries are wanted, not the "
    "minimum: a step costs n r^2. Claros chooses it there. For the minimum take factored.",
    "data.use=synthetic objective.use=matrix-completion penalty.use=nuclear "
    "penalty.lambda=0.3*max algorithm.use=alternating algorithm.rank=40 stop.relative_gap=1e-4")
