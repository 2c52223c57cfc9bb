// SPDX-License-Identifier: BSD-3-Clause
#include "reading.hpp"
#include "sparse_map.hpp"

#include <claros/abilities.hpp>
#include <claros/map/rank_one_map.hpp>
#include <claros/plugin.hpp>
#include <claros/sdk/largest_eigenvalue.hpp>
#include <claros/sdk/loss_on_map.hpp>
#include <claros/sdk/map_constants.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace {

using namespace claros;
using Measured = Measurements::Kind;
using matrix_sensing::SparseMap;

MapPtr map_of(const Measurements& m, const std::string& adjoints) {
  using enum RankOneMap::Adjoints;
  if (m.kind == Measured::dense) return std::make_shared<DesignMap>(m.left, Shape::matrix(m.rows, m.cols));
  if (m.kind == Measured::sparse) return std::make_shared<SparseMap>(m.pattern, m.left);
  return std::make_shared<RankOneMap>(m.left, m.right, adjoints == "auto" ? automatic : adjoints == "dense" ? dense : products);
}

/// f(X) = (1/n) sum_i psi(<A_i, X>, y_i), X in R^{m x p}; A_i dense, sparse, a_i b_i', or a_i a_i' (phase retrieval: y_i = <a_i, x>^2 is linear in
/// x x'). Component i is psi'' ||A_i||^2 smooth; f is sup psi'' lambda smooth, lambda the largest eigenvalue of (1/n) sum_i vec(A_i) vec(A_i)',
/// found when somebody asks (sdk::largest_eigenvalue).
class MatrixSensing final : public sdk::LossOnMap, public ComponentConstants {
 public:
  using Options = matrix_sensing::Options;
  static const ParameterList& parameters() {
    static const ParameterTable<Options> table{
        {row("data", &Options::data, any(), "file of the A_i; empty: what a data section made", "A, y"),
         row("measurements", &Options::measurements, one_of({"auto", "dense", "sparse", "rank-one", "symmetric"}),
             "what the file holds: dense: a row is vec(A_i), column after column; sparse: lines i, row, column, value of all A_i; rank-one: a row is "
             "a_i of a_i b_i'; symmetric: of a_i a_i'; auto: what the data section makes"),
         row("right", &Options::right, any(), "of rank-one: file of the rows b_i", "b"),
         row("rows", &Options::rows, between(0, std::numeric_limits<std::int32_t>::max()), "of X; 0: those of the data, which dense and sparse do not tell"),
         row("cols", &Options::cols, between(0, std::numeric_limits<std::int32_t>::max()), "of X, likewise"),
         row("first_index", &Options::first_index, between(0, 1), "of sparse: whether the list counts from 0 or from 1"),
         row("adjoints", &Options::adjoints, one_of({"auto", "dense", "products"}),
             "how the gradient of rank-one and symmetric ones is kept: one array, or the products with the rows; auto: the array, unless X is large"),
         row("strong_convexity", &Options::strong_convexity, at_least(0), "of f, where it is known; 0: unknown", "s"),
         row("smoothness", &Options::smoothness, at_least(0), "of f; 0: computed", "L")},
        {include(&Options::design, design_rows())},
        {sdk::loss_role()}};
    return table;
  }

  MatrixSensing(const Options& options, const Context& context) : options_(options), threads_(context.threads) {
    const auto loss = sdk::loss_of(context);
    if (loss->of_classes())
      throw Error(ErrorKind::usage, "objective.loss", "is a loss of classes, and a measurement is one number", "take another");
    const auto measurements = matrix_sensing::measurements_of(options, context);
    const Design& left = *measurements->left;
    require_accepted(left, *loss, matrix_sensing::origin_of(options, context));
    kind_ = measurements->kind;
    set_model(map_of(*measurements, options.adjoints), left.response, loss);
  }

  Constants constants() const override {
    if (!constants_) constants_ = computed();
    return *constants_;
  }
  std::span<const double> component_smoothness() const override {
    if (components_.empty()) {
      components_ = squared_norms();
      for (double& value : components_) value *= loss().constants().smoothness.value_or(0.0);
    }
    return components_;
  }

