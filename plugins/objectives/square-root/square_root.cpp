// SPDX-License-Identifier: BSD-3-Clause
#include "held_back_rows.hpp"
#include "root_mean_square.hpp"

#include <claros/dataset.hpp>
#include <claros/element/parallel.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/io/row_weights.hpp>
#include <claros/map/design_map.hpp>
#include <claros/plugin.hpp>
#include <claros/row_parts.hpp>
#include <shared/function_of_image.hpp>
#include <shared/losses/standardize.hpp>
#include <shared/losses/weighted_rows.hpp>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace claros;

struct Options {
  std::string data;
  double sigma = 0.01;
  Switch intercept;
  DesignOptions design;
};

/// f(x) = phi(A x), phi the root mean square of A x + o - y (RootMeanSquare). With a penalty lambda psi the
/// solution is that of the squared loss with lambda sigma, sigma the root mean square of its residuals. So
/// the lambda of a statistical theory does not depend on the unknown noise (Belloni, Chernozhukov, Wang
/// 2011).
///
/// With an intercept, f is the minimum over it, which is the weighted mean of y - o - A x, and columns are
/// centred. The variable is x alone, and solutions in the units of the data have the intercept behind them.
class SquareRoot final : public sdk::FunctionOfImage,
                         public LinearPredictor,
                         public Rescaled,
                         public RowParts {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(),
             "file of rows and responses; empty: the data of the [data] section", "A, y"),
         row("sigma", &Options::sigma, above(0),
             "sigma_0 relative to the root mean square of y (with an intercept, of y less its mean): f is "
             "smooth where residuals are below it",
             "sigma_0"),
         row("intercept", &Options::intercept,
             "whether a free number is added to every product. auto: for a table (text, or dense rows with "
             "names of columns) without a set")},
        {include(&Options::design, design_rows())}};
    return table;
  }

  SquareRoot(const Options& o, const Context& context)
      : threads_(context.threads), intercept_(o.intercept.is_on()) {
    auto design = rows_of(o, context);
    const std::string where = o.data.empty() ? "[data]" : context.resolve(o.data).string();
    if (!design->labels.empty())
      throw Error(
          ErrorKind::data, where, "expected numbers as responses, found the class " + design->labels.front(),
          "check which column is the response, or take objective.use = linear-model with a loss of classes");
    const ThreadScope scope(threads_);
    sdk::WeightedRows rows =
        sdk::weighted_rows(design, numbers(o.design.weights, o, *design, design->weights, "weights", context),
                           numbers(o.design.offset, o, *design, design->offset, "offsets", context), where);
    design = rows.design;
    weights_ = std::move(rows.weights);
    offsets_ = std::move(rows.offsets);
    groups_ = design->groups;
    y_ = design->response;
    for (std::size_t i = 0; i < offsets_.size(); ++i) y_[i] -= offsets_[i];
    training_ = {.features = design->cols,
                 .shape = Shape::vector(design->cols),
                 .intercept = intercept_,
                 .columns = design->column_names,
                 .response = design->response_name,
                 .classes = {},
                 .positive = {},
                 .encoding = design->encoding,
                 .offset = !offsets_.empty()};
    const std::vector<double> nothing(y_.size(), 0.0);
    middle_ = -square_root::RootMeanSquare(y_, weights_, 1.0, intercept_).mean(nothing);
    for (double& y : y_) y -= middle_;
    const double size = square_root::RootMeanSquare(y_, weights_, 1.0, intercept_).spread(nothing);
    if (!(size > 1e-14 * std::abs(middle_)))
      throw Error(ErrorKind::data, where,
                  std::string("expected a response that is not ") + (intercept_ ? "constant" : "0") +
                      ", found none: x = 0 has no residual",
                  "check which column is the response");
    if (intercept_) standardized_ = sdk::centered_always(*design, weights_, where, context);
    take(standardized_ ? standardized_->design : design, o.sigma * size);
  }

  Constants constants() const override {
    const ThreadScope scope(threads_);
    return FunctionOfImage::constants();
  }
  const LinearTraining& linear_training() const override { return training_; }
  std::span<const double> row_weights() const override { return weights_; }
  std::span<const double> row_offsets() const override { return offsets_; }
  void* ability(std::string_view id) noexcept override {
    if (id == Rescaled::kAbility && !intercept_) return nullptr;
    if (void* mine = offer<LinearPredictor, Rescaled, RowParts>(this, id)) return mine;
    return FunctionOfImage::ability(id);
  }

  Element original(const Element& x) const override {
    std::vector<double> z(y_.size()), all = x.to_dense();
    map()->apply(1.0, x, 0.0, z);
    all.push_back(middle_ - function_->mean(z));
    const Element with_intercept = Element::dense(Shape::vector(x.shape().size() + 1), std::move(all));
    return standardized_ ? sdk::original(*standardized_, with_intercept, 1, true) : with_intercept;
  }
  Element scaled(const Element& x) const override {
    std::vector<double> head = x.to_dense();
    head.resize(static_cast<std::size_t>(shape().size()));
    return Element::dense(shape(), std::move(head));
  }

  Index rows() const override { return static_cast<Index>(y_.size()); }
  std::span<const double> weights_of_rows() const override { return weights_; }
  std::vector<Index> groups_of_rows() const override { return groups_; }
  std::vector<FoldMetric> measures() const override {
    return {FoldMetric::mse, FoldMetric::rmse, FoldMetric::mae};
  }
  void require(const std::vector<Index>&) const override {}
  std::shared_ptr<Objective> part(const std::vector<Index>& rows) const override {
    return std::shared_ptr<Objective>(new SquareRoot(*this, rows));
  }
  std::unique_ptr<FoldJudge> judge(const std::vector<Index>& rows, Objective& trained,
                                   FoldMetric beside) override {
    std::vector<double> y = numbers_of_rows(y_, rows);
    for (double& value : y) value += middle_;
    return std::make_unique<square_root::HeldBackRows>(
        std::make_shared<const Design>(chosen_rows(design(), rows)), std::move(y),
        numbers_of_rows(weights_, rows), intercept_, trained, beside);
  }

 private:
  /// Some rows of another, with its sigma_0.
  SquareRoot(const SquareRoot& whole, const std::vector<Index>& rows)
      : threads_(whole.threads_),
        intercept_(whole.intercept_),
        training_(whole.training_),
        weights_(weights_of_mean(numbers_of_rows(whole.weights_, rows), "weights")),
        offsets_(numbers_of_rows(whole.offsets_, rows)),
        y_(numbers_of_rows(whole.y_, rows)),
        middle_(whole.middle_) {
    take(std::make_shared<const Design>(chosen_rows(whole.design(), rows)), whole.function_->least());
  }

  void take(std::shared_ptr<const Design> design, double sigma_0) {
    const Index cols = design->cols;
    function_ = std::make_shared<square_root::RootMeanSquare>(y_, weights_, sigma_0, intercept_);
    set_function(std::make_shared<DesignMap>(std::move(design), Shape::vector(cols)), function_);
  }
  const Design& design() const { return *static_cast<const DesignMap&>(*map()).design(); }

  static std::shared_ptr<const Design> rows_of(const Options& o, const Context& context) {
    auto design = design_of_data(o.data, o.design, context);
    if (!o.data.empty())
      return std::make_shared<Design>(read_design(context.resolve(o.data), o.design, context));
    if (design) return design;
    throw Error(ErrorKind::usage, "data",
                "expected rows and responses, found " +
                    std::string(context.data ? "data in [data] without them" : "none"),
                "give objective.data = FILE, or a [data] section that makes a design");
  }
  /// The numbers that read_row_numbers gives for one option, or those of the design.
  static std::vector<double> numbers(const std::string& file, const Options& o, const Design& design,
                                     const std::vector<double>& of_design, const char* what,
                                     const Context& context) {
    const bool given = o.data.empty() && !file.empty();  // else read_design has read it
    return given ? read_row_numbers(context.resolve(file), design.rows, what, context) : of_design;
  }

  int threads_;
  bool intercept_;
  LinearTraining training_;
  std::vector<double> weights_, offsets_;
  std::vector<Index> groups_;
  std::vector<double> y_;  ///< less the offsets and, with an intercept, their mean
  double middle_ = 0.0;    ///< that mean
  std::optional<sdk::Standardized> standardized_;
  std::shared_ptr<const square_root::RootMeanSquare> function_;
};

}  // namespace

