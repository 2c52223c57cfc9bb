// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin.hpp>
#include <claros/ratings.hpp>
#include <claros/sampling_map.hpp>
#include <claros/sdk/loss_on_map.hpp>

namespace {

using namespace claros;

struct Options {
  std::string data;
  std::string loss = "squared";
  RatingsOptions ratings;
};

/// f(X) = (1/n) sum_{(i,j) in Omega} psi(X_ij, Y_ij), X in R^{rows x cols}, Omega the n observed positions.
/// (Shen et al. 2019, equation 4, with the 1/n of equation 1.)
class MatrixCompletion final : public sdk::LossOnMap {
 public:
  using Options = ::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(), "file of observed entries: triplets as text, or Matrix Market; may be compressed"),
         row("loss", &Options::loss, one_of({"squared"}), "psi: squared is (x - y)^2 / 2", "psi")},
        {include(&Options::ratings, ratings_rows())}};
    return table;
  }

  MatrixCompletion(const Options& options, const Context& context) {
    if (options.data.empty())
      throw Error(ErrorKind::usage, "objective.data", "matrix-completion needs observed entries", "give objective.data = FILE");
    Ratings ratings = read_ratings(context.resolve(options.data), options.ratings);
    auto pattern = std::make_shared<Pattern>(ratings.rows, ratings.cols, std::move(ratings.row), std::move(ratings.col));
    set_model(std::make_shared<SamplingMap>(std::move(pattern)), std::move(ratings.value),
              std::make_shared<sdk::LossOf<sdk::SquaredLoss>>());
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
    if (psi.third) c.hessian_smoothness = *psi.third / n;
    return c;
  }
};

}  // namespace

CLAROS_PLUGIN(MatrixCompletion, Kind::objective, "matrix-completion", "", "1.0.0",
              "Loss on the observed entries of a matrix",
              "f(X) = (1/n) sum over the observed (i,j) of psi(X_ij, Y_ij). Only the observed entries are ever formed: the "
              "gradient is n numbers on their pattern.",
              "Shen, Fang, Zhao, Huang, Qian: Complexities in projection-free stochastic non-convex minimization, AISTATS 2019, eq. (4)")
