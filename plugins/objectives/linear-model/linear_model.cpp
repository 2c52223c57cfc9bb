// SPDX-License-Identifier: BSD-3-Clause
#include "linear_model.hpp"

#include "chunk.hpp"
#include "fingerprint.hpp"
#include "responses.hpp"

#include <claros/dataset.hpp>
#include <claros/io/row_weights.hpp>
#include <claros/plugin.hpp>
#include <claros/world.hpp>
#include <shared/losses/weighted_rows.hpp>
#include <shared/map_elsewhere.hpp>
#include <shared/sets/number_rows.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace linear_model {

using namespace claros;

namespace {

constexpr const char* kName = "linear-model";

}  // namespace

Options::Options() = default;

namespace {

[[noreturn]] void refuse_corner(const std::string& beside) {
  throw Error(ErrorKind::usage, "loss.delta", "is 0: a loss with a corner does not go with " + beside,
              "set loss.delta above 0, small beside the noise of the response, to round the corner");
}

}  // namespace

const ParameterList& LinearModel::parameters() {
  static const ParameterTable<Options> table{
      {row("data", &Options::data, any(),
           "file of rows and responses, or, with * or ? in its name, files of consecutive rows "
           "(parts); empty: the data of the [data] section",
           "A, y"),
       row("responses", &Options::responses, any(),
           "several responses a row, the variable then having a column for each: columns of a table, by name "
           "or number (y1,y2,y3), which are not features, or a file of a line a row; empty: one response",
           "Y"),
       row("positive", &Options::positive, any(),
           "for losses of two classes: the responses that are taken as 1, all others being -1: a list (1,3,7 "
           "or names), or a "
           "comparison (<= 10); empty: -1 and 1, 0 and 1, 1 and 2, or two names say it themselves"),
       row("shape", &Options::shape, any(),
           "of the variable: auto is a vector (p x K for K classes or responses; a matrix where the data was "
           "made from one), 300x300 a matrix whose columns are stacked"),
       row("intercept", &Options::intercept,
           "whether a free number (one a class or response) is added to every product. auto: for a table "
           "(text, or dense rows with names of columns) without a set"),
       row("standardize", &Options::standardize,
           "solve with columns of variance 1, centred where an intercept can take that up, so that the units "
           "of columns do not decide what a penalty costs; the solution is in the units of the data. auto: "
           "for a table without a set, if the penalty is a factor of single coefficients or groups"),
       row("center", &Options::center,
           one_of<Center>({{Center::automatic, "auto"}, {Center::yes, "true"}, {Center::no, "false"}}),
           "solve with columns of mean 0, which the intercept takes up: the same problem, and the solution "
           "is in the units of the data. auto: if the rows are in memory and the mean of some column is more "
           "than 10 deviations from 0; of sparse rows, the columns with few zeros"),
       row("errors_in_variables", &Options::errors_in_variables, any(),
           "covariance of the errors in the rows, subtracted as x'Sx/2: a number, or a file of the diagonal "
           "or of the whole matrix",
           "S"),
       row("strong_convexity", &Options::strong_convexity, at_least(0), "of f, where it is known; 0: unknown",
           "s"),
       row("smoothness", &Options::smoothness, at_least(0), "of f; 0: computed", "L")},
      {include(&Options::design, design_rows())},
      {sdk::loss_role()}};
  return table;
}