  void refer(References& references) const override {
    LossOnMap::refer(references);
    if (kind_ == Measured::sparse) references.add("entries", sparse_map().pattern());
  }

  void* ability(std::string_view id) noexcept override {
    if (id == ComponentConstants::kAbility && !loss().constants().smoothness) return nullptr;
    // Coordinates are moved one by one along columns, which a_i b_i' would have to be multiplied out for.
    if ((id == Restrictable::kAbility || id == LossOfImage::kAbility) && is_of_pairs()) return nullptr;
    if (void* mine = offer<ComponentConstants>(this, id)) return mine;
    return LossOnMap::ability(id);
  }

 private:
  static void require_accepted(const Design& left, const Loss& loss, const std::string& where) {
    if (!left.labels.empty())
      throw Error(ErrorKind::data, where, "the responses are names (" + left.labels.front() + ", ...)", "give numbers, or another objective.response");
    for (std::size_t i = 0; i < left.response.size(); ++i)
      if (!loss.accepts(left.response[i]))
        throw Error(ErrorKind::data, where, "response " + std::to_string(i + 1) + " is " + print_real(left.response[i]) + "; the loss needs " + loss.targets(),
                    "change the responses, or take another objective.loss");
  }

  bool is_of_pairs() const noexcept { return kind_ == Measured::rank_one || kind_ == Measured::symmetric; }
  const SparseMap& sparse_map() const { return static_cast<const SparseMap&>(*map()); }

  std::vector<double> squared_norms() const {
    if (is_of_pairs()) return static_cast<const RankOneMap&>(*map()).squared_norms();
    if (kind_ == Measured::sparse) return sparse_map().values()->squared_norms();
    return static_cast<const DesignMap&>(*map()).squared_norms();
  }

  Constants computed() const {
    const ThreadScope scope(threads_);
    const LossConstants psi = loss().constants();
    const std::vector<double> norms = squared_norms();
    sdk::MapNorms of_map;
    of_map.component = *std::max_element(norms.begin(), norms.end());
    of_map.row = std::sqrt(of_map.component);
    if (psi.smoothness) of_map.eigenvalue = options_.smoothness > 0.0 ? options_.smoothness / *psi.smoothness : largest_eigenvalue(norms);
    Constants c = sdk::map_constants(psi, of_map);
    if (options_.smoothness > 0.0) c.smoothness = options_.smoothness;
    if (options_.strong_convexity > 0.0) c.strong_convexity = options_.strong_convexity;
    c.lower_bound = psi.lower_bound;
    return c;
  }
  double largest_eigenvalue(const std::vector<double>& norms) const {
    const MapPtr rows = kind_ == Measured::sparse ? sparse_map().values() : map();
    return sdk::largest_eigenvalue(rows, {}, std::accumulate(norms.begin(), norms.end(), 0.0)) / static_cast<double>(components());
  }

  Options options_;
  int threads_;
  Measured kind_ = Measured::dense;
  mutable std::optional<Constants> constants_;
  mutable std::vector<double> components_;
};

}  // namespace

CLAROS_PLUGIN(MatrixSensing, Kind::objective, "matrix-sensing", "phase-retrieval", "1.0.0", "Loss of linear measurements of a matrix",
              "f(X) = (1/n) sum_i psi(<A_i, X>, y_i), A_i dense, sparse, a_i b_i', or a_i a_i' (phase retrieval). Of a_i b_i' and a_i a_i' only the "
              "vectors are kept: a point of low rank is measured by products of these with its factors. A_i = a_i a_i' see the symmetric part of X "
              "alone.",
              "Candes, Strohmer, Voroninski: PhaseLift, Communications on Pure and Applied Mathematics 66 (2013); Recht, Fazel, Parrilo: Guaranteed "
              "minimum-rank solutions of linear matrix equations, SIAM Review 52 (2010)")
