// SPDX-License-Identifier: BSD-3-Clause
#include "sensing_sum.hpp"

#include "sparse_map.hpp"

#include <claros/map/rank_one_map.hpp>
#include <claros/sdk/losses/largest_eigenvalue.hpp>
#include <claros/sdk/losses/map_constants.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace matrix_sensing {

using namespace claros;
using Measured = Measurements::Kind;

namespace {

MapPtr map_of(const Measurements& m, RankOneMap::Adjoints adjoints) {
  if (m.kind == Measured::dense) return std::make_shared<DesignMap>(m.left, Shape::matrix(m.rows, m.cols));
  if (m.kind == Measured::sparse) return std::make_shared<SparseMap>(m.pattern, m.left);
  return std::make_shared<RankOneMap>(m.left, m.right, adjoints);
}

const SparseMap& sparse(const MapPtr& map) { return static_cast<const SparseMap&>(*map); }

}  // namespace

SensingSum::SensingSum(const Measurements& measurements, std::vector<double> targets,
                       std::shared_ptr<const Loss> psi, const Options& options, int threads)
    : options_(options), threads_(threads), kind_(measurements.kind) {
  set_model(map_of(measurements, options.adjoints), std::move(targets), std::move(psi));
}

Constants SensingSum::constants() const {
  if (!constants_) constants_ = computed();
  return *constants_;
}

std::span<const double> SensingSum::term_smoothness() const {
  if (components_.empty()) {
    components_ = squared_norms();
    for (double& value : components_) value *= loss().constants().smoothness.value_or(0.0);
  }
  return components_;
}

void SensingSum::refer(References& references) const {
  LossOnMap::refer(references);
  if (kind_ == Measured::sparse) references.add("entries", sparse(map()).pattern());
}

void* SensingSum::ability(std::string_view id) noexcept {
  if (id == TermConstants::kAbility && !loss().constants().smoothness) return nullptr;
  // Coordinates are moved one by one along columns, which a_i b_i' would have to be multiplied out for.
  if ((id == Restrictable::kAbility || id == LossOfImage::kAbility) && is_of_pairs()) return nullptr;
  if (void* mine = offer<TermConstants>(this, id)) return mine;
  return LossOnMap::ability(id);
}

bool SensingSum::is_of_pairs() const noexcept {
  return kind_ == Measured::rank_one || kind_ == Measured::symmetric;
}

std::vector<double> SensingSum::squared_norms() const {
  if (is_of_pairs()) return static_cast<const RankOneMap&>(*map()).squared_norms();
  if (kind_ == Measured::sparse) return sparse(map()).values()->squared_norms();
  return static_cast<const DesignMap&>(*map()).squared_norms();
}

Constants SensingSum::computed() const {
  const ThreadScope scope(threads_);
  const LossConstants psi = loss().constants();
  const std::vector<double> norms = squared_norms();
  sdk::MapNorms of_map;
  of_map.component = *std::max_element(norms.begin(), norms.end());
  of_map.row = std::sqrt(of_map.component);
  if (psi.smoothness)
    of_map.eigenvalue =
        options_.smoothness > 0.0 ? options_.smoothness / *psi.smoothness : largest_eigenvalue(norms);
  Constants c = sdk::map_constants(psi, of_map);
  if (options_.smoothness > 0.0) c.smoothness = options_.smoothness;
  if (options_.strong_convexity > 0.0) c.strong_convexity = options_.strong_convexity;
  c.lower_bound = psi.lower_bound;
  return c;
}

double SensingSum::largest_eigenvalue(const std::vector<double>& norms) const {
  const MapPtr rows = kind_ == Measured::sparse ? sparse(map()).values() : map();
  return sdk::largest_eigenvalue(rows, {}, std::accumulate(norms.begin(), norms.end(), 0.0)) /
         static_cast<double>(terms());
}

}  // namespace matrix_sensing
