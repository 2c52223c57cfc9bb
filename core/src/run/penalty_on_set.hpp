// SPDX-License-Identifier: BSD-3-Clause
/// @file penalty_on_set.hpp  The proximal step of a penalty on a set, for measuring.
#pragma once

#include <claros/proximal_oracle.hpp>
#include <claros/proximal_sum.hpp>

#include <vector>

namespace claros {

/// prox_{s (h + (mu/2)||.||^2 + I_C)}, mu = convexifying(h), by the splitting of proximal_sum.hpp, cold and whatever the algorithm does. The answer lies in C.
class PenaltyOnSet {
 public:
  PenaltyOnSet(ProximalOracle& penalty, ProximalOracle& projection) : penalty_(penalty), sum_({&penalty_, &projection}, kMostSteps) {}

  /// next <- the step from v; how far it is from the exact one at most, as small beside ||next - at|| as can be proved: infinite where nothing is.
  double apply(const Element& v, double s, const Element& at, Element& next);

 private:
  static constexpr Index kMostSteps = 5'000;

  Convexified penalty_;
  ProximalSum sum_;
};

}  // namespace claros
