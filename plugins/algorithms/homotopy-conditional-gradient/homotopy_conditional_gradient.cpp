// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/losses/fold_fused.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <shared/algorithms/convex_penalty.hpp>
#include <shared/algorithms/finite_point.hpp>
#include <shared/algorithms/oracle_tolerance.hpp>
#include <shared/algorithms/point_form.hpp>
#include <shared/algorithms/recompression.hpp>

#include <cmath>

namespace {

using namespace claros;

enum class Chosen { automatic };

struct Options {
  NumberOr<Chosen> width = Chosen::automatic, offset = Chosen::automatic;
  double oracle_tolerance = 0.02;
  Index recompress = 0;
};

/// minimise f(x) + h(x) over x in C by Frank-Wolfe on f and the Moreau envelope of h, whose width falls.
/// With d_t an estimate of grad f(x_t), t from 0:
///     Width: beta_t = beta_0 / sqrt(t + l).
///     Gradient: v_t = d_t + (x_t - prox_{beta_t h}(x_t)) / beta_t.
///     Vertex: s_t = argmin_{s in C} <v_t, s>.
///     Step: x_{t+1} = x_t + l/(t + l) (s_t - x_t).
/// Cases:
/// - `full`, l = 2: HCGM (Yurtsever, Fercoq, Locatello, Cevher 2018, Algorithm 1);
/// - `momentum`, whose weight is 4/(t + 8)^(2/3), and l = 9: SHCGM (Locatello et al. 2019, Algorithm 1).
class HomotopyConditionalGradient final : public sdk::PointAlgorithm {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    const EnumWords<Chosen> own{{Chosen::automatic, "auto"}};
    static const ParameterTable<Options> table{
        row("width", &Options::width, number_or(above(0), own),
            "beta_0 of the envelope's width beta_0/sqrt(t + l), t from 0; auto: the set's diameter over the "
            "norm of the first gradient",
            "beta_0"),
        row("offset", &Options::offset, number_or(above(0), own),
            "l of the weight l/(t + l); auto: 2, along estimates 9", "l"),
        row("oracle_tolerance", &Options::oracle_tolerance, above_to(0, 1),
            "relative accuracy of the linear oracle in the run"),
        row("recompress", &Options::recompress, at_least(0),
            "number of low-rank columns at which the iterate is recompressed, or twice those that the last "
            "time left; 0: by itself, as frank-wolfe does")};
    return table;
  }

  HomotopyConditionalGradient(const Options& options, const Context&)
      : options_(options), tolerance_(options.oracle_tolerance), recompression_(options.recompress) {}

  std::vector<Need> needs() const override {
    return {need::set<LinearOracle>("every step minimises a linear function over the set")};
  }
  Takes takes() const override {
    return {.penalty = true,
            .set = true,
            .both = true,
            .subgradient = true,
            .reason = "the smoother is part of f"};
  }

  const Element& iterate() const override { return finite_.of(PointAlgorithm::iterate()); }
  const Element* penalty_subgradient() override { return &slope_; }

  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    v("width", width_);
    v("subgradient", slope_);
    v("form", form_);
    v("recompression", recompression_);
    v("oracle", tolerance_);
    v.require(width_ >= 0.0, "width", "negative");
    if (v.loading()) finite_.follow(x(), beta());
  }

 private:
  void begin() override {
    sdk::require_convex_penalty(problem(), "its envelope is smooth", "proximal-gradient");
    offset_ = options_.offset.number_or(problem().estimator->exact() ? 2.0 : 9.0);
    width_ = options_.width.number_or(0.0);
    slope_ = Element(x().shape());
    tolerance_.start();
    form_.start(problem());
    recompression_.start(problem(), x().shape());
    finite_.start(problem(), x().shape());
    finite_.follow(x(), beta());
  }

  double beta() const {
    return (width_ > 0.0 ? width_ : 1.0) / std::sqrt(static_cast<double>(t()) + offset_);
  }
  void find_width(const Element& g) {
    const double slope = norm(g), diameter = problem().linear_oracle->diameter(x().shape());
    width_ = slope > 0.0 && diameter > 0.0 ? diameter / slope : 1.0;
  }

  void move(const Element& g) override {
    LinearOracle& oracle = *problem().linear_oracle;
    if (width_ == 0.0) find_width(g);
    Element v(g);
    if (problem().penalty) {
      (void)problem().penalty->apply(x(), beta(), near_, Accuracy{});
      slope_.assign_sum(1.0 / beta(), x(), -1.0 / beta(), near_);  // of h at prox_{beta h}(x)
      v.add(1.0, slope_);                                          // v_t = d_t + (x_t - prox) / beta_t
      sdk::fold_fused(v);
    }
    form_.see(v);
    form_.settle(x());
    const double at_x = inner(v, x());
    const OracleInfo found = tolerance_.once(oracle, v, s_);
    const double gamma = offset_ / (static_cast<double>(t()) + offset_);
    x().blend(gamma, s_);  // x_{t+1} = x_t + gamma (s_t - x_t)
    form_.settle(x());
    report_step(gamma);
    (void)recompression_(x(), at_x - found.value, found.value);
    finite_.follow(x(), beta());
  }

  using PointAlgorithm::x;

  Options options_;
  sdk::OracleTolerance tolerance_;
  sdk::PointForm form_;
  sdk::Recompression recompression_;
  sdk::FinitePoint finite_{"algorithm/homotopy-conditional-gradient"};
  double offset_ = 2.0, width_ = 0.0;  ///< l; beta_0, 0 before the first step has found it
  Element near_, slope_, s_;
};

}  // namespace

CLAROS_PLUGIN(
    HomotopyConditionalGradient, Kind::algorithm, "homotopy-conditional-gradient", "shcgm", "1.0.0",
    "Homotopy conditional gradient: a penalty on a set, by proximal steps and linear minimisation",
    "x <- x + gamma (s - x), s = argmin over the set of <d + (x - prox of beta h at x)/beta, s>, d from "
    "any gradient estimator, gamma = l/(t + l) and beta = beta_0/sqrt(t + l): Frank-Wolfe on f plus a "
    "smoothed penalty h whose smoothing vanishes as the run goes. With the gradient estimator full it is "
    "HCGM, with momentum SHCGM.",
    "Locatello, Yurtsever, Fercoq, Cevher: Stochastic Frank-Wolfe for composite convex minimization, "
    "NeurIPS 2019, Algorithm 1 (SHCGM); Yurtsever, Fercoq, Locatello, Cevher: A conditional gradient "
    "framework for composite convex minimization, ICML 2018 (HCGM)",
    "Use it for a convex penalty on a set whose projection is expensive, such as a sparse matrix of "
    "small nuclear norm, also along noisy gradients of an expectation (estimator.use = momentum). "
    "Its error falls slowly, as 1/sqrt(t), along estimates as t^(-1/3). Where the set has a cheap "
    "projection take three-operator.",
    "data.use=synthetic-sparse-low-rank data.rows=30 objective.use=distance "
    "penalty.use=l1 penalty.lambda=2 set.use=nuclear-ball "
    "set.radius=400 algorithm.use=homotopy-conditional-gradient stop.relative_gap=0.1")
