// SPDX-License-Identifier: BSD-3-Clause
/// @file spectral_rank.hpp  How algorithms that make proximal steps and projections limit the work for a
/// matrix.
#pragma once

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/objective.hpp>
#include <claros/parameters.hpp>
#include <claros/proximal_oracle.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace claros::sdk {

enum class Uncertified { raise, proceed, stop };

struct SpectralRank {
  Index rank = 0;
  Uncertified uncertified = Uncertified::raise;

  /// Throws Error(usage) if a matrix of that shape has no such rank: before the first step, which would
  /// only say the same. A rank that is a bound (continue) is lowered to the shorter side.
  void require_possible(Objective& f) {
    auto* tail = query<FreeTail>(f);
    const Shape shape = tail ? tail->constrained_shape() : f.shape();
    const Index side = std::min(shape.rows, shape.cols);
    if (rank == 0 || shape.is_product() || rank <= side) return;
    if (uncertified == Uncertified::proceed) {
      rank = side;
      return;
    }
    throw Error(ErrorKind::usage, "rank",
                std::to_string(rank) + " of a matrix whose shorter side is " + std::to_string(side),
                "at most that; 0 leaves the choice to the oracle");
  }

  /// True if steps may be inexact because the rank is too small.
  bool limits() const { return rank > 0 && uncertified != Uncertified::raise; }

  /// `sequence`: of Accuracy, if steps converge and no certificate is requested.
  Accuracy accuracy(bool sequence) const {
    Accuracy a;
    a.rank = rank;
    a.on_insufficient_rank = uncertified == Uncertified::raise     ? OnInsufficientRank::raise
                             : uncertified == Uncertified::proceed ? OnInsufficientRank::leave
                                                                   : OnInsufficientRank::stop;
    a.sequence = sequence && (rank == 0 || limits());
    return a;
  }
};

inline std::vector<ParameterRow<SpectralRank>> spectral_rank_rows() {
  return {row("rank", &SpectralRank::rank, at_least(0),
              "of a matrix, the singular values or eigenvalues that a projection or a proximal step "
              "computes; 0: what the last step needed and a few more"),
          row("uncertified", &SpectralRank::uncertified,
              one_of<Uncertified>({{Uncertified::raise, "raise"},
                                   {Uncertified::proceed, "continue"},
                                   {Uncertified::stop, "stop"}}),
              "with a rank, when it is not proved that no further value would stay: compute more of them "
              "until it is, go on with an answer that is not exact and say so "
              "in certificate, or end the run")};
}

}  // namespace claros::sdk
