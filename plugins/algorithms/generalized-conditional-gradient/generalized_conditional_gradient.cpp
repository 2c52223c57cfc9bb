// SPDX-License-Identifier: BSD-3-Clause
#include "theory.hpp"

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/estimators/whole_batch.hpp>
#include <claros/sdk/proximal_step.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/point_form.hpp>
#include <shared/algorithms/recompression.hpp>
#include <shared/algorithms/spectral_rank.hpp>

#include <algorithm>
#include <cmath>

namespace {

using namespace claros;

struct Options {
  TheoryOptions theory;
  sdk::SpectralRank spectral{0, sdk::Uncertified::proceed};
  Index recompress = 0;
};

/// minimise f(X) + R(X) + h(X), R a smoother, h a penalty or the indicator of a set:
///   V_t = argmin_V h(V)/(beta eta_t) + ||V - X_t + (g_t + grad R(X_t))/(2 beta eta_t)||^2,
///   X_{t+1} = (1 - eta_t) X_t + eta_t V_t,
/// g_t an estimate of grad f(X_t). V_t is the proximal step of length 1/(2 beta eta_t), or 1/(beta eta_t)
/// along full gradients (Theory). If h has a weak convexity 0 < mu < inf, the convex h + (mu/2)||.||^2 takes
/// its place, and g_t - mu X_t that of g_t.
///
/// The weak proximal oracle: with `rank` = r the step shrinks only the r leading values (the projection of
/// the rank-r truncation). It is as good as X* if r >= rank(X*). SpectralShrinkage at a limited rank makes
/// it; its certificate says if the truncation was exact.
///
/// `svrg`: SVRGCG (Garber, Kaplan 2019, Algorithms 1 and 2). `full`: generalized conditional gradient, and
/// with `rank` over a nuclear ball the block Frank-Wolfe method of Allen-Zhu, Hazan, Hu, Li (NIPS 2017,
/// Algorithm 1).
class GeneralizedConditionalGradient final : public Algorithm, public State, public StepBudget {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("recompress", &Options::recompress, at_least(0),
             "number of low-rank columns at which the iterate is recompressed, or twice those that the last "
             "time left; 0: by itself, as frank-wolfe does")},
        {include(&Options::theory, theory_rows()), include(&Options::spectral, sdk::spectral_rank_rows())}};
    return table;
  }

  GeneralizedConditionalGradient(const Options& options, const Context&)
      : theory_(options.theory), spectral_(options.spectral), recompression_(options.recompress) {}

  std::vector<Need> needs() const override {
    return {need::set_if_any<ProximalOracle>(
        "every V_t is a projection onto it, where algorithm.use = frank-wolfe makes do with a linear "
        "oracle")};
  }
  Takes takes() const override {
    return {.penalty = true,
            .set = true,
            .smoother = true,
            .reason =
                "a proximal step with a penalty and a set at once has no closed form in general; l1 goes "
                "with a set as the smoother huber-l1 (smoother.use = huber-l1)"};
  }

  void start(const Problem& problem, Element x0) override {
    problem_ = problem;
    spectral_.require_possible(*problem.objective);
    const Accuracy accuracy = spectral_.accuracy(problem.estimator->exact());
    proximal_.start(problem, accuracy);
    X_ = inside(std::move(x0), accuracy);
    theory_.start(problem, X_, proximal_.weak_convexity());
    problem.context.note(theory_.told());
    V_ = g_ = Element(X_.shape());
    t_ = s_ = 0;
    recompression_.start(problem, X_.shape());
    form_.start(problem);
    report_ = {};
  }

  void step() override {
    const double eta = report_.weight = theory_.eta(t_++);
    const Element& g = gradient();
    form_.see(g);
    const double s = theory_.proximal_length(eta);
    proximal_(X_, g, s, V_);  // V_t
    if (proximal_.has_expanded()) form_.take_array();
    const double tail =
        !form_.is_array() && recompression_.is_due(X_.columns() + V_.columns()) ? cheap_tail(g, eta, s) : 0.0;
    if (eta == 1.0)
      X_ = V_;
    else
      X_.blend(eta, V_);  // X_{t+1} = (1 - eta_t) X_t + eta_t V_t
    settle(tail);
  }

  const Element& iterate() const override { return X_; }
  StepReport report() const override { return report_; }

  void state(StateVisitor& v) override {
    v("X", X_);
    v("t", t_);
    v("s", s_);
    v("form", form_);
    v.require(t_ >= 0 && s_ >= 0, "t", "negative");
    v("recompression", recompression_);
    v("weight", report_.weight);
    v("full gradient", report_.full_gradient);
  }
  void* ability(std::string_view id) noexcept override { return offer<State, StepBudget>(this, id); }
  Index step_budget() const override { return theory_.steps(); }
  bool plans_snapshots() const override { return theory_.snapshot(1) > 0; }

 private:
  /// grad f(X_t) or its estimate; the full gradient if the theory's batch takes all components.
  const Element& gradient() {
    GradientEstimator& estimator = *problem_.estimator;
    const Index n = problem_.objective->terms(), k = theory_.batch();
    const bool whole = n != kUnbounded && k >= n;
    report_.full_gradient = estimator.exact() || whole;
    if (whole) return sdk::whole_batch(problem_, X_, g_);
    if (estimator.epoch_due())
      estimator.begin_epoch(
          X_,
          {.snapshot = theory_.snapshot(++s_), .batch = k, .length = theory_.length()});  // X_s = X_{s-1,T}
    return estimator.estimate(X_);
  }

  /// The tail, in nuclear norm, that costs f at most a share of eta q, q = h(X) - h(V) - <g, V - X> - ||V -
  /// X||^2/(2s). V_t is as good as X*, so q is f(X) - f* or more.
  double cheap_tail(const Element& g, double eta, double s) const {
    double q = -inner_difference(g, V_, X_) - inner_differences(V_, X_, V_, X_) / (2.0 * s);
    if (problem_.penalty) q += problem_.penalty->value(X_) - problem_.penalty->value(V_);
    const double slope = norm(g);
    return q > 0.0 && slope > 0.0 ? sdk::Recompression::kShare * eta * q / slope : 0.0;
  }

  /// Every V_t brings columns. X is an array if gradients are (PointForm), or if its factors would hold as
  /// many numbers.
  void settle(double tail) {
    const Shape& shape = X_.shape();
    if (shape.is_product()) return;
    if (!form_.is_array() && recompression_.within(X_, tail) &&
        2 * X_.columns() >= std::min(shape.rows, shape.cols))
      form_.take_array();
    form_.settle(X_);
  }

  /// X_1 in dom h.
  Element inside(Element x0, const Accuracy& accuracy) const {
    ProximalOracle* h = problem_.penalty ? problem_.penalty : problem_.projection;
    if (!h || std::isfinite(h->value(x0))) return x0;
    problem_.context.note(
        "the point to start from lies outside the domain of what is minimised: its projection is taken");
    Element projected;
    (void)apply_convexified(*h, x0, 1.0, projected, accuracy);
    return projected;
  }

  Theory theory_;
  sdk::SpectralRank spectral_;
  sdk::PointForm form_;
  sdk::Recompression recompression_;
  sdk::ProximalStep proximal_;
  Problem problem_;
  Element X_, V_, g_;
  Index t_ = 0, s_ = 0;
  StepReport report_;
};

}  // namespace

