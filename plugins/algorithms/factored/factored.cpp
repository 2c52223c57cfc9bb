// SPDX-License-Identifier: BSD-3-Clause
#include "factor_steps.hpp"

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/proximal_step.hpp>
#include <shared/algorithms/full_step.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace {

using namespace claros;

struct Options {
  Index factor_steps = 20, convex_steps = 20, memory = 3;
};

/// minimise f(X) over {||X||_* <= tau}, f(X) + lambda ||X||_*, or f(X) over {X psd, tr X <= tau}, or = tau.
/// Rounds of two kinds of steps:
/// - convex steps, FISTA on X (Beck, Teboulle 2009): their proximal steps or projections set the rank, since
/// singular values enter above a threshold and leave below it. No saddle point of F stops them.
/// - factor steps, L-BFGS on F(w) of FactorFunction, X = U V', from the balanced factors sqrt(s_k) u_k and
/// sqrt(s_k) v_k. Far from a solution the rank grows before a round by the leading singular pairs of G = grad
/// f(X) above the multiplier. In these directions a proximal step would leave F's manifold.
///
/// Over a set each round ends with one linear minimisation, whose gap `report` gives until the next one. The
/// run loop confirms it on the full data at the point that it returns; with a penalty it measures the duality
/// gap. Nothing else ends a run: a stationary point of F is a solution only if the gap says so. (Convex steps
/// after local ones: Lee, Liang, Tang, Toh 2022.)
class Factored final : public Algorithm, public State {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("factor_steps", &Options::factor_steps, at_least(1), "steps of L-BFGS on the factors in a round"),
        row("convex_steps", &Options::convex_steps, at_least(1),
            "proximal gradient steps with momentum in a round, which set the rank"),
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
    const sdk::FirstLength first = sdk::first_length(*problem.objective);
    factors_.start(problem, form_);  // after f was asked: the error of one without data names f
    s_ = first.length;
    x_ = std::move(x0);
    rank_ = rounds_ = 0;
    far_ = first_ = fell_ = true;
    ended_ = stuck_ = false;
    from_ = 0.0;
    begin_convex(first.guess, false);
    tolerance_ = kLoose;
    report_ = {};
    report_.full_gradient = true;
  }

  void step() override {
    report_.gap = problem_.linear_oracle ? kLater : std::numeric_limits<double>::quiet_NaN();
    if (ended_ && end_round()) return;
    in_factors_ ? factor_step() : convex_step();
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
    v("rank", rank_);
    v.require(rank_ >= 0 && rank_ <= shorter_side(), "rank", "not that of a matrix of this shape");
    v("rounds", rounds_);
    v("far", far_);
    v("first", first_);
    v("ended", ended_);
    v("fell", fell_);
    v("stuck", stuck_);
    v("from", from_);
    if (v.loading()) start_warm();
    v("weight", report_.weight);
    v("gap", report_.gap);
    v("convex", convex_);
    v("factors", factors_);
  }
  void* ability(std::string_view id) noexcept override { return offer<State>(this, id); }

 private:
  static constexpr double kLoose = 0.02, kTightest = 1e-10;
  static constexpr double kLater = std::numeric_limits<double>::infinity();
  /// Gap over the minimum of the linear model, or excess of the largest singular value of G over lambda,
  /// above which a solution is far.
  static constexpr double kFar = 3e-3;
  static constexpr Index kFirst = 5;   ///< convex steps of the first round
  static constexpr Index kInARow = 4;  ///< rounds of factor steps

  /// The form of the set, or else of the penalty.
  static sdk::SpectralSum::Form form_of(const Problem& problem) {
    auto* sum = problem.set ? query<sdk::SpectralSum>(*problem.set) : nullptr;
    if (problem.penalty)
      for (const Kept& kept : problem.kept)
        if (kept.name == "penalty" && kept.component) sum = query<sdk::SpectralSum>(*kept.component);
    const sdk::SpectralSum::Form form = sum ? sum->spectral_sum() : sdk::SpectralSum::Form{};
    if (form.size > 0.0 && std::isfinite(form.size)) return form;
    throw Error(
        ErrorKind::usage, "",
        "expected a sum of singular values as a set or a penalty, which factors have a norm for, found none",
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

  Index shorter_side() const {
    const Shape& shape = x_.shape();
    return std::min(shape.rows, shape.cols);
  }

  /// Factor steps have moved on from the basis of the last proximal step. So the basis becomes the columns of
  /// X, and the next step computes as many values.
  void warm_basis() {
    rank_ = std::min(x_.columns(), shorter_side());
    start_warm();
    if (rank_ == 0) return;
    Element v(x_), same;
    v.drop_images();
    (void)(problem_.penalty ? problem_.penalty : problem_.projection)->apply(v, 0.0, same, warm_accuracy());
  }
  Accuracy warm_accuracy() const { return {.rank = rank_, .sequence = true}; }
  void start_warm() { warm_.start(problem_, warm_accuracy()); }

  void begin_convex(bool guess, bool found) {
    in_factors_ = false;
    count_ = 0;
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
    report_.weight = s_ = convex_.step(std::nullopt, gradient, proximal);
    x_ = convex_.point();
    ended_ = ++count_ == (first_ ? kFirst : options_.convex_steps);
  }

  /// (U, V) <- (U, V) - t H grad F(U, V).
  void factor_step() {
    fell_ = factors_.step();
    report_.weight = factors_.length();
    x_ = factors_.point();
    ended_ = !fell_ || ++count_ >= steps_of_round();
  }

  /// Steps to the minimum of a rank that is too low are lost. Over a set the gap asks for more of them.
  Index steps_of_round() const {
    constexpr Index kShorter = 5;
    const bool brief = !problem_.linear_oracle && factors_.lacks_columns();
    return brief ? std::max<Index>(1, options_.factor_steps / kShorter) : options_.factor_steps;
  }

  /// Measures the gap at the end of a round and begins the next one. Returns false if there is no gap.
  bool end_round() {
    const Element G = in_factors_ ? factors_.gradient() : problem_.estimator->estimate(x_);
    note_gap(G);
    if (in_factors_) stuck_ = is_stuck();
    const auto growth = far_ || first_ ? FactorSteps::Growth::far
                        : stuck_       ? FactorSteps::Growth::stuck
                                       : FactorSteps::Growth::none;
    rounds_ = in_factors_ ? rounds_ + 1 : 0;
    const bool more = rounds_ < kInARow || (!problem_.linear_oracle && factors_.lacks_columns());
    bool of_factors = !in_factors_ || ((far_ || first_) && fell_ && more);
    of_factors = of_factors && factors_.begin(x_, G, vertex_, 1.0 / s_, growth);
    if (in_factors_ && !problem_.linear_oracle && of_factors) of_factors = factors_.excess() > kFar;
    ended_ = first_ = false;
    begin_round(of_factors);
    return problem_.linear_oracle != nullptr;
  }

  /// True if the factors are at a stationary point that is not the minimum: F has fallen by little compared
  /// with the gap.
  bool is_stuck() const {
    constexpr double kLittle = 0.01, kRounding = 1e-12;
    const double left = problem_.linear_oracle ? report_.gap : std::abs(factors_.value());
    return !fell_ || from_ - factors_.value() <= (problem_.linear_oracle ? kLittle : kRounding) * left;
  }

  void begin_round(bool of_factors) {
    in_factors_ = of_factors;
    count_ = 0;
    from_ = factors_.value();
    if (of_factors) return;
    warm_basis();
    begin_convex(false, true);
  }

  /// max over the set of <G, X - V>, from the oracle's warm start: an estimate, as tight as the gap is small.
  void note_gap(const Element& G) {
    constexpr double kShare = 0.1;
    if (!problem_.linear_oracle) return;
    const double here = inner(G, x_);
    for (;;) {
      const OracleInfo info = problem_.linear_oracle->minimize(G, {tolerance_, false}, vertex_);
      report_.gap = here - info.lower_bound;
      const double of_minimum = report_.gap / std::abs(info.lower_bound), wanted = kShare * of_minimum;
      far_ = of_minimum > kFar;
      if (!(wanted < tolerance_) || tolerance_ <= kTightest) return;
      tolerance_ = std::max(kTightest, 0.5 * wanted);
    }
  }

  Options options_;
  Problem problem_;
  sdk::SpectralSum::Form form_;
  sdk::ProximalStep proximal_, warm_;  ///< warm_: the first step after factor steps
  sdk::FullStep convex_;
  FactorSteps factors_;
  Element x_, vertex_;  ///< the oracle's last answer
  StepReport report_;
  Index count_ = 0, rounds_ = 0;  ///< steps of this round; rounds of factor steps in a row
  Index rank_ = 0;                ///< of X when the factor steps ended
  bool in_factors_ = false, first_ = true, far_ = true, convex_f_ = false;
  bool ended_ = false, fell_ = true;  ///< the round; F in the last factor step
  bool stuck_ = false;                ///< the last round of factor steps, above the minimum
  double from_ = 0.0;                 ///< F where this round began
  double s_ = 1.0;                    ///< length of the last convex step
  double tolerance_ = kLoose;         ///< of the linear oracle
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
    "Burer-Monteiro decomposition, 2022",
    "Use it for matrices of low rank and a smooth loss, with nuclear-ball, psd-trace, spectrahedron or the "
    "penalty nuclear. Claros chooses it for a convex loss of observed entries: over these sets, and with the "
    "penalty where the matrix is too large for a full decomposition. It needs full "
    "gradients and more memory than proximal-gradient, which is ahead where a solution takes few steps or "
    "has no low rank. If f is not convex, a run ends near a stationary point.",
    "data.use=synthetic objective.use=matrix-completion set.use=nuclear-ball "
    "set.radius=50 algorithm.use=factored stop.relative_gap=1e-6")
