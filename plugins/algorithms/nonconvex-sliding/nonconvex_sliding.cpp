// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/estimators/epoch_numbers.hpp>
#include <claros/sdk/losses/fold_fused.hpp>
#include <shared/algorithms/known_constants.hpp>
#include <shared/algorithms/point_form.hpp>
#include <shared/algorithms/recompression.hpp>
#include <shared/algorithms/subproblem.hpp>

#include <cmath>
#include <string>

namespace {

using namespace claros;

enum class Form { automatic, accelerated, plain };
enum class Batches { own, theory };

struct Options {
  Form form = Form::automatic;
  Batches batch = Batches::own;
  Index horizon = 0;
  double eta = 0.0, smoothness = 0.0, oracle_tolerance = 0.02;
  Index recompress = 0;
};

/// Steps for f that need not be convex, with g_k from the estimator. The point condg(g, u, gamma, eta) of C
/// is near the minimum of <g, .> + ||. - u||^2/(2 gamma). Its Frank-Wolfe gap there is at most eta.
///
/// Plain: NCGS-VR along `svrg`, with |S| = n^(2/3) and epochs of n^(1/3).
///     Step: y_k = condg(g_k, y_{k-1}, 1/(3L), eta), g_k at y_{k-1}.
/// Accelerated: NCGS with the full gradient.
///     Between: z_k = (1 - alpha_k) y_{k-1} + alpha_k x_{k-1}, alpha_k = 2/(k + 1).
///     Step of x: x_k = condg(g_k, x_{k-1}, k/(4L), eta), g_k at z_k.
///     Step of y: y_k = condg(g_k, z_k, 1/(2L), eta).
/// The gap eta is 1/N of N steps. (Qu, Li, Xu 2018. The lengths of the accelerated form are those of Ghadimi,
/// Lan 2016, Corollary 2.)
class NonconvexSliding final : public Algorithm, public State, public StepBudget {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        row("form", &Options::form,
            one_of<Form>(
                {{Form::automatic, "auto"}, {Form::accelerated, "accelerated"}, {Form::plain, "plain"}}),
            "accelerated: two sequences (NCGS); plain: one, with steps of 1/(3L) (NCGS-VR); auto: "
            "accelerated along full gradients, else plain"),
        row("batch", &Options::batch, one_of<Batches>({{Batches::own, "own"}, {Batches::theory, "theory"}}),
            "own: the gradient estimator's; theory: |S| = n^(2/3) in epochs of n^(1/3) steps", "b"),
        row("horizon", &Options::horizon, at_least(0),
            "the number of steps, after which the run ends; subproblems then end at a gap of 1/N, which has "
            "the unit of f; 0: none, and subproblem k ends at L D^2/(k(k+1))",
            "N"),
        row("eta", &Options::eta, at_least(0),
            "Frank-Wolfe gap at which a subproblem ends; 0: as horizon says", "eta"),
        row("smoothness", &Options::smoothness, at_least(0), "L of f; 0: the objective's own", "L"),
        row("oracle_tolerance", &Options::oracle_tolerance, above_to(0, 1),
            "relative accuracy of the linear oracle at most; in a subproblem, as good as its gap asks for"),
        row("recompress", &Options::recompress, at_least(0),
            "number of low-rank columns at which a point is recompressed, or twice those that the last time "
            "left; 0: by itself, as frank-wolfe does")};
    return table;
  }

  NonconvexSliding(const Options& options, const Context&)
      : options_(options), part_(options.oracle_tolerance, false), recompression_(options.recompress) {}

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
    require_inside(x0);
    const auto L = sdk::positive(options_.smoothness, problem.objective->constants().smoothness);
    sdk::MissingConstants missing;
    missing.need(true, L.has_value(), "the smoothness L of f", "smoothness");
    missing.require("give it");
    if (options_.batch == Batches::theory && problem.objective->terms() == kUnbounded)
      throw Error(ErrorKind::usage, "batch",
                  "'theory' needs the number n of terms, and an expectation has none", "give batch = own");
    L_ = *L;
    is_accelerated_ =
        options_.form == Form::automatic ? problem.estimator->exact() : options_.form == Form::accelerated;
    problem.context.note(std::string("nonconvex-sliding: ") + (is_accelerated_ ? "NCGS" : "plain steps") +
                         sdk::shown("L", L) + sdk::shown("eta of step 1", eta(1)));
    x_ = y_ = std::move(x0);
    z_ = g_ = u_ = Element(y_.shape());
    k_ = 0;
    stage_ = Stage::idle;
    report_ = {};
    part_.start(y_.shape());
    form_.start(problem);
    recompression_.start(problem, y_.shape());
  }

  /// A subproblem may be long: then the next call goes on, and the iterate rests.
  void step() override {
    LinearOracle& oracle = *problem_.linear_oracle;
    if (stage_ == Stage::idle) begin_step();
    if (stage_ == Stage::x) {
      if (!part_.solve(oracle, x_, form_)) return;
      begin_last(2.0 * L_, z_);  // y_k = condg(g_k, z_k, 1/(2L), eta)
    }
    if (!part_.solve(oracle, u_, form_)) return;
    y_ = u_;
    stage_ = Stage::idle;
  }

  const Element& iterate() const override { return y_; }
  StepReport report() const override { return report_; }
  /// Steps of the run may be parts of a step of the method, so N is known to be reached when it is.
  Index step_budget() const override {
    return stage_ == Stage::idle && options_.horizon > 0 && k_ >= options_.horizon ? options_.horizon : 0;
  }

  void state(StateVisitor& v) override {
    auto stage = static_cast<Index>(stage_);
    v("x", x_);
    v("y", y_);
    v("u", u_);
    v("z", z_);
    v("gradient", g_);
    v("k", k_);
    v("stage", stage);
    v.require(k_ >= 0, "k", "negative");
    v.require(stage >= 0 && stage <= 2 && (k_ > 0 || stage == 0), "stage", "no part of a step");
    stage_ = static_cast<Stage>(stage);
    v("subproblem", part_);
    v("form", form_);
    v("recompression", recompression_);
    v("weight", report_.weight);
    v("full gradient", report_.full_gradient);
  }
  void* ability(std::string_view id) noexcept override { return offer<State, StepBudget>(this, id); }

 private:
  enum class Stage { idle, x, y };

  void begin_step() {
    (void)recompression_(x_, y_, part_.eta(), part_.minimum(diameter()));
    const auto k = static_cast<double>(++k_);
    const double alpha = report_.weight = is_accelerated_ ? 2.0 / (k + 1.0) : 1.0;
    if (is_accelerated_ && alpha < 1.0)
      z_.assign_sum(1.0 - alpha, y_, alpha, x_);  // z_k = (1 - alpha_k) y_{k-1} + alpha_k x_{k-1}
    else
      z_ = is_accelerated_ ? x_ : y_;
    g_ = gradient();
    sdk::fold_fused(g_);
    form_.see(g_);
    for (Element* point : {&x_, &y_, &z_}) form_.settle(*point);
    if (!is_accelerated_) return begin_last(3.0 * L_, z_);  // y_k = condg(g_k, y_{k-1}, 1/(3L), eta)
    part_.begin(g_, 4.0 * L_ / k, eta(k_), x_);             // x_k = condg(g_k, x_{k-1}, k/(4L), eta)
    stage_ = Stage::x;
  }
  void begin_last(double beta, const Element& centre) {
    u_ = centre;
    part_.begin(g_, beta, eta(k_), centre);
    stage_ = Stage::y;
  }

  double eta(Index k) const {
    if (options_.eta > 0.0) return options_.eta;
    if (options_.horizon > 0) return 1.0 / static_cast<double>(options_.horizon);
    const double D = diameter();
    return L_ * D * D / (static_cast<double>(k) * static_cast<double>(k + 1));
  }

  double diameter() const { return problem_.linear_oracle->diameter(problem_.objective->shape()); }

  const Element& gradient() {
    GradientEstimator& estimator = *problem_.estimator;
    report_.full_gradient = estimator.exact();
    if (estimator.epoch_due()) estimator.begin_epoch(z_, plan());
    return estimator.estimate(z_, 0);
  }
  EpochPlan plan() const {
    const Index n = problem_.objective->terms();
    if (options_.batch == Batches::own || problem_.estimator->exact()) return {};
    const double root = std::cbrt(static_cast<double>(n));
    return {.batch = sdk::Theory::at_least(root * root), .length = sdk::Theory::at_most(root)};
  }

  /// Steps are convex combinations: one that begins outside stays outside.
  void require_inside(const Element& x0) const {
    auto* membership = query<Membership>(*problem_.set);
    const double violation = membership ? membership->violation(x0) : 0.0;
    if (membership && violation > allowed_violation(*membership))
      throw Error(
          ErrorKind::usage, "start.from",
          "the point to start from lies outside the set, by " + print_real(violation) + " of its size",
          "give a point inside, or start.from = auto");
  }

  Options options_;
  Subproblem part_;
  sdk::Recompression recompression_;
  sdk::PointForm form_;
  Problem problem_;
  double L_ = 0.0;
  bool is_accelerated_ = false;
  Element x_, y_, z_, u_, g_;  ///< u: the point of the subproblem for y
  Index k_ = 0;
  Stage stage_ = Stage::idle;
  StepReport report_;
};

}  // namespace

