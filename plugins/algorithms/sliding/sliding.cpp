// SPDX-License-Identifier: BSD-3-Clause
#include "schedule.hpp"

#include <claros/error.hpp>
#include <claros/parameters.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/estimators/whole_batch.hpp>
#include <claros/sdk/losses/fold_fused.hpp>
#include <shared/algorithms/point_form.hpp>
#include <shared/algorithms/recompression.hpp>
#include <shared/algorithms/subproblem.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace {

using namespace claros;

struct Options {
  ScheduleOptions schedule;
  double oracle_tolerance = 0.02;
  bool confirm_subproblem = true;
  Index recompress = 0;
};

/// Nesterov's acceleration with projections by Frank-Wolfe. Gradients are as few as those of an accelerated
/// projected method, and every projection is a few linear minimisations. For t = 1, 2, ...: x_0 = y_0 =
/// theta_{t-1}; for k = 1..N_t:
///   z_k = (1 - gamma_k) y_{k-1} + gamma_k x_{k-1},  g_k an estimate of grad f(z_k),
///   x_k = argmin over C of <g_k, u> + (beta_k/2) ||u - x_{k-1}||^2 up to a Frank-Wolfe gap of eta_{t,k},
///   y_k = (1 - gamma_k) y_{k-1} + gamma_k x_k;
/// theta_t = y_{N_t}. The convex form has one t without an end.
///
/// `full`: CGS (Lan, Zhou 2016, Algorithm 1; Li, Qu, Xu, LQX, Algorithm 1). `svrg`: STORC (Hazan, Luo 2016;
/// LQX, Algorithm 2), with the snapshot at y_0. `sg`: SCGS (Lan, Zhou 2016, section 3).
class Sliding final : public Algorithm, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("oracle_tolerance", &Options::oracle_tolerance, above_to(0, 1),
             "relative accuracy of the linear oracle at most; in a subproblem, as good as its gap asks for"),
         row("confirm_subproblem", &Options::confirm_subproblem,
             "yes: minimisations over a set without exact bounds are loose, and the last one of a subproblem "
             "is made again accurately; no: all are accurate, and none is made again, as the papers count"),
         row("recompress", &Options::recompress, at_least(0),
             "number of low-rank columns at which a point is recompressed, or twice those that the last time "
             "left; 0: by itself, as frank-wolfe does")},
        {include(&Options::schedule, schedule_rows())}};
    return table;
  }

  Sliding(const Options& options, const Context&)
      : schedule_(options.schedule),
        subproblem_(options.oracle_tolerance, options.confirm_subproblem),
        recompression_(options.recompress) {}

  std::vector<Need> needs() const override {
    return {need::set<LinearOracle>("its projections are made of minima of linear functions over the set")};
  }
  Takes takes() const override {
    return {.set = true,
            .reason =
                "the subproblem is solved over the set by linear minimisation, which cannot treat a penalty"};
  }

  void start(const Problem& problem, Element x0) override {
    problem_ = problem;
    y_ = inside(std::move(x0));
    schedule_.start(problem, y_);
    problem.context.note(schedule_.told());
    x_ = y_;
    z_ = g_ = Element(y_.shape());
    t_ = 1;
    k_ = 0;
    report_ = {};
    subproblem_.start(y_.shape());
    form_.start(problem);
    recompression_.start(problem, y_.shape());
  }

  void step() override {
    if (!subproblem_.is_open()) begin_step();
    if (subproblem_.solve(*problem_.linear_oracle, x_, form_))
      end_step();  // else it is long, and the next call goes on
  }

  const Element& iterate() const override { return y_; }
  StepReport report() const override { return report_; }

  void state(StateVisitor& v) override {
    v("x", x_);
    v("y", y_);
    v("t", t_);
    v("k", k_);
    v.require(t_ >= 1, "t", "below 1");
    v.require(k_ >= 0 && (!schedule_.restarts() || k_ <= schedule_.length()), "k",
              "no step of an outer iteration");
    v("subproblem", subproblem_);
    v.require(k_ > 0 || !subproblem_.is_open(), "k", "a subproblem before the first step");
    v("form", form_);
    v("recompression", recompression_);
    if (schedule_.searches()) met_state(v);
    v("weight", report_.weight);
    v("full gradient", report_.full_gradient);
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  void begin_step() {
    shorten();
    if (k_ == 0) x_ = y_;  // x_0 = y_0 = theta_{t-1}
    ++k_;
    const double gamma = schedule_.gamma(k_);
    if (gamma == 1.0)
      z_ = x_;
    else
      z_.assign_sum(1.0 - gamma, y_, gamma, x_);  // z_k = (1 - gamma_k) y_{k-1} + gamma_k x_{k-1}
    g_ = gradient();
    sdk::fold_fused(g_);
    form_.see(g_);
    for (Element* point : {&x_, &y_}) form_.settle(*point);
    subproblem_.begin(g_, schedule_.beta(k_), schedule_.eta(t_, k_), x_);
    if (!schedule_.searches()) g_.set_zero();  // the next estimate is to find its array to itself
  }

  void end_step() {
    const double gamma = report_.weight = schedule_.gamma(k_);
    if (schedule_.searches()) last_ = y_;
    if (gamma == 1.0)
      y_ = x_;
    else
      y_.blend(gamma, x_);  // y_k = (1 - gamma_k) y_{k-1} + gamma_k x_k
    form_.settle(y_);
    if (schedule_.searches() && contradicted()) return;
    if (!schedule_.restarts() || k_ < schedule_.length()) return;
    ++t_;  // theta_t = y_{N_t}
    k_ = 0;
  }

  /// The proof asks of L that f(y_k) <= f(z_k) + <grad f(z_k), y_k - z_k> + (L/2) ||y_k - z_k||^2. If f(y_k)
  /// is more, the step is taken back, and L becomes the curvature that was met, at least 2L. The sequence
  /// begins anew at y_{k-1}.
  bool contradicted() {
    constexpr double kRounding = 1e-12;
    Objective& f = *problem_.objective;
    Element by;
    by.assign_sum(1.0, y_, -1.0, z_);
    const double before = f.value(z_), after = f.value(y_), square = inner(by, by);
    const double above = after - before - inner(g_, by), L = schedule_.smoothness();
    if (above <= 0.5 * L * square + kRounding * (std::abs(before) + std::abs(after))) return false;
    if (!std::isfinite(above) || !(square > 0.0))
      return false;  // the run loop detects a value that is not finite
    schedule_.raise(std::max(2.0 * L, 2.0 * above / square));
    problem_.context.note("sliding: L is " + print_real(schedule_.smoothness()) +
                          " at least; the sequence begins anew");
    report_.weight = 0.0;
    y_ = last_;
    k_ = 0;
    return true;
  }
  void met_state(StateVisitor& v) {
    double L = schedule_.smoothness();
    v("L", L);
    v.require(L > 0.0 && std::isfinite(L), "L", "not positive");
    schedule_.raise(L);
    v("z", z_);
    v("gradient", g_);
  }

  /// grad f(z_k) or its estimate; the full gradient if the theory's batch takes all components.
  const Element& gradient() {
    GradientEstimator& estimator = *problem_.estimator;
    const Index n = problem_.objective->terms(), m = schedule_.batch(t_, k_);
    const bool whole = !estimator.exact() && n != kUnbounded && m >= n;
    report_.full_gradient = estimator.exact() || whole;
    if (whole) return sdk::whole_batch(problem_, z_, g_);
    if (estimator.epoch_due() || (schedule_.restarts() && k_ == 1))
      estimator.begin_epoch(k_ == 1 ? x_ : y_, {.length = schedule_.length()});  // grad f(y_0)
    return estimator.estimate(z_, m);
  }

  /// Costs f, and the subproblem's centre, a share of the last eta.
  void shorten() {
    (void)recompression_(x_, y_, subproblem_.eta(),
                         subproblem_.minimum(problem_.linear_oracle->diameter(x_.shape())));
  }

  Element inside(Element x0) const {
    auto* membership = query<Membership>(*problem_.set);
    const double violation = membership ? membership->violation(x0) : 0.0;
    if (!membership || violation <= allowed_violation(*membership)) return x0;
    if (!problem_.projection)
      throw Error(ErrorKind::usage, "start.from",
                  "the point to start from lies outside the set, by " + print_real(violation) +
                      " of its size, and the set has no projection",
                  "give a point inside, or start.from = auto");
    problem_.context.note("the point to start from lies outside the set, by " + print_real(violation) +
                          " of its size: its projection is taken");
    Element projected;
    (void)problem_.projection->apply(x0, 1.0, projected, {1e-10, 0});
    return projected;
  }

  Schedule schedule_;
  Subproblem subproblem_;
  sdk::PointForm form_;
  sdk::Recompression recompression_;
  Problem problem_;
  Element x_, y_;  ///< x_{k-1}, or the subproblem's point from it; y_{k-1}
  Element z_, g_, last_;
  Index t_ = 1, k_ = 0;
  StepReport report_;
};

}  // namespace

