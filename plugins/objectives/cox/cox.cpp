// SPDX-License-Identifier: BSD-3-Clause
#include "partial_likelihood.hpp"
#include "survival_parts.hpp"

#include <claros/dataset.hpp>
#include <claros/element/parallel.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/io/row_weights.hpp>
#include <claros/io/survival.hpp>
#include <claros/plugin.hpp>
#include <claros/row_parts.hpp>
#include <shared/function_of_image.hpp>
#include <shared/losses/standardize.hpp>
#include <shared/losses/weighted_rows.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace claros;

struct Options {
  std::string data, event, strata, entry;
  cox::TieRule ties = cox::TieRule::breslow;
  Switch standardize;
  double smoothness = 0.0;
  DesignOptions design;
};

/// f(x) = phi(A x), n phi half the deviance of the partial likelihood (PartialLikelihood). Weights are
/// scaled to sum n. The likelihood does not change with a shift of all z. So there is no intercept, columns
/// are centred, and those of a solution only need their scale back.
class Cox final : public sdk::FunctionOfImage, public Rescaled, public LinearPredictor, public RowParts {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(),
             "file of rows and times; empty: the data of the [data] section, where a response below 0 is "
             "censored at its magnitude",
             "A, t"),
         row("event", &Options::event, any(),
             "1 where the event was seen, 0 where the row is censored: a column of a table, or a file of one "
             "number a row; empty: the response is negative where the row is censored",
             "d"),
         row("strata", &Options::strata, any(),
             "rows with the same value are compared with each other alone, and have a baseline hazard of "
             "their own: a column of a table, or a file of one number a row; empty: all are compared"),
         row("entry", &Options::entry, any(),
             "the time at which a row enters: it is at risk at times t with entry < t <= its time, as a late "
             "one, or one of several rows of a subject whose features change; a column of a table, or a file "
             "of one number a row; empty: all are at risk from the start",
             "s"),
         row("ties", &Options::ties,
             one_of<cox::TieRule>({{cox::TieRule::breslow, "breslow"}, {cox::TieRule::efron, "efron"}}),
             "what is done about events at one time: breslow: each has the whole risk set; efron: the "
             "k-th of m has it without k/m of the events"),
         row("standardize", &Options::standardize,
             "solve with columns of variance 1; the solution is in the units of the data. auto: for a table "
             "without a set, if the penalty is a factor of single coefficients or groups"),
         row("smoothness", &Options::smoothness, at_least(0), "of f; 0: computed", "L")},
        {include(&Options::design, design_rows())}};
    return table;
  }

  Cox(const Options& options, const Context& context)
      : threads_(context.threads), given_(options.smoothness), ties_(options.ties) {
    auto design = rows_of(options, context, survival_);
    const std::string where = options.data.empty() ? "[data]" : context.resolve(options.data).string();
    const ThreadScope scope(threads_);
    sdk::WeightedRows rows = sdk::weighted_rows(
        design, numbers(options.design.weights, options, *design, design->weights, "weights", context),
        numbers(options.design.offset, options, *design, design->offset, "offsets", context), where);
    design = rows.design;
    weights_ = std::move(rows.weights);
    offsets_ = std::move(rows.offsets);
    groups_ = design->groups;
    if (!rows.kept.empty()) survival_ = cox::chosen_times(survival_, rows.kept);
    training_ = {.features = design->cols,
                 .shape = Shape::vector(design->cols),
                 .columns = design->column_names,
                 .response = design->response_name,
                 .classes = {},
                 .positive = {},
                 .encoding = design->encoding,
                 .offset = !offsets_.empty()};
    standardized_ = options.standardize.is_on() ? sdk::standardize(*design, weights_, true, where, context)
                                                : sdk::centered_always(*design, weights_, where, context);
    if (standardized_) design = standardized_->design;
    take(std::move(design), where);
  }

  Constants constants() const override {
    const ThreadScope scope(threads_);
    Constants constants = FunctionOfImage::constants();
    if (given_ > 0.0) constants.smoothness = constants.term_smoothness = given_;
    return constants;
  }
  const LinearTraining& linear_training() const override { return training_; }
  std::span<const double> row_weights() const override { return weights_; }
  std::span<const double> row_offsets() const override { return offsets_; }
  Element original(const Element& x) const override {
    return standardized_ ? sdk::original(*standardized_, x, 1, false) : x;
  }
  Element scaled(const Element& x) const override {
    return standardized_ ? sdk::scaled(*standardized_, x, 1, false) : x;
  }
  void* ability(std::string_view id) noexcept override {
    if (id == Rescaled::kAbility && !standardized_) return nullptr;
    if (void* mine = offer<Rescaled, LinearPredictor, RowParts>(this, id)) return mine;
    return FunctionOfImage::ability(id);
  }

  Index rows() const override { return static_cast<Index>(survival_.rows()); }
  std::span<const double> weights_of_rows() const override { return weights_; }
  std::vector<Index> groups_of_rows() const override { return groups_; }
  std::vector<FoldMetric> measures() const override { return {FoldMetric::concordance}; }
  void require(const std::vector<Index>& rows) const override {
    cox::require_event(survival_, weights_, rows);
  }
  std::shared_ptr<Objective> part(const std::vector<Index>& rows) const override {
    return std::shared_ptr<Objective>(new Cox(*this, rows));
  }
  std::unique_ptr<FoldJudge> judge(const std::vector<Index>& rows, Objective& trained, FoldMetric) override {
    return std::make_unique<cox::RiskJudge>(*this, trained, cox::RiskRows{survival_, weights_, offsets_},
                                            *static_cast<const DesignMap&>(*map()).design(), rows);
  }

 private:
  /// Some rows of another, with columns scaled as those are.
  Cox(const Cox& whole, const std::vector<Index>& rows)
      : threads_(whole.threads_), given_(0.0), ties_(whole.ties_), training_(whole.training_) {
    survival_ = cox::chosen_times(whole.survival_, rows);
    weights_ = weights_of_mean(numbers_of_rows(whole.weights_, rows), "weights");
    offsets_ = numbers_of_rows(whole.offsets_, rows);
    take(std::make_shared<const Design>(
             chosen_rows(*static_cast<const DesignMap&>(*whole.map()).design(), rows)),
         "the rows of a part");
  }

  void take(std::shared_ptr<const Design> design, const std::string& where) {
    cox::RiskSets sets(survival_, weights_, offsets_);
    if (sets.mass == 0.0)
      throw Error(ErrorKind::data, where, "no row with a weight above 0 has an event",
                  "give at least one of them a weight above 0");
    const Index cols = design->cols;
    set_function(std::make_shared<DesignMap>(std::move(design), Shape::vector(cols)),
                 std::make_shared<cox::PartialLikelihood>(std::move(sets), ties_));
  }

  static std::shared_ptr<const Design> rows_of(const Options& options, const Context& context,
                                               Survival& survival) {
    const SurvivalOptions columns{options.event, options.strata, options.entry};
    auto design = design_of_data(options.data, options.design, context);
    if (!options.data.empty())
      return std::make_shared<Design>(
          read_survival(context.resolve(options.data), options.design, columns, context, survival));
    if (!design)
      throw Error(ErrorKind::usage, "",
                  context.data ? "cox needs rows and times, which the data does not hold"
                               : "cox needs rows and times",
                  "give data = FILE, or a [data] section that makes a design");
    survival = survival_of(*design, columns, context);
    return design;
  }

  /// The numbers that read_row_numbers gives for one option, or those of the design.
  static std::vector<double> numbers(const std::string& file, const Options& options, const Design& design,
                                     const std::vector<double>& of_design, const char* what,
                                     const Context& context) {
    const bool given = options.data.empty() && !file.empty();  // else read_survival has read it
    return given ? read_row_numbers(context.resolve(file), design.rows, what, context) : of_design;
  }

  int threads_;
  double given_;
  cox::TieRule ties_;
  Survival survival_;
  std::optional<sdk::Standardized> standardized_;
  LinearTraining training_;
  std::vector<double> weights_, offsets_;
  std::vector<Index> groups_;
};

}  // namespace