CLAROS_PLUGIN(
    NonconvexSliding, Kind::algorithm, "nonconvex-sliding", "ncgs", "1.0.0",
    "Non-convex conditional gradient sliding (Qu, Li, Xu 2018): projected steps by linear minimisation",
    "y <- argmin over the set of <g, u> + (1/(2 gamma)) ||u - z||^2 by Frank-Wolfe up to a gap of eta, g "
    "any estimate of the gradient at z. With the gradient estimator full, z lies between two sequences "
    "(NCGS). With svrg and batch = theory z is the iterate, and gamma is 1/(3L) (NCGS-VR). f need not be "
    "convex. A long subproblem takes several steps, between which the iterate rests.",
    "Qu, Li, Xu: Non-convex conditional gradient sliding, ICML 2018; Ghadimi, Lan: Accelerated gradient "
    "methods for nonconvex nonlinear and stochastic programming, Math. Program. 2016 (lengths of NCGS)",
    "Use it for losses that are not convex, over sets with a linear oracle and an expensive projection, "
    "where a gradient costs much more than a linear minimisation. It makes few gradients and many linear "
    "minimisations; frank-wolfe makes one a gradient. For convex f take sliding, which has a rate of its "
    "own. Where a projection is cheap take proximal-gradient.",
    "data.use=synthetic-regression data.rows=500 data.cols=50 data.nonzero=5 objective.use=linear-model "
    "objective.loss=robust set.use=l1-ball set.radius=2 algorithm.use=nonconvex-sliding stop.gap=1e-3")
