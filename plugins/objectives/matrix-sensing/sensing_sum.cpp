// SPDX-License-Identifier: BSD-3-Clause
#include "sensing_sum.hpp"

#include "sensing_chunk.hpp"
#include "sparse_map.hpp"

#include <claros/sdk/losses/largest_eigenvalue.hpp>
#include <shared/map_elsewhere.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace matrix_sensing {

using namespace claros;
using Measured = Measurements::Kind;

namespace {

MapPtr elsewhere(const Measurements& m, Index count) {
  return std::make_shared<sdk::MapElsewhere>(Shape::matrix(m.rows, m.cols), count, "matrix-sensing");
}

}  // namespace

SensingSum::SensingSum(MeasurementRows rows, std::vector<double> targets, std::shared_ptr<const Loss> psi,
                       const Options& options, int threads)
    : rows_(std::move(rows)), options_(options), threads_(threads), kind_(rows_.all.kind) {
  MapPtr map = rows_.parts ? elsewhere(rows_.all, std::ssize(targets)) : rows_.map_of(rows_.all);
  set_model(std::move(map), std::move(targets), std::move(psi));
}

void SensingSum::expect_rows() const {
  if (rows_.parts) sdk::MapElsewhere::refuse("matrix-sensing");
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
  if (kind_ == Measured::sparse) references.add("entries", rows_.all.pattern);
}

void* SensingSum::ability(std::string_view id) noexcept {
  if (id == TermConstants::kAbility && !loss().constants().smoothness) return nullptr;
  // Coordinates are moved one by one along columns, which a_i b_i' would have to be multiplied out for.
  if ((id == Restrictable::kAbility || id == LossOfImage::kAbility) && is_of_pairs()) return nullptr;
  if (void* mine = offer<TermConstants, sdk::TermChunks>(this, id)) return mine;
  return LossOnMap::ability(id);
}

bool SensingSum::is_of_pairs() const noexcept {
  return kind_ == Measured::rank_one || kind_ == Measured::symmetric;
}

std::vector<double> SensingSum::squared_norms() const {
  expect_rows();
  return matrix_sensing::squared_norms(*map(), kind_);
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
        needs_eigenvalue() ? largest_eigenvalue(norms) : options_.smoothness / *psi.smoothness;
  return from_norms(of_map);
}

Constants SensingSum::from_norms(const sdk::MapNorms& norms) const {
  const LossConstants psi = loss().constants();
  Constants c = sdk::map_constants(psi, norms);
  if (options_.smoothness > 0.0) c.smoothness = options_.smoothness;
  if (options_.strong_convexity > 0.0) c.strong_convexity = options_.strong_convexity;
  c.lower_bound = psi.lower_bound;
  return c;
}

double SensingSum::largest_eigenvalue(const std::vector<double>& norms) const {
  return sdk::largest_eigenvalue(square_root(map(), kind_), {},
                                 std::accumulate(norms.begin(), norms.end(), 0.0)) /
         static_cast<double>(terms());
}

std::unique_ptr<sdk::TermChunk> SensingSum::chunk(Index first, Index count) {
  const auto targets = model().part(model().targets, first, first + count);
  return std::make_unique<SensingChunk>(sdk::LossModel{.map = rows_.map_of(rows_.range(first, count)),
                                                       .targets = {targets.begin(), targets.end()},
                                                       .loss = model().loss},
                                        kind_);
}

/// Sizes and the pattern stay.
void SensingSum::release() {
  rows_.all.left = nullptr;
  rows_.all.right = nullptr;
  rows_.parts = nullptr;
  set_elsewhere(elsewhere(rows_.all, terms()), model().loss);
}

Constants SensingSum::constants_of(const sdk::ChunkFacts& all, double eigenvalue) const {
  const LossConstants psi = loss().constants();
  if (psi.smoothness && !needs_eigenvalue()) eigenvalue = options_.smoothness / *psi.smoothness;
  return from_norms({.eigenvalue = eigenvalue, .component = all.component, .row = all.row});
}

Index SensingSum::square_size() const {
  return kind_ == Measured::sparse ? rows_.all.pattern->entries() : shape().size();
}

bool SensingSum::needs_eigenvalue() const {
  return loss().constants().smoothness.has_value() && !(options_.smoothness > 0.0);
}

bool SensingSum::has_dual() const { return loss().constants().convex && loss().has_conjugate(); }

}  // namespace matrix_sensing