CLAROS_PLUGIN(
    GeneralizedConditionalGradient, Kind::algorithm, "generalized-conditional-gradient", "gcg", "1.0.0",
    "Generalized conditional gradient: convex combinations with proximal steps of low rank",
    "X <- (1 - eta) X + eta V, V the proximal step of length 1/(2 beta eta) at X along an estimate "
    "of the gradient, of 1/(beta eta) along the full one. For a matrix, with rank = r, V is "
    "made of r singular values alone, which is enough where the solution has no higher rank (the "
    "weak proximal oracle; trace.certificate = yes says where it was the exact one). With "
    "the gradient estimator svrg and batch, length = theory it is SVRGCG, with full generalized conditional "
    "gradient and, with a rank, the block Frank-Wolfe method. A smoother is taken apart "
    "from f: its gradient is exact in every step, and batches are chosen by f alone.",
    "Garber, Kaplan: Fast stochastic algorithms for low-rank and nonsmooth matrix problems, "
    "AISTATS 2019, Algorithms 1 and 2; Allen-Zhu, Hazan, Hu, Li: Linear convergence of a "
    "Frank-Wolfe type algorithm over trace-norm balls, NIPS 2017; Garber, Sabach, Kaplan: Fast "
    "generalized conditional gradient method, 2018",
    "Use it for matrices with a nuclear ball or penalty, where f plus smoother is strongly convex "
    "and a bound of the solution's rank is known. Give the bound as algorithm.rank: with a rank "
    "below that of the solution the run need not converge. Where no such bound is known, or f is "
    "not strongly convex, take proximal-gradient.",
    "data.use=synthetic-sparse-low-rank data.rows=100 objective.use=distance "
    "smoother.use=huber-l1 smoother.lambda=1 smoother.mu=1 set.use=nuclear-ball set.radius=500 "
    "algorithm.use=generalized-conditional-gradient algorithm.rank=1 stop.relative_gap=1e-3")
