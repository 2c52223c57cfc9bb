// SPDX-License-Identifier: BSD-3-Clause
#include "distance.hpp"
#include "growing_batch.hpp"
#include "model_gradient.hpp"
#include "theory.hpp"

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <shared/algorithms/answer.hpp>
#include <shared/algorithms/oracle_tolerance.hpp>
#include <shared/algorithms/point_form.hpp>
#include <shared/algorithms/recompression.hpp>
#include <shared/algorithms/step_rule.hpp>

#include <cmath>
#include <limits>

namespace {

using namespace claros;

enum class Averaging { decay };

struct Options {
  sdk::Output output = sdk::Output::automatic;
  Model model = Model::gradient;
  NumberOr<Averaging> averaging = Averaging::decay;
  sdk::StepOptions step;
  GrowingBatchOptions batch;
  double oracle_tolerance = 0.02;
  Index recompress = 0;
};

/// x_{t+1} = x_t + gamma_t (v_t - x_t), v_t = argmin_{u in C} <g_t, u>, g_t from the estimator. Cases:
/// - step rule `normalized`, gamma = eta / D: NFWU (Shen et al. 2019, Algorithm 1); `theory` takes the
/// numbers of its Theorem 3.1;
/// - the full gradient and `agnostic`: Frank-Wolfe (Jaggi 2013, Algorithm 1);
/// - `sg` and `batch = theory`: SFW (Hazan, Luo 2016);
/// - `momentum`: the method of Mokhtari, Hassani, Karbasi (2018).
/// With `model` the linear function uses more gradients than the last one (model_gradient.hpp).
class FrankWolfe final : public sdk::PointAlgorithm, public StepBudget {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("output", &Options::output,
             one_of<sdk::Output>({{sdk::Output::automatic, "auto"},
                                  {sdk::Output::last, "last"},
                                  {sdk::Output::uniform, "uniform"},
                                  {sdk::Output::best_gap, "best-gap"}}),
             "the solution: the last iterate, one drawn uniformly from x_1..x_T, or the measured one of "
             "smallest gap; auto: "
             "uniform where step is theory, else last"),
         row("model", &Options::model,
             one_of<Model>({{Model::gradient, "gradient"},
                            {Model::heavy_ball, "heavy-ball"},
                            {Model::optimistic, "optimistic"}}),
             "the linear function that v minimises: of the gradient g; heavy-ball, of the average m <- (1 - "
             "rho) m + rho g; optimistic, of 2 g less the g before"),
         row("averaging", &Options::averaging,
             number_or<Averaging>(above_to(0, 1), {{Averaging::decay, "decay"}}),
             "weight of the newest gradient in the heavy-ball's average; decay is 2/(t+2), t from 0", "rho"),
         row("oracle_tolerance", &Options::oracle_tolerance, above_to(0, 1),
             "relative accuracy of the linear oracle in the run, at most; with full gradients that of the "
             "last gap if less"),
         row("recompress", &Options::recompress, at_least(0),
             "number of low-rank columns at which the iterate is recompressed, or twice those that the last "
             "time left; 0: by itself, as many as 16 MB hold but at least 20, at most a side of the matrix "
             "or, for gradient estimators that read single entries, 80")},
        {include(&Options::step, sdk::step_rows()), include(&Options::batch, growing_batch_rows())}};
    return table;
  }

  FrankWolfe(const Options& options, const Context& context)
      : options_(options),
        rule_(options.step),
        tolerance_(options.oracle_tolerance),
        model_(options.model, options.averaging.number_or(0.0)),
        growing_(options.batch, options.step.smoothness),
        recompression_(options.recompress),
        answer_(options.output != sdk::Output::automatic ? options.output
                : is_theory()                            ? sdk::Output::uniform
                                                         : sdk::Output::last,
                context.stream(Purpose::output)) {
    if (is_theory() && !model_.is_gradient())
      throw Error(ErrorKind::usage, "model", "step = theory is of a method that minimises <g, u>",
                  "take model = gradient, or another step");
    if (options.averaging.is_number() && options.model != Model::heavy_ball)
      throw Error(ErrorKind::usage, "averaging", "only model = heavy-ball takes an average",
                  "take model = heavy-ball, or leave averaging out");
  }

  std::vector<Need> needs() const override {
    return {need::set<LinearOracle>("every step minimises a linear function over the set")};
  }

  Takes takes() const override {
    return {
        .set = true,
        .reason = "every step minimises the linear model of f alone over the set, without a proximal step"};
  }

  const Element& answer() override { return answer_.of(x()); }
  void measured(const Measurement& m) override { answer_.measured(x(), m.gap); }

  void state(StateVisitor& v) override {
    PointAlgorithm::state(v);
    v("step rule", rule_);
    v("model", model_);
    v("distance", distance_);
    v("form", form_);
    v("recompression", recompression_);
    v("answer", answer_);
    v("theory", theory_);
    v("oracle", tolerance_);
  }
  Index step_budget() const override { return theory_.steps(); }
  void* ability(std::string_view id) noexcept override {
    return is_theory() && id == StepBudget::kAbility ? static_cast<StepBudget*>(this)
                                                     : PointAlgorithm::ability(id);
  }

 private:
  void begin() override {
    rule_.start(*problem().objective);
    if (is_theory()) {
      theory_.start(problem(), problem().linear_oracle->diameter(x().shape()));
      rule_.set_eta(theory_.eta());
    }
    model_.start(x().shape());
    tolerance_.start();
    distance_.start(x(), rule_.uses_distance());
    form_.start(problem());
    growing_.start(problem(), rule_.rule(), options_.step.offset);
    recompression_.start(problem(), x().shape());
    answer_.start(x());
  }

  bool is_theory() const { return rule_.rule() == sdk::Step::theory; }
  EpochPlan epoch_plan() const override { return {.undamped = true}; }
  Index batch() const override { return growing_.size(t()); }

  void move(const Element& g) override {
    LinearOracle& oracle = *problem().linear_oracle;
    form_.see(g);
    form_.settle(x());
    const Element& m = model_.at(t(), g);  // g_t itself, or of more gradients
    const bool exact = model_.is_gradient() && problem().estimator->exact();
    const double at_x = inner(g, x());
    const OracleInfo found = exact ? tolerance_.follow(oracle, m, at_x, v_)
                                   : tolerance_.once(oracle, m, v_);  // v_t = argmin_{u in C} <m_t, u>
    const double minimum = model_.is_gradient() ? found.value : inner(g, v_);
    const double gap = at_x - minimum;  // <g_t, x_t - v_t>
    const bool is_gap = model_.is_gradient() && !std::isinf(found.lower_bound);
    distance_.aim(x(), v_);
    const double gamma = rule_.weight({t(), gap, oracle.diameter(x().shape()), &x(), &v_, problem().objective,
                                       [this] { return distance_.squared(); }});
    x().blend(gamma, v_);  // x_{t+1} = x_t + gamma_t (v_t - x_t)
    form_.settle(x());
    distance_.moved(gamma);
    report_step(gamma, is_gap ? gap : std::numeric_limits<double>::infinity());
    if (is_theory() && t() == 0) theory_.see_first(problem(), x());
    if (recompression_(x(), gap, minimum)) distance_.measure(x());
    answer_.add(x());
  }

  Options options_;
  sdk::StepRule rule_;
  sdk::OracleTolerance tolerance_;
  ModelGradient model_;
  NormalizedTheory theory_;
  Distance distance_;
  GrowingBatch growing_;
  sdk::PointForm form_;
  sdk::Recompression recompression_;
  sdk::Answer answer_;
  Element v_;
};

}  // namespace

