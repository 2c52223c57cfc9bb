// SPDX-License-Identifier: BSD-3-Clause
/// @file methods.hpp  Every algorithm of the catalogue on one problem: whether it solves it, and what its
/// first steps cost there.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/run/run_loop.hpp>

#include <atomic>
#include <string>
#include <vector>

namespace claros::cli {

struct Method {
  std::string algorithm;           ///< "working-set"
  std::string name;                ///< "working-set with coordinate-descent inside"
  bool is_auto = false;            ///< true for the choice of Claros without [algorithm]
  bool is_named = false;           ///< true if the specification names it
  std::vector<Complaint> refused;  ///< why it does not run; empty: it does
  RunResult trial;                 ///< its first steps; empty if it is refused
  double terms = 0.0;              ///< n of f, 0 for an expectation
  std::string size;                ///< the size of the answer of these steps: "rank 3", "12 nonzeros"

  bool runs() const { return refused.empty(); }
};

/// The specification without the algorithm that it names, so that Claros chooses one. If it names none, it
/// stays as it is: other settings of [algorithm] belong to the choice.
Spec without_algorithm(const Spec& spec);

struct TrialLimits {
  double seconds = 1.0;  ///< the seconds of the steps of each method
  const std::atomic<bool>* interrupt = nullptr;
};

/// `chosen` is the composition of without_algorithm(spec). Every method is composed on its objective, so that
/// data are read once, and makes a few steps. There are five along full gradients, or else as many as read
/// the data five times. Those that run are first, the chosen one before all. Ends early if `interrupt` is
/// set.
std::vector<Method> methods_of(const Catalog& catalog, const Composition& chosen, const Spec& spec,
                               const TrialLimits& limits);

/// The algorithm of a composition, with those inside it.
std::string algorithm_of(const Composition& composition);

}  // namespace claros::cli
