// SPDX-License-Identifier: BSD-3-Clause
/// @file accuracy.hpp  The accuracy that a proximal step is asked for, and what its result is certified to
/// have.
#pragma once

#include <claros/element/shape.hpp>

namespace claros {

/// The action to take if a result of the requested rank is not exact.
enum class OnInsufficientRank {
  raise,  ///< compute more, until it is
  leave,  ///< return what was computed, and say so in the certificate
  stop    ///< Error(numerical)
};

/// How exact a proximal step has to be.
struct Accuracy {
  double tolerance = 1e-10;  ///< distance from the exact answer, relative to the size of the answer
  Index rank =
      0;  ///< spectral work to begin with, and to end with unless it is raised; 0: the oracle's choice
  bool certify = false;  ///< true if work may go into the certificate; it changes no answer
  OnInsufficientRank on_insufficient_rank = OnInsufficientRank::leave;
  /// The points come from a sequence that converges. An oracle may begin at the end of its last call and stop
  /// after one sweep, which leaves a few hundredths of the change to the next calls. Then `tolerance` is not
  /// held.
  bool sequence = false;
};

/// The facts that a proximal oracle states about its result.
struct Certificate {
  bool exact = true;         ///< verified, not hoped for: within Accuracy::tolerance
  double error = 0.0;        ///< bound on the distance to the exact answer; 0 if none is known, too
  Index rank = 0;            ///< the rank of the answer, for spectral oracles
  Index asked = 0;           ///< the rank that was tried first, for spectral oracles
  Index products = 0;        ///< operator-vector products used
  Index singular_pairs = 0;  ///< rank-one SVDs used
};

}  // namespace claros
