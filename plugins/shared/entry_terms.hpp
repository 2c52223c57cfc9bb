// SPDX-License-Identifier: BSD-3-Clause
/// @file entry_terms.hpp  Objectives that are a sum over entries of a matrix, for sums over ranks.
#pragma once

#include <claros/objective.hpp>
#include <claros/parts/rating_parts.hpp>
#include <claros/sdk/losses/loss_model.hpp>
#include <claros/watch/watcher.hpp>

#include <memory>
#include <string_view>

namespace claros::sdk {

/// The data of f(X) = (1/n) sum_e w_e psi(X_e, y_e) + (ridge/2) ||X||^2 + constant.
struct TakenEntries {
  /// Entries, values and weights of the whole, on every rank: the map is a SamplingMap, and terms are in the
  /// order of its pattern. If the entries are in parts, the model holds the loss alone.
  LossModel model;
  /// Null, or the entries of which each of several ranks has its own.
  std::shared_ptr<RatingParts> parts = {};
  double ridge = 0.0, constant = 0.0;
  Constants constants = {};  ///< of f
};

/// Ability of objectives that are such an f over the entries e of a pattern.
class EntryTerms {
 public:
  static constexpr std::string_view kAbility = "claros.entry-terms/2";
  static constexpr std::string_view kWords = "terms that are entries of a matrix";
  struct Watched;
  virtual ~EntryTerms() = default;
  /// Hands over the entries. The objective is left without terms.
  /// Throws Error(usage) if f is more than that.
  virtual TakenEntries take_entries() = 0;
};

struct EntryTerms::Watched final : Watcher<EntryTerms> {
  using Watcher::Watcher;
  TakenEntries take_entries() override {
    return contain(watch_, [&] { return inner_.take_entries(); });
  }
};

}  // namespace claros::sdk
