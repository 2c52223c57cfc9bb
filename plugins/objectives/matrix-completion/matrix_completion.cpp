// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/dataset.hpp>
#include <claros/io/matrix_file.hpp>
#include <claros/io/ratings.hpp>
#include <claros/io/training.hpp>
#include <claros/map/sampling_map.hpp>
#include <claros/plugin.hpp>
#include <claros/results/prediction.hpp>
#include <claros/sdk/loss_on_map.hpp>

#include "baseline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

namespace {

using namespace claros;

enum class Layout { automatic, list, matrix };

struct Options {
  std::string data, test;
  Layout layout = Layout::automatic;
  RatingsOptions ratings;
  matrix_completion::BaselineOptions baseline;
};

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
/// (Shen et al. 2019, equation 4, with the 1/n of equation 1.) With a center, Y_ij stands for what the
/// baseline leaves of the value, Y_ij - mu - b_i - c_j (baseline.hpp): the baseline is fitted before the run
/// and held, and value, gradient and every bound are those of the problem in X alone.
class MatrixCompletion final : public sdk::LossOnMap, public HeldOut, public Start, public Predictor {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(),
             "file of observed entries: triplets as text, or Matrix Market; may be compressed; or a matrix "
             "(layout). Without one they come from the [data] section"),
         row("layout", &Options::layout,
             one_of<Layout>(
                 {{Layout::automatic, "auto"}, {Layout::list, "list"}, {Layout::matrix, "matrix"}}),
             "list: a line is row, column, value; matrix: every entry stands at its place, and those that "
             "are "
             "missing (NaN, blank, NA) are not observed. auto: pictures, dense Matrix Market files, and "
             "tables "
             "and arrays of more than 8 or less than 3 columns are matrices"),
         row("test", &Options::test, any(),
             "file of further entries, in the same ids, whose RMSE is measured (test_rmse)")},
        {include(&Options::baseline, baseline_rows()), include(&Options::ratings, ratings_rows())},
        {sdk::loss_role()}};
    return table;
  }

  MatrixCompletion(const Options& options, const Context& context) {
    Ratings ratings = observations(options, context);
    const auto loss = sdk::loss_of(context);
    if (loss->of_classes())
      throw Error(ErrorKind::usage, "loss", "is a loss of classes, and an entry of the matrix is one number",
                  "take another, or objective.use = linear-model for a variable of a column a class");
    require_accepted(ratings, *loss,
                     options.data.empty() ? "[data]" : context.resolve(options.data).string());
    require_difference(options, *loss);
    training_ = training_of(ratings, options.ratings);
    training_.baseline = matrix_completion::fit_baseline(ratings, *loss, options.baseline);
    if (!options.test.empty()) read_test(context.resolve(options.test), options.ratings);
    if (!training_.baseline.is_none())
      for (std::size_t e = 0; e < ratings.value.size(); ++e)
        ratings.value[e] -= training_.baseline.at(ratings.row[e], ratings.col[e]);
    mean_ = std::accumulate(ratings.value.begin(), ratings.value.end(), 0.0) /
            static_cast<double>(std::max<std::size_t>(ratings.value.size(), 1));
    auto pattern =
        std::make_shared<Pattern>(ratings.rows, ratings.cols, std::move(ratings.row), std::move(ratings.col));
    training_.entries = pattern;
    set_model(std::make_shared<SamplingMap>(std::move(pattern)), std::move(ratings.value), loss);
    training_.targets = model().targets;
  }

  void refer(References& references) const override {
    LossOnMap::refer(references);
    references.add("entries", static_cast<const SamplingMap&>(*map()).pattern());
  }

  /// A selects entries, so ||A|| = 1: f is L_psi/n smooth, one component L_psi smooth.
  Constants constants() const override {
    const LossConstants psi = loss().constants();
    const double n = static_cast<double>(terms());
    Constants c;
    c.convex = psi.convex;
    c.term_smoothness = psi.smoothness;
    c.lower_smoothness = psi.lower_smoothness;
    c.lower_bound = psi.lower_bound;
    if (psi.smoothness) c.smoothness = *psi.smoothness / n;
    c.term_hessian_smoothness = psi.third;
    if (psi.third) c.hessian_smoothness = *psi.third / n;
    return c;
  }

  /// The mean-filled data. Where a baseline is subtracted, of what it leaves.
  Element start_point(const Shape&) override {
    const auto& pattern = static_cast<const SamplingMap&>(*map()).pattern();
    std::vector<double> above(model().targets.begin(), model().targets.end());
    for (double& value : above) value -= mean_;
    Element filled = Element::sparse(pattern, Buffer(std::move(above)));
    const std::vector<double> ones(static_cast<std::size_t>(pattern->rows()), 1.0),
        across(static_cast<std::size_t>(pattern->cols()), 1.0);
    filled.add(1.0, Element::rank_one(mean_, ones, across));
    return filled;
  }

  double test_rmse(const Element& x) override {
    if (held_out_.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::vector<double> z(held_out_map_ ? static_cast<std::size_t>(held_out_map_->size()) : 0);
    if (held_out_map_) held_out_map_->apply(1.0, x, 0.0, z);
    double sum = 0.0;
    for (const HeldOutEntry& entry : held_out_)
      sum += std::pow((entry.output < 0 ? 0.0 : z[static_cast<std::size_t>(entry.output)]) - entry.value, 2);
    return std::sqrt(sum / static_cast<double>(held_out_.size()));
  }

  const Training& training() const override { return training_; }

  void* ability(std::string_view id) noexcept override {
    void* own = offer<HeldOut, Start, Predictor>(this, id);
    return own ? own : LossOnMap::ability(id);
  }

 protected:
  std::vector<double> squared_norms() const override {
    return std::vector<double>(static_cast<std::size_t>(terms()), 1.0);
  }

 private:
  struct HeldOutEntry {
    Index output;  ///< of held_out_map_; -1 where the training data lacks the row or the column, so that X
                   ///< has no entry
    double value;  ///< without the baseline
  };

  /// For other losses a value without its baseline is not a target.
  static void require_difference(const Options& options, const Loss& loss) {
    if (options.baseline.center == matrix_completion::Center::none || loss.constants().of_difference) return;
    throw Error(
        ErrorKind::usage, "center",
        word_of(matrix_completion::center_words(), options.baseline.center) +
            " does not go with this loss, which is not a function of x - y: a value without its mean is "
            "no target of it",
        "set center = none, or loss = squared, robust or huber");
  }

  static Ids ids_of(Index count, Index first, const std::vector<std::string>& names,
                    const std::vector<std::int32_t>& positions) {
    Ids ids{count, first, names, std::vector<Index>(static_cast<std::size_t>(count), 0)};
    for (const std::int32_t k : positions) ++ids.entries[static_cast<std::size_t>(k)];
    return ids;
  }
  static Training training_of(const Ratings& ratings, const RatingsOptions& options) {
    const Index first = options.ids == "zero-based" ? 0 : 1;
    Training training;
    training.rows = ids_of(ratings.rows, first, ratings.row_ids, ratings.row);
    training.cols = ids_of(ratings.cols, first, ratings.col_ids, ratings.col);
    const auto [low, high] = std::minmax_element(ratings.value.begin(), ratings.value.end());
    training.low = *low, training.high = *high;
    return training;
  }

  /// A matrix of 3 to 8 columns looks like a list: what is wrong with the list says how it is read as a
  /// matrix.
  static Ratings read_list(const std::filesystem::path& file, const Options& options,
                           const Context& context) {
    try {
      return read_ratings(file, options.ratings, context);
    } catch (const Error& error) {
      if (options.layout != Layout::automatic || error.kind() != ErrorKind::data) throw;
      std::vector<Complaint> complaints = error.complaints();
      for (Complaint& complaint : complaints)
        complaint.remedy += std::string(complaint.remedy.empty() ? "" : "; ") +
                            "lines are row, column, value; layout = matrix reads a matrix with a line a row";
      throw Error(error.kind(), std::move(complaints));
    }
  }

  static Ratings read_observations(const std::filesystem::path& file, const Options& options,
                                   const Context& context) {
    const bool whole =
        options.layout == Layout::matrix || (options.layout == Layout::automatic && holds_matrix(file));
    if (!whole) return read_list(file, options, context);
    const DenseTable table = read_matrix(file, context);
    require_size(table, options.ratings, file);
    Ratings entries{table.rows, table.cols, {}, {}, {}, {}, {}};
    for (Index i = 0; i < table.rows; ++i)
      for (Index j = 0; j < table.cols; ++j) {
        const double value = table.values[static_cast<std::size_t>(j * table.rows + i)];
        if (std::isnan(value)) continue;
        entries.row.push_back(static_cast<std::int32_t>(i)),
            entries.col.push_back(static_cast<std::int32_t>(j));
        entries.value.push_back(value);
      }
    if (entries.value.empty())
      throw Error(ErrorKind::data, file.string(), "expected at least one entry, found none but missing ones",
                  "give a matrix with numbers");
    context.note(file.string() + " is read as a " + Shape::matrix(table.rows, table.cols).text() +
                 " matrix of which " + std::to_string(entries.value.size()) +
                 " entries are observed (objective.layout = list reads row, column, value)");
    return entries;
  }
  static void require_size(const DenseTable& table, const RatingsOptions& ratings,
                           const std::filesystem::path& file) {
    if ((ratings.rows == 0 || ratings.rows == table.rows) &&
        (ratings.cols == 0 || ratings.cols == table.cols))
      return;
    throw Error(ErrorKind::data, file.string(),
                "is " + Shape::matrix(table.rows, table.cols).text() + ", which rows and cols are not",
                "leave rows and cols out: a matrix tells its size");
  }

  static Ratings observations(const Options& options, const Context& context) {
    if (!options.data.empty() && context.data)
      throw Error(ErrorKind::usage, "", "names '" + options.data + "', and the [data] section makes data too",
                  "keep one of them");
    if (!options.data.empty()) return read_observations(context.resolve(options.data), options, context);
    const auto made = context.data ? context.data->ratings() : nullptr;
    if (made) return *made;
    throw Error(ErrorKind::usage, "",
                "matrix-completion needs observed entries" +
                    std::string(context.data ? ", which the data of [data] does not have" : ""),
                "give data = FILE, or a [data] section that makes some");
  }

  void read_test(const std::filesystem::path& file, const RatingsOptions& options) {
    TextInput input(file);
    const Pairs pairs = read_pairs(input, training_, {options.delimiter, options.header});
    if (pairs.known.empty())
      throw Error(ErrorKind::data, file.string(), "has no third column",
                  "give row, column, value on every line");
    std::map<std::pair<Index, Index>, Index> positions;  // sorted, each once, as a pattern wants them
    for (std::size_t k = 0; k < pairs.row.size(); ++k)
      if (pairs.row[k] >= 0 && pairs.col[k] >= 0) positions.emplace(std::pair(pairs.row[k], pairs.col[k]), 0);
    std::vector<std::int32_t> row, col;
    for (auto& [position, output] : positions) {
      output = static_cast<Index>(row.size());
      row.push_back(static_cast<std::int32_t>(position.first));
      col.push_back(static_cast<std::int32_t>(position.second));
    }
    for (std::size_t k = 0; k < pairs.row.size(); ++k) {
      const auto at = positions.find({pairs.row[k], pairs.col[k]});
      held_out_.push_back({at == positions.end() ? -1 : at->second,
                           pairs.known[k] - training_.baseline.at(pairs.row[k], pairs.col[k])});
    }
    if (row.empty()) return;
    held_out_map_ = std::make_shared<SamplingMap>(std::make_shared<Pattern>(
        training_.rows.count, training_.cols.count, std::move(row), std::move(col)));
  }

  static std::string name(const std::vector<std::string>& ids, std::int32_t k) {
    return ids.empty() ? std::to_string(k + 1) : ids[static_cast<std::size_t>(k)];
  }
  static void require_accepted(const Ratings& ratings, const Loss& loss, const std::string& file) {
    for (std::size_t e = 0; e < ratings.value.size(); ++e)
      if (!loss.accepts(ratings.value[e]))
        throw Error(ErrorKind::data, file,
                    "the value in row " + name(ratings.row_ids, ratings.row[e]) + ", column " +
                        name(ratings.col_ids, ratings.col[e]) +
                        (ratings.row_ids.empty() ? " (counted from 1) is " : " is ") +
                        print_real(ratings.value[e]) + "; the loss needs " + loss.targets(),
                    "change the values, or take another loss");
  }

  double mean_ = 0.0;  ///< of the observed values
  Training training_;
  std::shared_ptr<const SamplingMap> held_out_map_;
  std::vector<HeldOutEntry> held_out_;
};

}  // namespace

CLAROS_PLUGIN(
    MatrixCompletion, Kind::objective, "matrix-completion", "", "1.0.0",
    "Matrix completion, the mean loss on the observed entries",
    "f(X) = (1/n) sum over the observed (i,j) of psi(X_ij, Y_ij). Only the observed entries are ever formed: "
    "the "
    "gradient is n numbers on their pattern. With a center, Y stands for the values without mu (+ b_i + "
    "c_j), which is fitted before "
    "the run and held: predictions are mu + b_i + c_j + X_ij, value and gap are those of the problem in X.",
    "Shen, Fang, Zhao, Huang, Qian: Complexities in projection-free stochastic non-convex minimization, "
    "AISTATS 2019, eq. (4)")
