// SPDX-License-Identifier: BSD-3-Clause
#include "run/penalty_on_set.hpp"

#include <algorithm>
#include <cmath>

namespace claros {

double PenaltyOnSet::apply(const Element& v, double s, const Element& at, Element& next) {
  constexpr double kShare = 0.05;
  return sum_.apply(v, s, next, [&](const Element& b, const ProximalSum::Proof& proof) { return proof.error <= kShare * std::sqrt(std::max(0.0, inner_differences(b, at, b, at))); }).error;
}

}  // namespace claros
