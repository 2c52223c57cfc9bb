// SPDX-License-Identifier: BSD-3-Clause
#include <claros/abilities.hpp>
#include <claros/dataset.hpp>
#include <claros/plugin.hpp>
#include <claros/prediction.hpp>
#include <claros/ratings.hpp>
#include <claros/sampling_map.hpp>
#include <claros/sdk/loss_on_map.hpp>
#include <claros/sdk/losses.hpp>

#include <cmath>
#include <limits>
#include <map>

namespace {

using namespace claros;

struct Options {
  std::string data, test;
  sdk::LossOptions loss;
  RatingsOptions ratings;
};

/// f(X) = (1/n) sum_{(i,j) in Omega} psi(X_ij, Y_ij), X in R^{rows x cols}, Omega the n observed positions.
/// (Shen et al. 2019, equation 4, with the 1/n of equation 1.)
class MatrixCompletion final : public sdk::LossOnMap, public HeldOut {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(), "file of observed entries: triplets as text, or Matrix Market; may be compressed. "
                                              "Without one they come from the [data] section"),
         row("test", &Options::test, any(), "file of further entries, in the same ids, whose RMSE is measured (test_rmse)")},
        {include(&Options::loss, sdk::loss_rows()), include(&Options::ratings, ratings_rows())}};
    return table;
  }

  MatrixCompletion(const Options& options, const Context& context) {
    Ratings ratings = observations(options, context);
    const auto loss = sdk::make_loss(options.loss);
    require_accepted(ratings, *loss, options.loss.loss, options.data.empty() ? "data" : context.resolve(options.data).string());
    if (!options.test.empty()) read_test(context.resolve(options.test), ratings, options.ratings);
    auto pattern = std::make_shared<Pattern>(ratings.rows, ratings.cols, std::move(ratings.row), std::move(ratings.col));
    set_model(std::make_shared<SamplingMap>(std::move(pattern)), std::move(ratings.value),
              loss);
  }

  void refer(References& references) const override {
    LossOnMap::refer(references);
    references.add("entries", static_cast<const SamplingMap&>(*map()).pattern());
  }

  /// A selects entries, so ||A|| = 1: f is L_psi/n smooth, one component L_psi smooth.
  Constants constants() const override {
    const sdk::LossConstants psi = loss().constants();
    const double n = static_cast<double>(components());
    Constants c;
    c.convex = psi.convex;
    c.component_smoothness = psi.smoothness;
    c.lower_smoothness = psi.lower_smoothness;
    c.lower_bound = psi.lower_bound;
    if (psi.smoothness) c.smoothness = *psi.smoothness / n;
    c.component_hessian_smoothness = psi.third;
    if (psi.third) c.hessian_smoothness = *psi.third / n;
    return c;
  }

  double test_rmse(const Element& x) override {
    if (held_out_.empty()) return std::numeric_limits<double>::quiet_NaN();
    std::vector<double> z(static_cast<std::size_t>(held_out_map_->size()));
    held_out_map_->apply(1.0, x, 0.0, z);
    double sum = 0.0;
    for (const HeldOutEntry& entry : held_out_) sum += std::pow(z[static_cast<std::size_t>(entry.output)] - entry.value, 2);
    return std::sqrt(sum / static_cast<double>(held_out_.size()));
  }

  void* ability(std::string_view id) noexcept override {
    void* own = offer<HeldOut>(this, id);
    return own ? own : LossOnMap::ability(id);
  }

 private:
  struct HeldOutEntry {
    Index output;  ///< of held_out_map_
    double value;
  };

  static Ratings observations(const Options& options, const Context& context) {
    if (!options.data.empty() && context.data)
      throw Error(ErrorKind::usage, "objective.data",
                  "names '" + options.data + "', and the [data] section makes data too", "keep one of them");
    if (!options.data.empty()) return read_ratings(context.resolve(options.data), options.ratings, context);
    const auto made = context.data ? context.data->ratings() : nullptr;
    if (made) return *made;
    throw Error(ErrorKind::usage, "objective.data", "matrix-completion needs observed entries" + std::string(context.data ? ", which the data of [data] does not have" : ""),
                "give objective.data = FILE, or a [data] section that makes some");
  }

  void read_test(const std::filesystem::path& file, const Ratings& training, const RatingsOptions& options) {
    const MatrixIds ids{training.rows, training.cols, options.ids == "zero-based" ? 0 : 1, training.row_ids, training.col_ids};
    const Pairs pairs = read_pairs(file, ids, options.delimiter, options.header);
    if (pairs.known.empty()) throw Error(ErrorKind::data, file.string(), "has no third column", "give row, column, value on every line");
    std::map<std::pair<Index, Index>, Index> positions;  // sorted, each once, as a pattern wants them
    for (std::size_t k = 0; k < pairs.row.size(); ++k) positions.emplace(std::pair(pairs.row[k], pairs.col[k]), 0);
    std::vector<std::int32_t> row, col;
    for (auto& [position, output] : positions) {
      output = static_cast<Index>(row.size());
      row.push_back(static_cast<std::int32_t>(position.first));
      col.push_back(static_cast<std::int32_t>(position.second));
    }
    for (std::size_t k = 0; k < pairs.row.size(); ++k) held_out_.push_back({positions.at({pairs.row[k], pairs.col[k]}), pairs.known[k]});
    held_out_map_ = std::make_shared<SamplingMap>(std::make_shared<Pattern>(training.rows, training.cols, std::move(row), std::move(col)));
  }

  static std::string name(const std::vector<std::string>& ids, std::int32_t k) {
    return ids.empty() ? std::to_string(k + 1) : ids[static_cast<std::size_t>(k)];
  }
  static void require_accepted(const Ratings& ratings, const sdk::Loss& loss, const std::string& loss_name, const std::string& file) {
    for (std::size_t e = 0; e < ratings.value.size(); ++e)
      if (!loss.accepts(ratings.value[e]))
        throw Error(ErrorKind::data, file,
                    "the value in row " + name(ratings.row_ids, ratings.row[e]) + ", column " + name(ratings.col_ids, ratings.col[e]) + (ratings.row_ids.empty() ? " (counted from 1) is " : " is ") +
                        print_real(ratings.value[e]) + "; the " + loss_name + " loss needs " + loss.targets(),
                    "change the values, or take another objective.loss");
  }

  std::shared_ptr<const SamplingMap> held_out_map_;
  std::vector<HeldOutEntry> held_out_;
};

}  // namespace

CLAROS_PLUGIN(MatrixCompletion, Kind::objective, "matrix-completion", "", "1.0.0",
              "Loss on the observed entries of a matrix",
              "f(X) = (1/n) sum over the observed (i,j) of psi(X_ij, Y_ij). Only the observed entries are ever formed: the "
              "gradient is n numbers on their pattern.",
              "Shen, Fang, Zhao, Huang, Qian: Complexities in projection-free stochastic non-convex minimization, AISTATS 2019, eq. (4)")