namespace {

std::shared_ptr<const Design> find_design(const Options& options, DesignParts* parts, bool whole,
                                          const Context& context) {
  auto design = design_of_data(options.data, options.design, context);
  if (parts) return std::make_shared<Design>(whole ? parts->whole() : parts->head());
  if (!options.data.empty())
    return std::make_shared<Design>(
        read_rows(context.resolve(options.data), options.design, options.responses, context));
  if (!design)
    throw Error(ErrorKind::usage, "",
                context.data ? "linear-model needs rows and responses, which the data does not hold"
                             : "linear-model needs rows and responses",
                "give data = FILE, or a [data] section that makes a design");
  return with_responses(std::move(design), options.responses, context);
}

std::shared_ptr<DesignParts> find_parts(const Options& options, const Context& context) {
  if (!is_part_pattern(options.data, context)) return nullptr;
  if (!options.responses.empty())
    throw Error(ErrorKind::usage, "responses", "are several a row, and the rows are in parts",
                "give the rows in one file");
  auto parts = std::make_shared<DesignParts>(part_files(options.data, context), options.design, context,
                                             World::here());
  if (World::here().size() > 1 && options.standardize.is_on())
    throw Error(ErrorKind::usage, "standardize",
                "needs all rows, which are in parts: no rank of several reads them all",
                "scale the columns beforehand, or convert the parts into one file");
  context.note(options.data + ": " + parts->text() + ", " + std::to_string(parts->head().rows) + " rows of " +
               std::to_string(parts->head().cols) + " columns, " + std::to_string(parts->entries()) +
               " entries");
  return parts;
}

Origin origin_of(const Options& options, std::shared_ptr<DesignParts> parts, const Context& context) {
  if (options.data.empty()) return {"[data]", [](Index) { return std::string("[data]"); }};
  if (parts) return {options.data, [parts](Index row) { return parts->place_of_row(row); }};
  const auto file = context.resolve(options.data);
  return {file.string(),
          [file, &options, &context](Index row) { return place_of_row(file, options.design, row, context); }};
}

}  // namespace

LinearModel::LinearModel(const Options& options, const Context& context)
    : options_(options), threads_(context.threads) {
  parts_ = find_parts(options, context);
  Origin origin = origin_of(options, parts_, context);
  const bool whole = World::here().size() == 1;
  auto design = find_design(options, parts_.get(), whole, context);
  if (whole) parts_ = nullptr;
  const ThreadScope scope(threads_);
  const auto of_rows = [&](const std::string& file, const std::vector<double>& of_design, const char* what) {
    const bool given = options.data.empty() && !file.empty();  // else read_design has read it
    return given ? read_row_numbers(context.resolve(file), design->rows, what, context) : of_design;
  };
  sdk::WeightedRows rows =
      sdk::weighted_rows(design, of_rows(options.design.weights, design->weights, "weights"),
                         of_rows(options.design.offset, design->offset, "offsets"),
                         options.design.weights.empty() ? origin.where : options.design.weights,
                         is_part_pattern(options.data, context));
  const auto psi = sdk::loss_of(context, true);
  const auto corner = sdk::corner_of(*psi);
  if (corner) expect_simple(*design);
  if (psi->of_classes() || (wants_signs(*psi) && options.positive.empty()))
    expect_weight_of_classes(*design, rows.kept, origin.where);
  design = rows.design;
  origin.kept = std::move(rows.kept);
  offsets_ = std::move(rows.offsets);
  std::vector<double> weights = std::move(rows.weights);
  Targets targets = make_targets(*design, psi, options.positive, origin, context);
  if (!offsets_.empty()) targets = with_offsets(std::move(targets), offsets_, origin.where);
  if (options.intercept.is_on()) expect_intercept(targets, weights, origin.where);
  const Index outputs = targets.loss->outputs();
  const bool several = design->responses != nullptr;
  const Shape shape =
      variable_shape(design->cols, outputs, options.data.empty() ? context.data->truth() : nullptr);
  training_ = {.features = design->cols,
               .shape = shape,
               .outputs = outputs,
               .intercept = options.intercept.is_on(),
               .columns = design->column_names,
               .response = design->response_name,
               .classes = std::move(targets.classes),
               .positive = options.positive,
               .encoding = design->encoding,
               .offset = !offsets_.empty(),
               .responses = several ? names_of(*design->responses) : std::vector<std::string>()};
  note_missing_intercept(*design, context);
  standardized_ = transformed(*design, weights, origin.where, context);
  if (standardized_) design = standardized_->design;
  auto covariance_form = covariance(shape.size(), context);
  MapPtr map;
  if (parts_)
    map = std::make_shared<sdk::MapElsewhere>(
        training_.intercept ? Shape::vector(shape.size() + outputs) : shape, design->rows * outputs, kName);
  else
    map = std::make_shared<DesignMap>(std::move(design), shape, outputs, training_.intercept);
  set_model({.map = std::move(map),
             .targets = std::move(targets.values),
             .loss = std::move(targets.loss),
             .weights = std::move(weights),
             .covariance = std::move(covariance_form),
             .free_tail = training_.intercept ? outputs : 0,
             .constrained = shape,
             .target_sizes = std::move(targets.sizes),
             .entrywise = several});
  if (corner) corner_.emplace(*corner, model());
  if (!loss().constants().convex && !parts_) warn_of_flat_start(context);
}

