// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/dataset.hpp>
#include <claros/io/ratings.hpp>
#include <claros/io/row_weights.hpp>
#include <claros/io/training.hpp>
#include <claros/map/sampling_map.hpp>
#include <claros/parts/design_parts.hpp>
#include <claros/parts/rating_parts.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/loss_on_map.hpp>
#include <claros/world.hpp>
#include <shared/entry_terms.hpp>
#include <shared/map_elsewhere.hpp>

#include "baseline.hpp"
#include "feature_map.hpp"
#include "held_out_entries.hpp"
#include "observed_entries.hpp"
#include "options.hpp"
#include "side_features.hpp"
#include "spread_ratings.hpp"
#include "unobserved_entries.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace {

using namespace claros;
using matrix_completion::HeldOutEntries;
using matrix_completion::Layout;
using matrix_completion::observations;
using matrix_completion::Options;
using matrix_completion::require_accepted;
using matrix_completion::training_of;

ParameterRow<Options> feature_row(std::size_t k) {
  const std::vector<ParameterRow<Options>> rows{
      row("row_features", &Options::row_features, any(),
          "file of numbers that describe the rows: X = A M B', and the variable is M. Lines are id, "
          "feature, value; or a matrix (Matrix Market, .npy, a table) whose line k is of row k",
          "A"),
      row("col_features", &Options::col_features, any(), "likewise of the columns", "B"),
      row("row_indicators", &Options::row_indicators, at_least(0),
          "adds a column to A for each row, with this number in it: what its features do not say"),
      row("col_indicators", &Options::col_indicators, at_least(0), "likewise of the columns")};
  return rows[k];
}

std::vector<ParameterRow<matrix_completion::BaselineOptions>> baseline_rows() {
  using B = matrix_completion::BaselineOptions;
  return {
      row("center", &B::center, one_of<matrix_completion::Center>(matrix_completion::center_words()),
          "what is fitted first and taken off the values: mean is mu, biases are mu + b_i + c_j; for losses "
          "of x - y "
          "(such as squared, robust, huber)"),
      row("row_bias_regularization", &B::row_bias_regularization, above(0),
          "weight of ||b||^2/2 against the sum over the entries: as if so many more entries of a row were mu",
          "lambda_b"),
      row("col_bias_regularization", &B::col_bias_regularization, above(0), "likewise of ||c||^2/2",
          "lambda_c")};
}

