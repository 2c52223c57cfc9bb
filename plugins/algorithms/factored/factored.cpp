// SPDX-License-Identifier: BSD-3-Clause
#include "factor_steps.hpp"

#include <claros/abilities.hpp>
#include <claros/convexity.hpp>
#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/algorithms/full_step.hpp>
#include <claros/sdk/proximal_step.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace claros;

struct Options {
  Index factor_steps = 20, convex_steps = 20, memory = 3, far_steps = 20, first_convex = 5;
  double cut = 0.0, far = 3e-3;
};

/// minimise f(X) over {||X||_* <= tau}, f(X) + lambda ||X||_*, or f(X) over {X psd, tr X <= tau, or = tau}.
/// Rounds of two kinds of steps:
/// - convex steps, FISTA on X: their proximal steps or projections set the rank, since singular values enter
///   above a threshold and leave below it, and they leave every saddle point of F;
/// - factor steps, L-BFGS on F(w) of FactorFunction, X = U V' of the rank that the convex steps have found,
///   begun at the balanced factors sqrt(s_k) u_k, sqrt(s_k) v_k of the singular value decomposition of X.
/// After each round of either kind over a set one linear minimisation gives the Frank-Wolfe gap at X, which
/// is known to the run loop and confirmed there; with a penalty the run loop measures the duality gap.
/// Nothing else ends a run: a stationary point of F is a solution only where the gap says so.
class Factored final : public Algorithm, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("factor_steps", &Options::factor_steps, at_least(1), "steps of L-BFGS on the factors in a round"),
        row("convex_steps", &Options::convex_steps, at_least(1),
            "proximal gradient steps with momentum in a round, which set the rank"),
        row("far_steps", &Options::far_steps, at_least(1), "x"),
        row("far", &Options::far, at_least(0), "x"),
        row("first_convex", &Options::first_convex, at_least(1), "x"),
        row("cut", &Options::cut, at_least(0), "x"),
        row("memory", &Options::memory, at_least(1), "pairs of vectors that L-BFGS keeps", "m")};
    return table;
  }

  Factored(const Options& options, const Context& context)
      : options_(options), factors_(options.memory, context.stream(Purpose::output)) {}

  std::vector<Need> needs() const override {
    return {need::set_if_any<sdk::SpectralSum>("the bound is replaced by one on the norms of factors"),
            need::set_if_any<ProximalOracle>("the convex steps project onto it"),
            need::exact_estimator("L-BFGS compares gradients of different points")};
  }
  Takes takes() const override {
    return {.penalty = true,
            .set = true,
            .reason = "the norms of the factors replace one sum of singular values"};
  }

  void start(const Problem& problem, Element x0) override {
    problem_ = problem;
    form_ = form_of(problem);
    require_matrix();
    convex_f_ = claros::is_convex(*problem.objective);
    proximal_.start(problem, {.sequence = true});
    factors_.start(problem, form_);
    const sdk::FirstLength first = sdk::first_length(*problem.objective);
    s_ = first.length;
    x_ = std::move(x0);
    begin_convex(first.guess, false);
    tolerance_ = kLoose;
    report_ = {};
    report_.full_gradient = true;
  }

  void step() override {
    if (in_factors_)
      factor_step();
    else
      convex_step();
  }

  const Element& iterate() const override { return x_; }
  StepReport report() const override { return report_; }

  void state(StateVisitor& v) override {
    v("x", x_);
    v("in factors", in_factors_);
    v("count", count_);
    v.require(count_ >= 0, "count", "negative");
    v("convex length", s_);
    v("tolerance", tolerance_);
    v.require(tolerance_ > 0.0 && tolerance_ <= kLoose, "tolerance", "not that of an oracle");
    v("weight", report_.weight);
    v("gap", report_.gap);
    v("convex", convex_);
    v("factors", factors_);
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  static constexpr double kLoose = 0.02, kTightest = 1e-10;
  static constexpr int kSweeps = 3;

  /// Of the set, else of the penalty.
  static sdk::SpectralSum::Form form_of(const Problem& problem) {
    auto* sum = problem.set ? query<sdk::SpectralSum>(*problem.set) : nullptr;
    if (problem.penalty)
      for (const Kept& kept : problem.kept)
        if (kept.name == "penalty" && kept.component) sum = query<sdk::SpectralSum>(*kept.component);
    const sdk::SpectralSum::Form form = sum ? sum->spectral_sum() : sdk::SpectralSum::Form{};
    if (form.size > 0.0 && std::isfinite(form.size)) return form;
    throw Error(
        ErrorKind::usage, "",
        "expected a sum of singular values as a set or a penalty, which factors have a norm for, found "
        "none",
        "take the set nuclear-ball, spectrahedron or psd-trace, or the penalty nuclear with lambda > "
        "0 and without rho; or algorithm.use = proximal-gradient");
  }

  void require_matrix() const {
    const Shape shape = problem_.objective->shape();
    auto* tail = query<FreeTail>(*problem_.objective);
    if (!shape.is_product() && !(tail && tail->constrained_shape() != shape)) return;
    throw Error(ErrorKind::usage, "",
                "expected one matrix as the variable, found " + shape.text() +
                    (tail ? ", of which the last entries are free" : ""),
                "leave out the intercept, or take algorithm.use = proximal-gradient");
  }

  /// The basis of the proximal step is that of its last answer, and factor steps have gone on from there: it
  /// is given the columns of X, and the next step looks for as many values.
  void warm_basis() {
    rank_ = x_.columns();
    if (rank_ == 0) return;
    const Accuracy accuracy{.rank = rank_, .sequence = true};
    Element v(x_), same;
    v.drop_images();
    (void)(problem_.penalty ? problem_.penalty : problem_.projection)->apply(v, 0.0, same, accuracy);
    warm_.start(problem_, accuracy);
  }

  void begin_convex(bool guess, bool found) {
    in_factors_ = false, count_ = 0;
    sdk::FullStep::Value falling;
    if (!convex_f_)
      falling = [f = problem_.objective, h = problem_.penalty](const Element& x) {
        return f->value(x) + (h ? h->value(x) : 0.0);
      };
    convex_.start(*problem_.objective, x_, true, s_, guess, falling, found);
  }

  /// X <- prox_{s h}(Y - s grad f(Y)), with momentum.
  void convex_step() {
    const auto gradient = [this](const Element& at) -> const Element& {
      return problem_.estimator->estimate(at);
    };
    const auto proximal = [this](const Element& at, const Element& g, double s, Element& to) {
      (count_ == 0 && rank_ > 0 ? warm_ : proximal_)(at, g, s, to);
    };
    const double took = convex_.step(std::nullopt, gradient, proximal);
    report_.weight = took;
    s_ = options_.cut == 0.0   ? took
         : options_.cut == 1.0 ? (count_ == 0 ? took : std::min(s_, took))
                               : options_.cut;
    x_ = convex_.point();
    if (++count_ < (first_ ? options_.first_convex : options_.convex_steps)) return;
    first_ = false;
    const Element& G = problem_.estimator->estimate(x_);
    note_gap(G);
    in_factors_ = factors_.begin(x_, G, 1.0 / s_, excess_ > options_.far);
    if (in_factors_)
      count_ = 0;
    else
      begin_convex(false, true);
  }

  /// (U, V) <- (U, V) - t H grad F(U, V).
  void factor_step() {
    const bool fell = factors_.step();
    report_.weight = factors_.length();
    x_ = factors_.point();
    if (fell && ++count_ < (excess_ > options_.far ? options_.far_steps : options_.factor_steps)) return;
    const Element G = factors_.gradient();
    note_gap(G);
    in_factors_ = excess_ > options_.far && factors_.begin(Element(x_), G, 1.0 / s_, true);
    if (in_factors_)
      count_ = 0;
    else
      warm_basis(), begin_convex(false, true);
  }

  /// max over the set of <G, X - V>, from the oracle's warm start: an estimate, as tight as the gap is small.
  void note_gap(const Element& G) {
    constexpr double kShare = 0.1;
    if (!problem_.linear_oracle) return;
    const double here = inner(G, x_);
    Element vertex;
    for (;;) {
      const OracleInfo info = problem_.linear_oracle->minimize(G, {tolerance_, false}, vertex);
      report_.gap = here - info.lower_bound;
      excess_ = report_.gap / std::abs(info.lower_bound);
      const double wanted = kShare * report_.gap / std::abs(info.lower_bound);
      if (!(wanted < tolerance_) || tolerance_ <= kTightest) return;
      tolerance_ = std::max(kTightest, 0.5 * wanted);
    }
  }

  Options options_;
  Problem problem_;
  sdk::SpectralSum::Form form_;
  sdk::ProximalStep proximal_, warm_;
  Index rank_ = 0;
  sdk::FullStep convex_;
  FactorSteps factors_;
  Element x_;
  StepReport report_;
  Index count_ = 0;  ///< steps of this round
  double excess_ = 1.0;
  bool first_ = true;
  bool in_factors_ = false, convex_f_ = false;
  double s_ = 1.0;             ///< length of the last convex step
  double tolerance_ = kLoose;  ///< of the linear oracle
};

}  // namespace

CLAROS_PLUGIN(
    Factored, Kind::algorithm, "factored", "burer-monteiro", "1.0.0",
    "Factored matrices: L-BFGS on U, V with X = U V', certified by the gap of the convex problem",
    "Replaces the nuclear ball by ||U||^2 + ||V||^2 <= 2 tau, the penalty lambda ||X||_* by "
    "(lambda/2)(||U||^2 + ||V||^2), and positive semidefinite matrices of bounded trace by X = U U'. "
    "Rounds of L-BFGS on the factors alternate with rounds of proximal gradient steps on X, which set "
    "the rank and leave saddle points. No array of the size of X is made where gradients need none.",
    "Burer, Monteiro: A nonlinear programming algorithm for solving semidefinite programs via "
    "low-rank factorization, Math. Program. 2003; Journee, Bach, Absil, Sepulchre: Low-rank "
    "optimization on the cone of positive semidefinite matrices, SIAM J. Optim. 2010; Lee, Liang, "
    "Tang, Toh: Accelerating nuclear-norm regularized low-rank matrix optimization through "
    "Burer-Monteiro decomposition, 2022")