/// The method for a loss with a corner is one of rows of one output.
void LinearModel::expect_simple(const Design& design) const {
  const std::string what = design.responses ? "several responses a row"
                           : parts_         ? "rows in parts on several ranks"
                           : options_.errors_in_variables != "0" && !options_.errors_in_variables.empty()
                               ? "errors in variables"
                               : "";
  if (!what.empty()) refuse_corner(what);
}

void LinearModel::add_gradient(const Element& x, const Batch& batch, double a, Element& g) {
  if (!corner_ || !batch.is_all()) return LossOnMap::add_gradient(x, batch, a, g);
  const auto z = x.image(map());
  std::vector<double> c(z.size());
  corner_->subgradient(z, c);
  model().scale(1.0 / static_cast<double>(terms()), 0, c);
  g.add_adjoint(a, map(), Buffer(std::move(c)));
  g.fold();
}

void LinearModel::balance(Element& x) {
  const double by = corner_->balance(x.image(map()));
  if (by == 0.0) return;
  std::vector<double> values = x.to_dense();
  values.back() += by;
  x = Element::dense(x.shape(), std::move(values));
}

bool LinearModel::takes_own_dual(std::span<double> u) const {
  if (!corner_ || corner_->slopes().size() != u.size()) return false;
  std::ranges::copy(corner_->slopes(), u.begin());
  return true;
}

/// Losses that saturate are flat far out: 0 is then a stationary point, at the worst of values.
void LinearModel::warn_of_flat_start(const Context& context) {
  std::vector<double> z(static_cast<std::size_t>(map()->size()), 0.0), c(z.size());
  image_gradient({}, z, c);
  const double most = std::abs(
      *std::ranges::max_element(model().targets, {}, [](double target) { return std::abs(target); }));
  if (most == 0.0 || std::ranges::any_of(c, [](double slope) { return slope != 0.0; })) return;
  context.warn("the loss has the slope 0 at x = 0 for every response, of which the largest is " +
               print_real(most) +
               " in size: a run from there ends there. Raise its scale (objective.loss.sigma, in squared "
               "units of the response), or start from a fit of another loss (start.from)");
}

void LinearModel::note_missing_intercept(const Design& design, const Context& context) const {
  if (!options_.intercept.is_automatic() || parts_ || !design.labels.empty() || design.responses) return;
  double mean = 0.0, square = 0.0;
  const auto n = static_cast<double>(std::max<Index>(design.rows, 1));
  for (const double y : design.response) mean += y / n;
  for (const double y : design.response) square += (y - mean) * (y - mean) / n;
  const bool far = std::abs(mean) > 2.0 * std::sqrt(square);
  if (!far && (options_.standardize.is_on() || design.is_sparse() || design.by_columns() || design.source ||
               !sdk::detail::seems_far(design)))
    return;
  context.note(std::string("the model has no intercept, and ") +
               (far ? "the mean of the response" : "the mean of a column") +
               " is far from 0 beside its deviation (objective.intercept = yes adds one, = no is silent)");
}