/// f(X) = (1/n) sum_{(i,j) in Omega} psi(X_ij, Y_ij), X in R^{rows x cols}, Omega the n observed positions.
/// (Shen et al. 2019, equation 4, with the 1/n of equation 1.) With weights w it is the weighted mean, sum w
/// psi / sum w.
///
/// With a center, Y_ij is the value less the baseline, Y_ij - mu - b_i - c_j (baseline.hpp). The baseline is
/// fitted before the run and held. Value, gradient and every bound are those of the problem in X alone.
///
/// Implicit feedback (Hu, Koren, Volinsky 2008), for the squared loss: positions that are not observed count
/// as 0 with weight w0,
///     f(X) = (1/sum w) (sum_{Omega} (w/2) (X - Y)^2 + (w0/2) sum_{not Omega} X^2)
///          = (1/sum w) (sum_{Omega} ((w - w0)/2) (X - w Y/(w - w0))^2 + (w0/2) ||X||_F^2) + constant,
/// which costs no more than the entries of Omega and X itself.
///
/// With features A of the rows and B of the columns the variable is M, X = A M B' (Jain, Dhillon 2013; Xu,
/// Jin, Zhou 2013). The gradient is A' G B, G the sparse gradient in X. Solutions are written as X.
///
/// On several ranks, entries in parts stay with the ranks that own them. A sum over ranks takes them, and
/// only that sum has terms.
class MatrixCompletion final : public sdk::LossOnMap,
                               public HeldOut,
                               public Start,
                               public Predictor,
                               public Rescaled,
                               public SideFeatures,
                               public sdk::EntryTerms {
 public:
  using Options = matrix_completion::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(),
             "file of observed entries: triplets as text, or Matrix Market; may be compressed; or a matrix "
             "(layout); or, with * or ? in its name, several files of entries (parts). Without one they come "
             "from the [data] section"),
         row("layout", &Options::layout,
             one_of<Layout>(
                 {{Layout::automatic, "auto"}, {Layout::list, "list"}, {Layout::matrix, "matrix"}}),
             "list: a line is row, column, value; matrix: every entry stands at its place, and those that "
             "are missing (NaN, blank, NA) are not observed. auto: pictures, dense Matrix Market files, and "
             "tables and arrays of more than 8 or less than 3 columns are matrices"),
         row("test", &Options::test, any(),
             "file of further entries, in the same ids, whose RMSE is measured (test_rmse)"),
         row("held_out", &Options::held_out, between(0, 0.5),
             "share of the entries that is held out at random (run.seed) in place of test; 0: none"),
         row("unobserved", &Options::unobserved, at_least(0),
             "weight of every position that is not observed, as if its value were 0 (implicit feedback); of "
             "the squared loss",
             "w_0"),
         row("implicit", &Options::implicit,
             "values are counts r >= 0, such as views: each above 0 is seen as 1, with the weight 1 + "
             "confidence r, and 0 as a position that is not observed; those of test likewise"),
         row("confidence", &Options::confidence, at_least(0), "see implicit", "alpha"), feature_row(0),
         feature_row(1), feature_row(2), feature_row(3)},
        {include(&Options::baseline, baseline_rows()), include(&Options::ratings, ratings_rows())},
        {sdk::loss_role()}};
    return table;
  }

  MatrixCompletion(const Options& options, const Context& context) {
    require_held_out(options, context);
    is_part_pattern(options.data, context) ? hold_parts(options, context) : hold_whole(options, context);
  }

  /// Parts on several ranks have terms in a sum over ranks alone.
  Index terms() const override {
    if (parts_) sdk::MapElsewhere::refuse("matrix-completion");
    return LossOnMap::terms();
  }
  double value(const Element& x) override { return LossOnMap::value(x) + constant_; }
  double lower_bound(const Element& x, Conjugate& h) override {
    return LossOnMap::lower_bound(x, h) + constant_;
  }

  void refer(References& references) const override {
    LossOnMap::refer(references);
    references.add("entries", training_.entries);
  }

  /// The map selects entries and has norm 1: f is max w L_psi/n + mu smooth, one component max w L_psi + mu.
  /// With features its norm, and those of its rows, are factors.
  Constants constants() const override {
    const auto& w = model().weights;
    return constants_of(terms(), w.empty() ? 1.0 : *std::ranges::max_element(w));
  }

  /// The mean-filled data, less a baseline if one is subtracted.
  Element start_point(const Shape&) override {
    if (sides_)
      throw Error(ErrorKind::usage, "start.from",
                  "mean-fill is a matrix X, and of X = A M B' the variable is M", "set start.from = zero");
    const auto& pattern = static_cast<const SamplingMap&>(*map()).pattern();
    std::vector<double> above(model().targets.begin(), model().targets.end());
    for (double& value : above) value -= mean_;
    Element filled = Element::sparse(pattern, Buffer(std::move(above)));
    const std::vector<double> ones(at(pattern->rows()), 1.0), across(at(pattern->cols()), 1.0);
    filled.add(1.0, Element::rank_one(mean_, ones, across));
    return filled;
  }

  double test_rmse(const Element& x) override { return held_out_.rmse(x, loss()); }

  const Training& training() const override { return training_; }

  Element original(const Element& m) const override { return sides_->outer(m); }
  Element scaled(const Element&) const override {
    throw Error(ErrorKind::usage, "start.from", "is a matrix X, and of X = A M B' the variable is M",
                "leave it out");
  }
  const Features* features(Side side) const override {
    const auto& read = side == Side::rows ? row_features_ : col_features_;
    return read ? &*read : nullptr;
  }
  Element across(const Element& m, Side side) const override {
    matrix_completion::Sides some{sides_->rows, sides_->cols};
    Features& own = side == Side::rows ? some.rows : some.cols;
    own = Features::indicators(own.width, 1.0);
    return some.outer(m);
  }

  sdk::TakenEntries take_entries() override {
    if (sides_)
      throw Error(ErrorKind::usage, "row_features", "of rows or columns do not go with sharded sums",
                  "run without sharded");
    training_.entries = nullptr;
    training_.targets = {};
    training_.weights = {};
    const Constants known = parts_ ? constants_of(parts_->entries(), largest_weight_) : constants();
    sdk::TakenEntries taken{{}, std::exchange(parts_, nullptr), mu_, constant_, known};
    taken.model = take_model(std::make_shared<SamplingMap>(std::make_shared<Pattern>(
        shape().rows, shape().cols, std::vector<std::int32_t>(), std::vector<std::int32_t>())));
    return taken;
  }

  void* ability(std::string_view id) noexcept override {
    if (!sides_ && (id == Rescaled::kAbility || id == SideFeatures::kAbility)) return nullptr;
    void* own = offer<HeldOut, Start, Predictor, Rescaled, SideFeatures, sdk::EntryTerms>(this, id);
    return own ? own : LossOnMap::ability(id);
  }

 protected:
  std::vector<double> squared_norms() const override {
    if (sides_) return static_cast<const matrix_completion::FeatureMap&>(*map()).squared_norms();
    return std::vector<double>(at(terms()), 1.0);
  }

 private:
  void hold_whole(const Options& options, const Context& context) {
    Ratings ratings = observations(options, context);
    matrix_completion::drop_weightless(ratings);
    const auto loss = loss_of_numbers(context);
    require_accepted(ratings, *loss,
                     options.data.empty() ? "[data]" : context.resolve(options.data).string());
    matrix_completion::require_difference(options, *loss);
    matrix_completion::require_implicit(options);
    if (options.implicit) {
      const auto all = std::ssize(ratings.value);
      see_counts(ratings, options.confidence, "implicit");
      matrix_completion::expect_views(all, std::ssize(ratings.value), context);
    } else if (options.unobserved == 0.0) {
      matrix_completion::notice_counts(ratings.value, context);
    }
    const Ratings held_out =
        options.held_out > 0.0 ? HeldOutEntries::taken(ratings, options.held_out, context) : Ratings{};
    training_ = training_of(ratings, options.ratings);
    if (options.unobserved > 0.0) include_unobserved();
    describe(options, context, ratings);
    if (!ratings.weight.empty())
      mean_weight_ = std::accumulate(ratings.weight.begin(), ratings.weight.end(), 0.0) /
                     static_cast<double>(ratings.weight.size());
    training_.folding = folding_of(options, static_cast<double>(ratings.value.size()));
    ratings.weight = weights_of_mean(std::move(ratings.weight), "weights");
    training_.baseline = matrix_completion::fit_baseline(ratings, *loss, options.baseline);
    read_test(options, context);
    if (options.held_out > 0.0) held_out_.hold(held_out, training_, maps());
    if (!training_.baseline.is_none())
      for (std::size_t e = 0; e < ratings.value.size(); ++e)
        ratings.value[e] -= training_.baseline.at(ratings.row[e], ratings.col[e]);
    const std::vector<double>& y = ratings.value;
    if (loss->constants().of_difference && !sides_)
      training_.nuclear_norm_of_values =
          bound_of_norm(std::inner_product(y.begin(), y.end(), y.begin(), 0.0));
    mean_ =
        std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(std::max<std::size_t>(y.size(), 1));
    if (options.unobserved > 0.0) observe_all(options, ratings, *loss);
    hold(std::move(ratings), loss);
  }

  /// The entries of all ranks: together on one rank, or left to a sum over ranks.
  void hold_parts(const Options& options, const Context& context) {
    require_parts_alone(options, context);
    parts_ = std::make_shared<RatingParts>(part_files(options.data, context), options.ratings, context,
                                           World::here());
    matrix_completion::SpreadRatings spread(*parts_);
    if (parts_->weighted()) {
      spread.for_each([](Ratings& entries, Index) { matrix_completion::drop_weightless(entries); });
      parts_->recount();
    }
    const auto loss = loss_of_numbers(context);
    spread.for_each([&](const Ratings& entries, Index) { require_accepted(entries, *loss, options.data); });
    matrix_completion::require_difference(options, *loss);
    matrix_completion::require_implicit(options);
    if (options.implicit) {
      const Index all = parts_->entries();
      parts_->set_weighted(true);
      spread.for_each([&](Ratings& entries, Index) { see_counts(entries, options.confidence, "implicit"); });
      parts_->recount();
      matrix_completion::expect_views(all, parts_->entries(), context);
    }
    training_ = training_of(*parts_, options.ratings);
    std::tie(training_.low, training_.high) = spread.range();
    if (options.unobserved > 0.0) include_unobserved();
    Ratings sizes = parts_->head();
    describe(options, context, sizes);
    mean_weight_ = spread.mean_weight();
    training_.folding = folding_of(options, static_cast<double>(parts_->entries()));
    spread.scale_weights();
    training_.baseline = spread.fit(*loss, options.baseline);
    read_test(options, context);
    spread.subtract(training_.baseline);
    context.note(options.data + ": " + parts_->text() + ", " + std::to_string(parts_->entries()) +
                 " entries of a " + Shape::matrix(sizes.rows, sizes.cols).text() + " matrix");
    if (loss->constants().of_difference && !sides_)
      training_.nuclear_norm_of_values = bound_of_norm(spread.squares());
    mean_ = spread.mean();
    if (options.unobserved > 0.0) observe_parts(options, spread, *loss);
    if (World::here().size() == 1) return hold_joined(loss, sizes);
    largest_weight_ = spread.largest_weight();
    set_elsewhere(std::make_shared<sdk::MapElsewhere>(Shape::matrix(sizes.rows, sizes.cols),
                                                      parts_->entries(), "matrix-completion"),
                  loss);
  }

  void hold_joined(const std::shared_ptr<const Loss>& loss, const Ratings& sizes) {
    Ratings ratings = parts_->whole();
    parts_ = nullptr;
    ratings.rows = sizes.rows;
    ratings.cols = sizes.cols;
    hold(std::move(ratings), loss);
  }

  static void require_parts_alone(const Options& options, const Context& context) {
    const std::string parts = "is of one file, and " + options.data + " names parts";
    if (context.data)
      throw Error(ErrorKind::usage, "", "names '" + options.data + "', and the [data] section makes data too",
                  "keep one of them");
    if (options.layout == Layout::matrix)
      throw Error(ErrorKind::usage, "layout", parts,
                  "write the parts as lines of row, column, value, or give one file");
    const bool features = !options.row_features.empty() || !options.col_features.empty();
    if (features && World::here().size() > 1)
      throw Error(ErrorKind::usage, options.row_features.empty() ? "col_features" : "row_features",
                  "of rows or columns do not go with sharded sums", "start one rank, without sharded");
  }

  static std::shared_ptr<const Loss> loss_of_numbers(const Context& context) {
    auto loss = sdk::loss_of(context);
    if (loss->of_classes())
      throw Error(ErrorKind::usage, "loss", "is a loss of classes, and an entry of the matrix is one number",
                  "take another, or objective.use = linear-model for a variable of a column a class");
    return loss;
  }

  /// Ratings of the problem in X.
  void hold(Ratings ratings, const std::shared_ptr<const Loss>& loss) {
    const auto pattern =
        std::make_shared<Pattern>(ratings.rows, ratings.cols, std::move(ratings.row), std::move(ratings.col));
    sdk::LossModel model{.map = map_of(pattern),
                         .targets = std::move(ratings.value),
                         .loss = loss,
                         .weights = std::move(ratings.weight)};
    if (mu_ > 0.0)
      model.covariance =
          std::make_shared<sdk::QuadraticForm>(sdk::QuadraticForm::scalar(model.map->domain().size(), -mu_));
    set_model(std::move(model));
    training_.entries = pattern;
    if (mu_ == 0.0 && !sides_) {
      training_.targets = this->model().targets;
      training_.weights = this->model().weights;
    }
  }

  /// The constants of n terms whose largest weight is `most`.
  Constants constants_of(Index terms, double most) const {
    const LossConstants psi = loss().constants();
    const double n = static_cast<double>(terms);
    const auto times = [](std::optional<double> a, double b, double c) {
      return a ? std::optional(*a * b + c) : std::nullopt;
    };
    Constants c;
    c.convex = psi.convex;
    if (sides_) return with_features(c, psi, most / n);
    c.term_smoothness = times(psi.smoothness, most, mu_);
    c.smoothness = times(psi.smoothness, most / n, mu_);
    if (mu_ > 0.0) c.strong_convexity = mu_;
    c.lower_smoothness = times(psi.lower_smoothness, most, 0.0);
    c.lower_bound = mu_ > 0.0 ? std::optional(0.0) : psi.lower_bound;
    c.term_hessian_smoothness = times(psi.third, most, 0.0);
    c.hessian_smoothness = times(psi.third, most / n, 0.0);
    return c;
  }

  /// Reads features; sides without any have one indicator each.
  void describe(const Options& options, const Context& context, Ratings& ratings) {
    const bool any = !options.row_features.empty() || !options.col_features.empty();
    if (!any && (options.row_indicators > 0.0 || options.col_indicators > 0.0))
      throw Error(ErrorKind::usage, options.row_indicators > 0.0 ? "row_indicators" : "col_indicators",
                  "is beside features, and none are given", "give row_features or col_features");
    if (!any) return;
    if (options.unobserved > 0.0)
      throw Error(ErrorKind::usage, "unobserved",
                  "sums over all positions of X, and the variable is M of X = A M B'",
                  "leave it out, or the features");
    auto sides = std::make_shared<matrix_completion::Sides>();
    sides->rows = matrix_completion::side_of(row_features_, options.row_features, "row",
                                             options.row_indicators, context, training_.rows);
    sides->cols = matrix_completion::side_of(col_features_, options.col_features, "col",
                                             options.col_indicators, context, training_.cols);
    ratings.rows = training_.rows.count;
    ratings.cols = training_.cols.count;
    training_.folding = {};
    sides_ = std::move(sides);
  }
  void read_test(const Options& options, const Context& context) {
    if (!options.test.empty()) held_out_.read(options, training_, context, maps());
  }
  HeldOutEntries::MapOf maps() const {
    return [this](auto pattern) { return map_of(std::move(pattern)); };
  }
  MapPtr map_of(std::shared_ptr<const Pattern> pattern) const {
    if (sides_) return std::make_shared<matrix_completion::FeatureMap>(std::move(pattern), sides_);
    return std::make_shared<SamplingMap>(std::move(pattern));
  }
  /// f is the mean of losses of <a_i b_j', M>: at most max w L_psi/n ||A||^2 ||B||^2 smooth.
  Constants with_features(Constants c, const LossConstants& psi, double most) const {
    const auto& features = static_cast<const matrix_completion::FeatureMap&>(*map());
    const double row = std::ranges::max(features.squared_norms()), n = static_cast<double>(terms());
    if (psi.smoothness) c.term_smoothness = *psi.smoothness * most * n * row;
    if (psi.smoothness) c.smoothness = *psi.smoothness * most * features.largest_eigenvalue();
    if (psi.lower_smoothness) c.lower_smoothness = *psi.lower_smoothness * most * n * row;
    c.lower_bound = psi.lower_bound;
    return c;
  }

  static void require_held_out(const Options& options, const Context& context) {
    if (options.held_out == 0.0) return;
    const bool in_parts = is_part_pattern(options.data, context);
    if (in_parts || !options.test.empty())
      throw Error(ErrorKind::usage, "held_out",
                  in_parts ? "is of entries in one file, and " + options.data + " names parts"
                           : "makes test entries, and test names a file of them",
                  in_parts ? "give a file as test" : "keep one of them");
  }
  /// Positions that are not observed count as 0, which the range of the values therefore has.
  void include_unobserved() {
    training_.low = std::min(training_.low, 0.0);
    training_.high = std::max(training_.high, 0.0);
  }
  /// Weights and targets of the entries, mu and the constant of the sum over all positions. Weights have mean
  /// 1, in which unit w0 is too.
  void observe_all(const Options& options, Ratings& ratings, const Loss& loss) {
    matrix_completion::require_squares(options, loss);
    const double n = static_cast<double>(ratings.value.size());
    constant_ = matrix_completion::observe(options, mean_weight_, n, ratings);
    mu_ = options.unobserved / mean_weight_ / n;
  }
  void observe_parts(const Options& options, matrix_completion::SpreadRatings& spread, const Loss& loss) {
    matrix_completion::require_squares(options, loss);
    const double n = static_cast<double>(parts_->entries());
    parts_->set_weighted(true);
    constant_ = spread.sum("what is not observed", [&](Ratings& entries) {
      return matrix_completion::observe(options, mean_weight_, n, entries);
    });
    mu_ = options.unobserved / mean_weight_ / n;
  }
  /// ||Y||_* <= sqrt(rank) ||Y||_F, where the rank is at most the number of rows, or columns, with entries.
  double bound_of_norm(double squares) const {
    const auto with_entries = [](const Ids& ids) {
      return std::ssize(ids.entries) - std::ranges::count(ids.entries, Index{0});
    };
    return std::sqrt(
        static_cast<double>(std::min(with_entries(training_.rows), with_entries(training_.cols))) * squares);
  }

  FoldingRule folding_of(const Options& options, double entries) const {
    const auto& baseline = options.baseline;
    return {.total_weight = mean_weight_ * entries,
            .unobserved = options.unobserved,
            .row_bias = mean_weight_ * baseline.row_bias_regularization,
            .col_bias = mean_weight_ * baseline.col_bias_regularization,
            .confidence = options.implicit ? std::optional(options.confidence) : std::nullopt};
  }

  /// The entries, where they are in parts and the ranks are several, until a sum over ranks takes them.
  std::shared_ptr<RatingParts> parts_;
  double largest_weight_ = 1.0;       ///< of them
  double mean_ = 0.0;                 ///< of the observed values
  double mean_weight_ = 1.0;          ///< of the weights as they were given
  double mu_ = 0.0, constant_ = 0.0;  ///< of the sum over positions that are not observed
  Training training_;
  std::shared_ptr<const matrix_completion::Sides> sides_;  ///< null: X is the variable
  std::optional<Features> row_features_, col_features_;    ///< as read, in order
  matrix_completion::HeldOutEntries held_out_;
};

}  // namespace

CLAROS_PLUGIN(
    MatrixCompletion, Kind::objective, "matrix-completion", "", "1.0.0",
    "Matrix completion, the mean loss on the observed entries",
    "f(X) = (1/n) sum over the observed (i,j) of psi(X_ij, Y_ij). Only the observed entries are ever "
    "formed: the gradient is n numbers on their pattern. With a center, Y stands for the values without "
    "mu (+ b_i + c_j), which is fitted before the run and held: predictions are mu + b_i + c_j + X_ij, "
    "value and gap are those of the problem in X.",
    "Shen, Fang, Zhao, Huang, Qian: Complexities in projection-free stochastic non-convex minimization, "
    "AISTATS 2019, eq. (4)",
    "Use it for ratings and other matrices with few observed entries: only these are stored. Set "
    "center = biases for ratings, and the loss huber or robust where some entries are wrong. For "
    "linear measurements of a matrix take matrix-sensing. For a picture or a table with few "
    "holes take distance.",
    "data.use=synthetic objective.use=matrix-completion "
    "set.use=nuclear-ball set.radius=50 stop.relative_gap=1e-2")
