// SPDX-License-Identifier: BSD-3-Clause
/// @file held_out_choice.hpp  Ratings without a penalty or a set: a lambda is chosen on ratings held out.
#pragma once

#include <claros/api.hpp>
#include <claros/compose/composition.hpp>

#include <atomic>
#include <vector>

namespace claros {

/// True if `spec` is matrix-completion of explicit ratings without a penalty, a set, a smoother and an
/// algorithm. Nothing says then how much X is to be shrunk.
CLAROS_API bool wants_choice(const Spec& spec, const HostParts& parts);

struct ChoiceSettings {
  Index folds = 1;  ///< that choose the lambda, each held out once; 1: a random twentieth
  const std::atomic<bool>* interrupt = nullptr;
};

/// Composes `spec`. If it wants a choice, the composition has the penalty nuclear, and biases as the center
/// unless one is named. A path from max is fitted to all but a random twentieth of the ratings (run.seed), or
/// to all but each of several folds. Its lambda of least loss on the ratings held out is taken, and
/// Composition::choices has all of them. If the specification wants none, folds are complained about. The
/// lambda is max, which leaves the baseline alone, if no other is better than chance allows. If [stop] has no
/// rule and the objective has test ratings, the run ends when their error stops falling (stop.patience).
/// Without a target X has at most 24 factors. `messages` gets what was chosen.
CLAROS_API Composition compose_with_choice(const Catalog& catalog, const Spec& spec, const HostParts& parts,
                                           MessageSink messages, std::vector<Complaint> complaints,
                                           const ChoiceSettings& settings = {});

}  // namespace claros