CLAROS_PLUGIN(
    Cox, Kind::objective, "cox", "proportional-hazards", "1.0.0",
    "Cox' partial likelihood, (1/n) sum_events w_i (log sum_{j at risk} w_j exp(<a_j, x>) - <a_i, x>) - c",
    "f(x) = -(1/n) log of the partial likelihood of the hazards h_0(t) exp(<a_i, x> + o_i), less its least "
    "value c (half the deviance; c is 0 without ties and weights), with censored rows, strata, late entry, "
    "weights w (sum n) and offsets o; events at one time by Breslow's rule or Efron's. Value, gradient and "
    "Hessian products take O(n) beside the products with the rows, O(n log n) if rows enter late. Convex; "
    "duality gaps are known.",
    "Cox: Regression models and life-tables, J. R. Stat. Soc. B 34 (1972); Efron: The efficiency "
    "of Cox's likelihood function for censored data, JASA 72 (1977); Simon, Friedman, "
    "Hastie, Tibshirani: Regularization paths for Cox's proportional hazards model via "
    "coordinate descent, J. Stat. Softw. 39 (2011)",
    "Use it for times until an event, of which some are censored. The likelihood is one term, so stochastic "
    "gradient estimators save no work. "
    "coordinate-descent refuses it: take prox-newton, or working-set with prox-newton inside. "
    "For durations without censoring take linear-model with the loss gamma.",
    "data.use=synthetic-regression data.rows=300 data.cols=80 data.nonzero=5 objective.use=cox "
    "penalty.use=l1 penalty.lambda=0.1*max stop.relative_gap=1e-6")
