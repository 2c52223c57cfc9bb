// SPDX-License-Identifier: BSD-3-Clause
// The constants of a linear model; all of them are made on the first call that needs them, and kept.
#include "linear_model.hpp"

#include <claros/sdk/losses/largest_eigenvalue.hpp>
#include <shared/losses/map_constants.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace linear_model {

using namespace claros;

const std::vector<double>& LinearModel::weighted_norms() const {
  if (!norms_.empty()) return norms_;
  const ThreadScope scope(threads_);
  norms_ = design_map().squared_norms();
  longest_ = std::sqrt(*std::max_element(norms_.begin(), norms_.end()));
  const auto& w = model().weights;
  for (std::size_t i = 0; i < w.size(); ++i) norms_[i] *= w[i];
  return norms_;
}

double LinearModel::largest_eigenvalue() const {
  const ThreadScope scope(threads_);
  const auto& design = design_map().design();
  // One class is as good as another: the rows are the same.
  const auto map = std::make_shared<DesignMap>(design, Shape::vector(design->cols), 1, training_.intercept);
  const auto& norms = weighted_norms();
  return sdk::largest_eigenvalue(map, model().weights, std::accumulate(norms.begin(), norms.end(), 0.0)) /
         static_cast<double>(terms());
}

Constants LinearModel::computed() const {
  const LossConstants psi = loss().constants();
  const double n = static_cast<double>(terms());
  const double variance = model().covariance ? model().covariance->largest() : 0.0;
  const auto& w = model().weights;
  const double mean_weight = w.empty() ? 1.0 : std::accumulate(w.begin(), w.end(), 0.0) / n;
  sdk::MapNorms norms;
  norms.component = *std::max_element(weighted_norms().begin(), weighted_norms().end());
  norms.row = longest_;
  if (psi.smoothness)
    norms.eigenvalue =
        options_.smoothness > 0.0 ? options_.smoothness / *psi.smoothness : largest_eigenvalue();
  Constants c = sdk::map_constants(psi, norms, variance);
  if (variance == 0.0) {
    if (psi.lower_bound)
      c.lower_bound = *psi.lower_bound * mean_weight;
    else if (loss().has_conjugate()) {
      const std::vector<double> zero(static_cast<std::size_t>(map()->size()), 0.0);
      c.lower_bound = -loss().conjugate(zero, model().targets, w) / n;  // inf psi(., y) = -psi*(0, y)
    }
  }
  return c;
}

Constants LinearModel::as_given(Constants c) const {
  if (options_.smoothness > 0.0) c.smoothness = options_.smoothness;
  if (options_.strong_convexity > 0.0) c.strong_convexity = options_.strong_convexity;
  return c;
}

Constants LinearModel::constants() const {
  if (!constants_) constants_ = as_given(computed());
  return *constants_;
}

Index LinearModel::square_size() const { return training_.features + (training_.intercept ? 1 : 0); }

bool LinearModel::needs_eigenvalue() const {
  return loss().constants().smoothness.has_value() && !(options_.smoothness > 0.0);
}

Constants LinearModel::constants_of(const sdk::ChunkFacts& all, double eigenvalue) const {
  const LossConstants psi = loss().constants();
  if (psi.smoothness && !needs_eigenvalue()) eigenvalue = options_.smoothness / *psi.smoothness;
  Constants c =
      sdk::map_constants(psi, {.eigenvalue = eigenvalue, .component = all.component, .row = all.row});
  if (!std::isnan(all.least)) c.lower_bound = all.least / static_cast<double>(terms());
  return as_given(c);
}

std::span<const double> LinearModel::term_smoothness() const {
  if (term_smoothness_.empty()) {
    const LossConstants psi = loss().constants();
    const double variance = model().covariance ? model().covariance->largest() : 0.0;
    for (const double norm : weighted_norms())
      term_smoothness_.push_back(std::max(psi.smoothness.value_or(0.0) * norm,
                                          psi.lower_smoothness.value_or(0.0) * norm + variance));
  }
  return term_smoothness_;
}

}  // namespace linear_model
