// SPDX-License-Identifier: BSD-3-Clause
#include "adapters/penalty_on_set.hpp"

#include "map/spectral_work.hpp"

#include <algorithm>
#include <cmath>

namespace claros {

double PenaltyOnSet::apply(const Element& v, double s, const Element& at, Element& next,
                           double multiplications) {
  // The share of the error in the length of the measured step.
  constexpr double kShare = 0.05;
  constexpr Index kLeastSteps = 2;
  const double begin = detail::spectral_work();
  const auto enough = [&](const Element& b, const ProximalSum::Proof& proof) {
    if (proof.error <= kShare * std::sqrt(std::max(0.0, inner_differences(b, at, b, at)))) return true;
    return proof.steps >= kLeastSteps && detail::spectral_work() - begin >= multiplications;
  };
  return sum_.apply(v, s, next, enough, duals_).error;
}

}  // namespace claros
