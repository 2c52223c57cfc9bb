// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/ratings.hpp>
#include <claros/sampling_map.hpp>
#include <claros/sdk/loss_on_map.hpp>
#include <claros/sdk/losses.hpp>

namespace {

using namespace claros;

struct Options {
  std::string data;
  sdk::LossOptions loss;
  RatingsOptions ratings;
};

/// f(X) = (1/n) sum_{(i,j) in Omega} psi(X_ij, Y_ij), X in R^{rows x cols}, Omega the n observed positions.
/// (Shen et al. 2019, equation 4, with the 1/n of equation 1.)
class MatrixCompletion final : public sdk::LossOnMap {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(), "file of observed entries: triplets as text, or Matrix Market; may be compressed")},
        {include(&Options::loss, sdk::loss_rows()), include(&Options::ratings, ratings_rows())}};
    return table;
  }

  MatrixCompletion(const Options& options, const Context& context) {
    if (options.data.empty())
      throw Error(ErrorKind::usage, "objective.data", "matrix-completion needs observed entries", "give objective.data = FILE");
    const auto file = context.resolve(options.data);
    Ratings ratings = read_ratings(file, options.ratings);
    const auto loss = sdk::make_loss(options.loss);
    require_accepted(ratings, *loss, options.loss.loss, file.string());
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

 private:
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
};

}  // namespace

CLAROS_PLUGIN(MatrixCompletion, Kind::objective, "matrix-completion", "", "1.0.0",
              "Loss on the observed entries of a matrix",
              "f(X) = (1/n) sum over the observed (i,j) of psi(X_ij, Y_ij). Only the observed entries are ever formed: the "
              "gradient is n numbers on their pattern.",
              "Shen, Fang, Zhao, Huang, Qian: Complexities in projection-free stochastic non-convex minimization, AISTATS 2019, eq. (4)")