std::optional<sdk::Standardized> LinearModel::transformed(const Design& design,
                                                          const std::vector<double>& weights,
                                                          const std::string& where,
                                                          const Context& context) const {
  if (options_.standardize.is_on())
    return sdk::standardize(design, weights, training_.intercept, where, context);
  const bool in_parts = is_part_pattern(options_.data, context);
  const std::string against = !training_.intercept ? "has no intercept that would take the means up"
                              : in_parts           ? "needs all rows, which are in parts"
                                                   : "";
  if (options_.center == Center::yes && design.is_sparse())
    throw Error(ErrorKind::usage, "center", "would fill the rows, which are sparse", "set center = auto");
  if (options_.center == Center::yes && !against.empty())
    throw Error(ErrorKind::usage, "center", against, "set center = auto");
  if (options_.center == Center::yes) return sdk::center(design, weights, false, where, context);
  if (options_.center == Center::no || !against.empty() || design.source) return std::nullopt;
  try {
    return sdk::center(design, weights, true, where, context);
  } catch (const Error& error) {
    context.warn(
        "columns that are far from 0 beside their deviations are not centred, and steps may be "
        "many: " +
        std::string(error.what()));
    return std::nullopt;
  }
}

Shape LinearModel::variable_shape(Index cols, Index outputs, const Element* truth) const {
  const std::string& text = options_.shape;
  if (text == "auto" && truth && outputs == 1 && truth->shape().size() == cols) return truth->shape();
  if (text == "auto") return outputs == 1 ? Shape::vector(cols) : Shape::matrix(cols, outputs);
  Index sides[2] = {0, 0};
  const auto x = text.find('x');
  for (int k = 0; k < 2 && x != text.npos; ++k) {
    const char *begin = text.data() + (k == 0 ? 0 : x + 1), *end = text.data() + (k == 0 ? x : text.size());
    if (std::from_chars(begin, end, sides[k]).ptr != end) sides[k] = 0;
  }
  if (sides[0] < 1 || sides[1] < 1)
    throw Error(ErrorKind::usage, "shape", "'" + text + "' is not a shape",
                "give auto, or rows x columns as in 300x300");
  if (outputs > 1 && (sides[0] != cols || sides[1] != outputs))
    throw Error(ErrorKind::usage, "shape",
                "the variable of " + std::to_string(outputs) + " outputs a row is " +
                    Shape::matrix(cols, outputs).text() + ", not " + text,
                "leave shape = auto");
  return Shape::matrix(sides[0], sides[1]);
}

std::shared_ptr<const sdk::QuadraticForm> LinearModel::covariance(Index size, const Context& context) const {
  const std::string& text = options_.errors_in_variables;
  if (text == "0" || text.empty()) return nullptr;
  if (options_.standardize.is_on())
    throw Error(ErrorKind::usage, "errors_in_variables",
                "is in the units of the data and cannot be combined with standardize",
                "scale rows and covariance beforehand, and set standardize = false");
  double gamma = 0.0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), gamma);
  if (code != std::errc{} || end != text.data() + text.size()) {
    const sdk::NumberRows rows = sdk::number_rows(text, "errors_in_variables", context);
    if (rows.count > 1 && rows.width > 1 && (rows.count != size || rows.width != size))
      throw Error(ErrorKind::data, "errors_in_variables",
                  "'" + text + "' is a matrix of " + std::to_string(rows.count) + " x " +
                      std::to_string(rows.width) + ", and the rows have " + std::to_string(size) +
                      " features",
                  "give the diagonal, or a square matrix of that size");
    return std::make_shared<sdk::QuadraticForm>(size, rows.values, "errors_in_variables");
  }
  if (!(gamma >= 0.0) || !std::isfinite(gamma))
    throw Error(ErrorKind::usage, "errors_in_variables", "the variance is " + text,
                "give a finite number >= 0, or a file");
  return gamma > 0.0 ? std::make_shared<sdk::QuadraticForm>(sdk::QuadraticForm::scalar(size, gamma))
                     : nullptr;
}

Element LinearModel::original(const Element& x) const {
  return standardized_ ? sdk::original(*standardized_, x, model().outputs(), training_.intercept) : x;
}

