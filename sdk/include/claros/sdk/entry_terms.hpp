// SPDX-License-Identifier: BSD-3-Clause
/// @file entry_terms.hpp  Objectives that are a sum over entries of a matrix, for sums over ranks.
#pragma once

#include <claros/sdk/losses/loss_model.hpp>

#include <string_view>

namespace claros::sdk {

/// Ability of objectives f(X) = (1/n) sum_e w_e psi(X_e, y_e) over the entries e of a pattern.
class EntryTerms {
 public:
  static constexpr std::string_view kAbility = "claros.entry-terms/1";
  virtual ~EntryTerms() = default;
  /// Hands over entries, values and weights; the map is a SamplingMap, terms are in the order of its pattern.
  /// The objective is left without terms: to be asked for its constants before. Throws Error(usage) where f
  /// is more than that sum.
  virtual LossModel take_entries() = 0;
};

}  // namespace claros::sdk