CLAROS_PLUGIN(
    FrankWolfe, Kind::algorithm, "frank-wolfe", "nfwu", "1.0.0",
    "Frank-Wolfe (conditional gradient), with exact or stochastic gradients",
    "x <- x + gamma (v - x) with v = argmin over the set of <g, u> and g from any gradient estimator. "
    "The rule for gamma makes it classical Frank-Wolfe (agnostic, short, line-search, adaptive) "
    "or the normalized update NFWU (eta / D). The model makes it heavy-ball or optimistic "
    "Frank-Wolfe. Needs a set with a linear oracle.",
    "Jaggi: Revisiting Frank-Wolfe, ICML 2013, Algorithm 1; Shen et al., AISTATS 2019, Algorithm 1 (NFWU); "
    "heavy-ball: Li, Coutino, Giannakis, Leus: A momentum-guided Frank-Wolfe algorithm, IEEE Trans. Signal "
    "Process. 2021; optimistic: Abernethy, Wang: On Frank-Wolfe and equilibrium computation, NIPS 2017",
    "Use it over sets with a linear oracle and an expensive projection, with any gradient estimator, where "
    "a low accuracy is enough. For a linear f the first vertex is a solution. Over polytopes "
    "blended-pairwise needs far fewer steps, and over balls without corners, such as l2-ball, model = "
    "heavy-ball does. Where a projection is cheap take proximal-gradient, for entries of a matrix over a "
    "nuclear ball with full gradients factored.",
    "data.use=synthetic objective.use=matrix-completion set.use=nuclear-ball "
    "set.radius=50 algorithm.use=frank-wolfe stop.relative_gap=1e-2")
