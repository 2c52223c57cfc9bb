// SPDX-License-Identifier: BSD-3-Clause
/// @file counts.hpp  Oracle calls, counted by the watchers of the components.
#pragma once

#include <claros/api.hpp>

#include <array>

namespace claros {

/// Oracle calls of a run. Measuring (values and gaps for the trace and the stopping rules) is not among them.
struct Counts {
  Index sfo = 0;          ///< component gradients evaluated; a difference over a batch S is 2|S|
  Index sfo_indices = 0;  ///< the same with a difference counted as |S| (the convention of Shen et al. 2019)
  Index sso = 0;          ///< component Hessians evaluated
  Index hessian_products = 0;  ///< products with the Hessian of f or of a batch, one a call
  Index hvp = 0;          ///< component Hessians multiplied by a vector: |B| a product, kept Hessian or not
  Index lo = 0;           ///< linear minimisations
  Index po = 0;           ///< proximal steps and projections
  Index svd = 0;          ///< rank-one SVDs of spectral oracles
  Index matvec = 0;       ///< operator-vector products of spectral oracles
  Index partial_sfo = 0;  ///< component gradients, and products with their Hessians, on some coordinates only
  Index coordinate_steps = 0;  ///< moves of single coordinates or blocks
  Index partial_lo = 0;  ///< linear minimisations over a part of the set: one factor of a product, or a face
  Index smoother_calls = 0;  ///< gradients of R, two of a difference, and products with its Hessian
  bool operator==(const Counts&) const = default;
};

/// The names and the unit of a counter.
struct Counter {
  const char* name;  ///< in traces, results and comparisons
  Index Counts::*member;
  const char* words;  ///< before its number in a summary; null: not shown there
  const char* label;  ///< on an axis
};

/// Every counter, in its order. A new one is a member above and a row here, and counted by a watcher
/// (watched.cpp). This table makes traces, checkpoints, results, sums over trials, comparisons, summaries,
/// axes and completions.
inline constexpr std::array kCounters{
    Counter{"sfo", &Counts::sfo, "component gradients", "component gradients (SFO calls)"},
    Counter{"sfo_indices", &Counts::sfo_indices, nullptr, "component gradients (a difference counted once)"},
    Counter{"sso", &Counts::sso, "component Hessians", "component Hessians (SSO calls)"},
    Counter{"hessian_products", &Counts::hessian_products, "Hessian products", "Hessian products"},
    Counter{"hvp", &Counts::hvp, "components in them", "component Hessians multiplied by a vector"},
    Counter{"lo", &Counts::lo, "linear minimisations", "linear minimisations (LO calls)"},
    Counter{"po", &Counts::po, "proximal steps", "proximal steps (PO calls)"},
    Counter{"svd", &Counts::svd, "singular pairs", "singular pairs computed"},
    Counter{"matvec", &Counts::matvec, "matrix-vector products", "matrix-vector products of the oracles"},
    Counter{"partial_sfo", &Counts::partial_sfo, "partial component gradients",
            "component gradients on some coordinates"},
    Counter{"coordinate_steps", &Counts::coordinate_steps, "coordinate steps", "coordinate steps"},
    Counter{"partial_lo", &Counts::partial_lo, "partial linear minimisations",
            "linear minimisations over a block or a face"},
    Counter{"smoother_calls", &Counts::smoother_calls, "calls of the smoother",
            "gradients and Hessian products of the smoother"},
};
static_assert(sizeof(Counts) == kCounters.size() * sizeof(Index), "a counter has no row in kCounters");

/// Passes over the data: component gradients and products with component Hessians, over n. Either reads its
/// component once, and a product with a Hessian whose second derivatives are kept does too. 0 if there is
/// no n.
constexpr double passes(const Counts& counts, Index components) {
  return components > 0 ? static_cast<double>(counts.sfo + counts.hvp) / static_cast<double>(components)
                        : 0.0;
}

/// The worst that the proximal steps of a run, counts.po of them, say of their answers (Certificate,
/// proximal_oracle.hpp).
struct Certification {
  Index exact = 0;      ///< steps that were verified to be exact
  Index certified = 0;  ///< these, and those with a bound on their error
  double error = 0.0;   ///< the largest bound; infinite if a step has none
  Index asked = -1;     ///< by the last spectral step: the rank that it tried first
  Index needed = -1;    ///< ... and that of its answer
  Index largest = -1;   ///< the largest rank of an answer so far
};

/// Seconds spent inside components. The time of a run beyond their sum is that of the algorithm and of the
/// run loop.
struct ComponentSeconds {
  double objective = 0.0;
  double estimator = 0.0;  ///< without what it asks of the objective
  double oracle = 0.0;
};

}  // namespace claros