CLAROS_PLUGIN(
    SquareRoot, Kind::objective, "square-root", "concomitant", "1.0.0",
    "Root mean square of residuals, ||A x - y|| / sqrt(n), smoothed below sigma_0",
    "f(x) = min over sigma >= sigma_0 of ||A x - y||^2 / (2 n sigma) + sigma / 2: ||A x - y|| / "
    "sqrt(n) where that is at least sigma_0. With the penalty l1 it is the square-root (scaled, "
    "concomitant) lasso, whose lambda does not depend on the noise. With an intercept f is the minimum "
    "over it. Convex, with duality gaps.",
    "Belloni, Chernozhukov, Wang: Square-root lasso: pivotal recovery of sparse signals via conic "
    "programming, Biometrika 98, 2011; Ndiaye, Fercoq, Gramfort, Leclere, Salmon: Efficient smoothed "
    "concomitant lasso estimation for high dimensional regression, J. Phys. Conf. Ser. 904, 2017",
    "Use it for regression with noise of unknown size: with l1, one lambda serves responses in "
    "any units. It is one term, so stochastic gradient estimators save no work, and coordinate-descent "
    "refuses it. Without an intercept, columns whose means are large beside their deviations take "
    "many steps: centre them first. For other losses take linear-model.",
    "data.use=synthetic-regression data.rows=200 data.cols=500 data.nonzero=5 "
    "objective.use=square-root penalty.use=l1 penalty.lambda=0.27 stop.relative_gap=1e-6")
