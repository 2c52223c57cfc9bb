// SPDX-License-Identifier: BSD-3-Clause
/// @file held_out_ranking.hpp  The quality of a solution's ranking of the entries of objective.test, which
/// chooses from a path.
#pragma once

#include <claros/abilities.hpp>
#include <claros/api.hpp>
#include <claros/compose/composition.hpp>
#include <claros/results/recommendation.hpp>

#include <optional>
#include <string>

namespace claros {

/// A number of RankingQuality: "ndcg@10" is that of lists of 10.
struct CLAROS_API RankingMetric {
  std::string name;  ///< as written
  double RankingQuality::*number = nullptr;
  Index count = 10;

  /// precision@K, recall@K, map@K or ndcg@K; nothing for other words.
  static std::optional<RankingMetric> parse(const std::string& text);
};

/// Lists for the rows of objective.test, held against its entries; what a row has in the training data is in
/// no list.
class CLAROS_API HeldOutRanking {
 public:
  /// Reads objective.test. Throws Error(usage) if the objective has none, and Error(data) if no entry is
  /// relevant. An entry is relevant if its value is at least `least`, and its row and column are in the
  /// training data.
  HeldOutRanking(const Composition& composition, RankingMetric metric, double least);
  double operator()(const Element& x) const;

 private:
  const Training& training_;
  RankingMetric metric_;
  double least_;
  Pairs held_;
  SeenColumns seen_;
  const Rescaled* rescaled_;  ///< the ability of an objective with X = A M B'
};

}  // namespace claros
