// SPDX-License-Identifier: BSD-3-Clause
/// @file penalty_on_set.hpp  The proximal step of a penalty on a set, for measuring.
#pragma once

#include <claros/proximal_oracle.hpp>
#include <claros/proximal_sum.hpp>

namespace claros {

/// prox_{s (h + (mu/2)||.||^2 + I_C)}, mu = convexifying(h), by the splitting of proximal_sum.hpp, whatever
/// the algorithm does. The answer lies in C.
class PenaltyOnSet {
 public:
  /// `duals` hold the end of the last call, at which the next begins. They outlive this object and may be
  /// null. Near a solution v and s hardly change from one gap check to the next. A bound proved for one
  /// therefore nearly holds for the other.
  PenaltyOnSet(ProximalOracle& penalty, ProximalOracle& projection, ProximalSum::Duals* duals)
      : penalty_(penalty), sum_({&penalty_, &projection}, kMostSteps), duals_(duals) {}

  /// next <- the step from v. Returns a bound on its distance from the exact step. It is a twentieth of
  /// ||next - at||, or what was proved within about so many `multiplications` (spectral_work.hpp; two
  /// iterations at least). The bound is infinite if nothing was proved.
  double apply(const Element& v, double s, const Element& at, Element& next, double multiplications);

 private:
  static constexpr Index kMostSteps = 5'000;

  Convexified penalty_;
  ProximalSum sum_;
  ProximalSum::Duals* duals_;
};

}  // namespace claros
