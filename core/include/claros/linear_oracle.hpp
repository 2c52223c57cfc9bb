// SPDX-License-Identifier: BSD-3-Clause
/// @file linear_oracle.hpp  Linear minimisation over a set.
#pragma once

#include <claros/component.hpp>
#include <claros/element/element.hpp>

namespace claros {

/// How well a linear function is to be minimised.
struct OracleRequest {
  /// Wanted: <c, v> <= min + tolerance * |min|.
  double tolerance = 1e-3;
  /// From a cold start, so that nothing a warm start may have missed is missed again, and without touching the warm
  /// state: a run that is measured more often makes the same steps.
  bool confirm = false;
};

/// What an oracle says of its answer.
struct OracleInfo {
  double value = 0.0;        ///< <c, v>
  double lower_bound = 0.0;  ///< of min over the set of <c, u>, as far as known; equals value for an exact oracle
  Index products = 0;        ///< operator-vector products used
  Index singular_pairs = 0;  ///< rank-one SVDs used
  bool confirmed = false;    ///< whether lower_bound may be relied upon
};

/// Ability of sets: \f$ v = \arg\min_{u \in C} \langle c, u \rangle \f$.
class CLAROS_API LinearOracle {
 public:
  static constexpr std::string_view kAbility = "claros.linear-oracle/1";
  virtual ~LinearOracle();
  /// Writes the minimiser to `vertex`, of the shape of `direction`. Throws Error(numerical) when the direction holds NaN.
  virtual OracleInfo minimize(const Element& direction, const OracleRequest& request, Element& vertex) = 0;
  /// max over the set of ||u - v||_F.
  virtual double diameter() const = 0;
};

}  // namespace claros
