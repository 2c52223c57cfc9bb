// SPDX-License-Identifier: BSD-3-Clause
// Targets that keep a run from starting, because nothing measures them.
#include "proof/measurer.hpp"

#include <claros/abilities.hpp>
#include <claros/expectation.hpp>

#include <cmath>

namespace claros {

namespace {

/// The measures that a problem has.
struct Measures {
  explicit Measures(const Problem& p)
      : function(measured_function(*p.objective)),
        both(p.penalty && p.set),
        is_provable(!both || std::isfinite(p.penalty->weak_convexity())),
        by_duality(p.conjugate && !p.smoother && !both && function && query<Certified>(*function)),
        gap(function && (has_gap_on_set(p) || by_duality)),
        residual(function && is_provable && (!p.set || p.projection)) {}

  Objective* function;  ///< null for an expectation that is not measured
  bool both;            ///< a penalty on a set
  bool is_provable;     ///< false if no proximal step of the penalty on the set is known
  bool by_duality, gap, residual;
};

std::string unknown(const std::string& what) {
  return "the " + what + " of this expectation is not known: it has neither a closed form nor draws held out";
}

std::string why_no_gap(const Measures& has) {
  if (!has.function) return unknown("gap");
  if (has.both)
    return "a gap of a penalty on a set needs the conjugate of the penalty, a linear oracle of the set, and "
           "an algorithm with subgradients (three-operator)";
  return "no gap is known: there is neither a set with a linear oracle nor a bound by duality";
}

std::string why_no_residual(const Measures& has) {
  if (!has.function) return unknown("residual");
  if (!has.is_provable)
    return "no proximal step of this penalty on a set is known: no multiple of ||x||^2 makes it convex";
  return "a residual needs a projection, which the set does not have";
}

}  // namespace

std::vector<Complaint> unmeasured_targets(const Problem& p, const StopOptions& stop) {
  const Measures has(p);
  const std::string budget = "give a budget, such as stop.passes = 20";
  const std::string instead_of_gap =
      has.residual
          ? "give stop.residual = 1e-6, which ends at a stationary point and bounds nothing (less for "
            "data far from 0: it is relative to the gradient at 0), or a budget"
          : budget;
  const bool is_set_alone = has.function && has.is_provable && !has.both;
  std::vector<Complaint> all;
  if (stop.gap > 0.0 && !has.gap) all.push_back({"stop.gap", why_no_gap(has), instead_of_gap});
  if (stop.relative_gap > 0.0 && !has.gap)
    all.push_back({"stop.relative_gap", why_no_gap(has), instead_of_gap});
  if (stop.residual > 0.0 && !has.residual)
    all.push_back(
        {"stop.residual", why_no_residual(has), is_set_alone ? "give stop.relative_gap = 1e-2" : budget});
  auto* held_out = stop.patience > 0 ? query<HeldOut>(*p.objective) : nullptr;
  if (stop.patience > 0 && (!held_out || std::isnan(held_out->test_rmse(Element(p.objective->shape())))))
    all.push_back({"stop.patience", "waits for the error on held-out data, and there are none",
                   "for ratings give objective.test = FILE, or objective.held_out = 0.05 for a part of them "
                   "at random; else take another rule"});
  return all;
}

}  // namespace claros
