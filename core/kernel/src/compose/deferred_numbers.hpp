// SPDX-License-Identifier: BSD-3-Clause
/// @file deferred_numbers.hpp  Parameters whose numbers only the objective determines: `lambda = 0.1*max`,
/// and mu of a smoother that is given eps.
#pragma once

#include "compose/findings.hpp"

#include <claros/compose/composition.hpp>

#include <vector>

namespace claros {

/// In the place of each deferred number the options of a plan hold a number of the range. The component is
/// created with it, asked for the true number (LambdaMax, SmoothingAccuracy), and built again.
class DeferredNumbers {
 public:
  /// Runs before anything is planned. For a smoother with parameters mu and eps, it takes eps out of the
  /// specification and puts a stand-in for mu into it. Both given is a finding.
  void take_accuracy(const Catalog& catalog, Spec& spec, Findings& findings);
  /// Takes the fractions of max in the options of `planned` and of those that it holds.
  void take_fractions(const Node& planned);
  bool empty() const noexcept { return all_.empty(); }

  /// Puts numbers into the options of `built` and of those that it holds; `f` is the function that they are
  /// added to. Returns whether there were any: the component is then to be built again. Throws Error with the
  /// reason where a component has no such number.
  bool resolve(const Node& built, Objective& f, const Context& context);
  /// The numbers go into the effective specification.
  void report(Composition& composition) const;

 private:
  struct Number : ResolvedFraction {
    double given = kUnset;  ///< the factor of max, or eps
    bool of_max = true;
  };
  std::vector<Number> all_;
};

/// max of a component that takes fractions of it, if it is added to `f`, or Error with a reason.
double largest_useful(const Node& part, Objective& f);

}  // namespace claros
