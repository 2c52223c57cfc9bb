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
  bool is_auto = false;            ///< what a specification without [algorithm] takes
  bool is_named = false;           ///< what the specification names
  std::vector<Complaint> refused;  ///< why it does not run; empty: it does
  RunResult trial;                 ///< its first steps; of one that is refused nothing
  double terms = 0.0;              ///< n of f, 0 of an expectation
  std::string size;                ///< of the answer of these steps: "rank 3", "12 nonzeros"

  bool runs() const { return refused.empty(); }
};

/// The specification without the algorithm that it names, so that Claros chooses one. As it is where none is
/// named: other settings of [algorithm] belong to the choice.
Spec without_algorithm(const Spec& spec);

struct TrialLimits {
  double seconds = 1.0;  ///< of the steps of each method
  const std::atomic<bool>* interrupt = nullptr;
};

/// `chosen` is the composition of without_algorithm(spec). Every method is composed on its objective, so that
/// data are read once, and makes a few steps: five along full gradients, else steps of five passes over the
/// data. Those that run are first, the chosen one before all. Ends early where `interrupt` is set.
std::vector<Method> methods_of(const Catalog& catalog, const Composition& chosen, const Spec& spec,
                               const TrialLimits& limits);

/// The algorithm of a composition, with those inside it.
std::string algorithm_of(const Composition& composition);

}  // namespace claros::cli
