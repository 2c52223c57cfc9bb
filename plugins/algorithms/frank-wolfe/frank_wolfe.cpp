// SPDX-License-Identifier: BSD-3-Clause
#include "theory.hpp"

#include <claros/plugin.hpp>
#include <claros/sdk/point_algorithm.hpp>
#include <claros/step_budget.hpp>
#include <claros/step_rule.hpp>

#include <algorithm>
#include <limits>

namespace {

using namespace claros;

struct Options {
  StepOptions step;
  std::string output = "auto";
  double oracle_tolerance = 0.02;
  Index recompress = 0;
};

/// x_{t+1} = x_t + gamma_t (v_t - x_t), v_t = argmin_{u in C} <g_t, u>, g_t from the estimator. With the step rule
/// `normalized`, gamma = eta / D, this is NFWU (Shen et al. 2019, Algorithm 1; `theory` takes the numbers of its Theorem 3.1); with the full gradient and
/// `agnostic`, Frank-Wolfe (Jaggi 2013, Algorithm 1).
class FrankWolfe final : public sdk::PointAlgorithm, public StepBudget {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("output", &Options::output, one_of({"auto", "last", "uniform", "best-gap"}),
             "the answer: the last iterate, one drawn uniformly from x_1..x_T, or the measured one of smallest gap; auto: "
             "uniform where step is theory, else last"),
         row("oracle_tolerance", &Options::oracle_tolerance, above_to(0, 1), "relative accuracy of the linear oracle in the run"),
         row("recompress", &Options::recompress, at_least(0),
             "number of low-rank columns at which the iterate is recompressed, or twice those that the last time left; 0: by "
             "itself, as many as 16 MB hold but at least 20, at most a side of the matrix or, for estimators that read "
             "single entries, 80")},
        {include(&Options::step, step_rows())}};
    return table;
  }

  FrankWolfe(const Options& options, const Context& context)
      : options_(options), rule_(options.step), output_(context.stream(Purpose::output)) {
    if (options_.output == "auto") options_.output = rule_.name() == "theory" ? "uniform" : "last";
  }

  std::vector<Need> needs() const override {
    return {{"set", std::string(LinearOracle::kAbility), "every step minimises a linear function over the set"}};
  }

  Takes takes() const override {
    return {.set = true, .reason = "every step minimises the linear model of f alone over the set, without a proximal step"};
  }

  const Element& answer() override { return options_.output == "last" ? x() : answer_; }

  void save(StateWriter& out) const override {
    PointAlgorithm::save(out);
    out.put("answer", answer_);
    out.put("columns limit", columns_limit_);
    out.put("squared norm", squared_norm_);
    out.put("best gap", best_gap_);
    out.put("output", output_);
    out.put("local smoothness", rule_.local_smoothness());
    out.put("theory steps", theory_.steps());
  }
  void load(StateReader& in) override {
    double local = 0.0;
    Index steps = 0;
    PointAlgorithm::load(in);
    in.get("answer", answer_);
    in.get("columns limit", columns_limit_);
    in.get("squared norm", squared_norm_);
    in.get("best gap", best_gap_);
    in.get("output", output_);
    in.get("local smoothness", local);
    in.get("theory steps", steps);
    theory_.set_steps(steps);
    rule_.set_local_smoothness(local);
  }
  Index step_budget() const override { return theory_.steps(); }
  void* ability(std::string_view id) noexcept override {
    return is_theory() && id == StepBudget::kAbility ? static_cast<StepBudget*>(this) : PointAlgorithm::ability(id);
  }
  void measured(const Measurement& m) override {
    if (options_.output != "best-gap" || !(m.gap < best_gap_)) return;
    best_gap_ = m.gap;
    keep();
  }

 private:
  void begin() override {
    rule_.start(*problem().objective);
    if (is_theory()) {
      theory_.start(problem(), problem().linear_oracle->diameter());
      rule_.set_eta(theory_.eta());
    }
    output_.seek(0);
    keep();
    squared_norm_ = rule_.uses_distance() ? inner(x(), x()) : 0.0;
    best_gap_ = std::numeric_limits<double>::infinity();
    columns_limit_ = options_.recompress ? options_.recompress : automatic_limit();
  }

  bool is_theory() const { return rule_.name() == "theory"; }
  EpochPlan epoch_plan() const override { return {.undamped = true}; }

  void move(const Element& g) override {
    LinearOracle& oracle = *problem().linear_oracle;
    const OracleInfo info = oracle.minimize(g, {options_.oracle_tolerance, false}, v_);
    const double gap = inner(g, x()) - info.value;
    // ||v - x||^2 from three numbers, of which ||x||^2 is carried along: with many columns it is dear to compute.
    const double xv = rule_.uses_distance() ? inner(v_, x()) : 0.0, vv = rule_.uses_distance() ? inner(v_, v_) : 0.0;
    const auto distance = [&] { return std::max(squared_norm_ - 2.0 * xv + vv, 0.0); };
    const double weight = rule_.weight({t(), gap, oracle.diameter(), &x(), &v_, problem().objective, distance});
    x().blend(weight, v_);
    squared_norm_ = (1 - weight) * (1 - weight) * squared_norm_ + 2 * weight * (1 - weight) * xv + weight * weight * vv;
    report_step(weight, gap);
    if (is_theory() && t() == 0) theory_.see_first(problem(), x());
    if (x().columns() > columns_limit_) recompress(gap, info.value);
    if (options_.output == "uniform" && output_.index(t() + 1) == 0) keep();  // x_t replaces with probability 1/t
  }

  /// Without images: shared ones would be updated in another order, and which point is kept would change the steps' bits.
  void keep() {
    answer_ = x();
    answer_.drop_images();
  }

  /// Columns cost memory, and time where entries are read; below these numbers neither is felt. Beyond them the iterate
  /// holds at most twice the columns that its accuracy needs, see recompress.
  Index automatic_limit() const {
    constexpr Index kForReading = 80, kFewest = 20, kFreeNumbers = 2'000'000;
    const Shape& shape = iterate().shape();
    const Index side = std::max<Index>(kForReading, std::min(shape.rows, shape.cols));
    const Index free = std::max(kFewest, kFreeNumbers / std::max<Index>(1, shape.rows + shape.cols));
    return std::min({side, free, problem().estimator->exact() ? side : kForReading});
  }

  /// Moving x by D in nuclear norm moves f by at most ||g||_op ||D||_*, and <g, v> = -tau ||g||_op: a tail of
  /// kShare * gap / ||g||_op in nuclear norm costs at most kShare of the gap. The nuclear norm of x only falls.
  void recompress(double gap, double minimum) {
    constexpr double kShare = 1e-3;
    const double radius = 0.5 * problem().linear_oracle->diameter();
    const double tail = minimum < 0 && gap > 0 ? kShare * gap * radius / -minimum : 0.0;
    x().recompress(tail);
    if (rule_.uses_distance()) squared_norm_ = inner(x(), x());
    columns_limit_ = std::max(options_.recompress ? options_.recompress : automatic_limit(), 2 * x().columns());
  }

  Options options_;
  StepRule rule_;
  NormalizedTheory theory_;
  RandomStream output_;
  Element v_, answer_;
  Index columns_limit_ = 0;
  double squared_norm_ = 0.0;  // of x, for the rules that need ||v - x||
  double best_gap_ = std::numeric_limits<double>::infinity();
};

}  // namespace

CLAROS_PLUGIN(FrankWolfe, Kind::algorithm, "frank-wolfe", "nfwu", "1.0.0", "Steps towards the minimiser of a linear function over the set",
              "x <- x + gamma (v - x) with v = argmin over the set of <g, u> and g from any estimator. The rule for gamma "
              "makes it classical Frank-Wolfe (agnostic, short, line-search, adaptive) or the normalized update NFWU (eta / D). "
              "Needs a set with a linear oracle.",
              "Jaggi: Revisiting Frank-Wolfe, ICML 2013, Algorithm 1; Shen et al., AISTATS 2019, Algorithm 1 (NFWU)")