CLAROS_PLUGIN(
    Sliding, Kind::algorithm, "sliding", "cgs", "1.0.0",
    "Conditional gradient sliding (Lan, Zhou 2016): accelerated steps by linear minimisation",
    "y <- (1 - gamma) y + gamma x, x <- argmin over the set of <g, u> + (beta/2) ||u - x||^2 by "
    "Frank-Wolfe up to a gap of eta, g any "
    "estimate of the gradient between y and x. With the gradient estimator full it is conditional gradient "
    "sliding (CGS), with svrg STORC, with sg SCGS. As few "
    "gradients as an accelerated projected method makes, without a projection. A long subproblem "
    "takes several steps, between which the iterate rests.",
    "Lan, Zhou: Conditional gradient sliding for convex optimization, SIAM J. Optim. 2016; Hazan, "
    "Luo: Variance-reduced and projection-free "
    "stochastic optimization, ICML 2016; Li, Qu, Xu: Projection-free algorithms in statistical "
    "estimation, Algorithms 1 and 2",
    "Use it where a gradient costs much more than a linear minimisation and the set has no cheap "
    "projection. It makes as few gradients as an accelerated projected method, and its linear "
    "minimisations grow in number as those of frank-wolfe. Where a projection is cheap, as onto "
    "an l1 ball, proximal-gradient is faster.",
    "data.use=synthetic-regression data.rows=100 data.cols=100 "
    "data.nonzero=5 objective.use=linear-model objective.shape=10x10 "
    "set.use=birkhoff algorithm.use=sliding stop.relative_gap=1e-2")