Element LinearModel::scaled(const Element& x) const {
  return standardized_ ? sdk::scaled(*standardized_, x, model().outputs(), training_.intercept) : x;
}

std::unique_ptr<sdk::TermChunk> LinearModel::chunk(Index first, Index count) {
  if (model().covariance)
    throw Error(ErrorKind::usage, "errors_in_variables",
                "is not a sum of terms, which alone are summed over ranks",
                "leave it out, or run without objective.use = sharded");
  if (corner_) refuse_corner("a sum over ranks");
  const auto of = [&](const std::vector<double>& all) {
    if (all.empty()) return std::vector<double>();
    const auto part = model().part(all, first, first + count);
    return std::vector<double>(part.begin(), part.end());
  };
  const auto rows = parts_ ? std::make_shared<const Design>(parts_->rows(first, count))
                           : row_range(design_map().design(), first, count);
  auto map = std::make_shared<const DesignMap>(rows, training_.shape, training_.outputs, training_.intercept);
  return std::make_unique<Chunk>(sdk::LossModel{.map = map,
                                                .targets = of(model().targets),
                                                .loss = model().loss,
                                                .weights = of(model().weights),
                                                .target_sizes = of(model().target_sizes),
                                                .entrywise = model().entrywise},
                                 map);
}

bool LinearModel::has_dual() const {
  return loss().constants().convex && loss().has_conjugate() && !model().covariance && model().free_tail == 0;
}

/// For parts, entries are left out: each row is read by one rank, and parts are compared when they are found.
Index LinearModel::fingerprint() const {
  Design sizes;
  sizes.cols = training_.features;
  const Design& design = parts_ ? sizes : *design_map().design();
  const auto responses =
      design.responses ? std::span<const double>(design.responses->values) : std::span<const double>();
  return linear_model::fingerprint(design, {model().targets, model().weights, offsets_, responses});
}

const DesignMap& LinearModel::design_map() const {
  if (parts_) sdk::MapElsewhere::refuse(kName);
  return static_cast<const DesignMap&>(*map());
}

void* LinearModel::ability(std::string_view id) noexcept {
  if (id == FreeTail::kAbility && !training_.intercept) return nullptr;
  if (id == Rescaled::kAbility && !standardized_) return nullptr;
  if (id == Cornered::kAbility && !corner_) return nullptr;
  if (id == TermConstants::kAbility && !loss().constants().smoothness) return nullptr;
  if (void* mine =
          offer<FreeTail, Rescaled, LinearPredictor, TermConstants, Cornered, sdk::TermChunks>(this, id))
    return mine;
  return LossOnMap::ability(id);
}

}  // namespace linear_model

CLAROS_PLUGIN(
    linear_model::LinearModel, claros::Kind::objective, "linear-model", "", "1.0.0",
    "Linear model, (1/n) sum_i w_i psi(<a_i, x> + o_i, y_i): regression, classification",
    "f(x) = (1/n) sum_i w_i psi(<a_i, x> + o_i, y_i) - x'Sx/2, sum_i w_i = n: regression, "
    "classification, matrix regression and sensing, with weights w and offsets o of the rows. Rows "
    "are dense or sparse, the variable a vector, a matrix, or one column a class or response; with Hessian "
    "products and, where it is "
    "convex, duality gaps.",
    "Qu, Li, Xu: Linear convergence of SVRG in statistical estimation; Li, Qu, Xu: Projection-free "
    "algorithms in statistical estimation",
    "Use it for rows of numbers and responses: regression and classification with any loss, also "
    "of several responses. With errors_in_variables f is not convex, and a run proves a "
    "stationary point at best. For censored times take cox, for noise of unknown size "
    "square-root, for rows on several machines sharded around it.",
    "data.use=synthetic-regression data.rows=500 data.cols=2000 data.nonzero=20 "
    "objective.use=linear-model penalty.use=l1 penalty.lambda=0.1*max stop.relative_gap=1e-6")
