// SPDX-License-Identifier: BSD-3-Clause
/// @file refit.hpp  Relaxed solutions: the entries that a penalty selected, fitted again without it.
#pragma once

#include <claros/api.hpp>
#include <claros/paths/path.hpp>

namespace claros {

/// Minimises f(x) + R(x) over x_j = 0 for all j with answer_j = 0, starting at the answer. The penalised
/// entries that are left lose the bias of the penalty (the relaxed Lasso with phi = 0; Meinshausen 2007,
/// Comput. Stat. Data Anal. 52). The set, the smoother and the intercept stay. To the residual 1e-6, which is
/// relative to the gradient of the null model, or a smaller one that the path has. On the objective of
/// `path`, whose runs must not go on meanwhile.
CLAROS_API Composition composition_of_refit(const Catalog& catalog, const Composition& path,
                                            const Element& answer);

/// A problem on the support of an answer, and its solution.
struct CLAROS_API Refit {
  Composition composition;  ///< its specification runs alone
  RunResult result;
};

/// Throws Error(usage) if the penalty of a path does not select entries of a vector.
CLAROS_API void require_refits(const Composition& path);
/// Its solution.
CLAROS_API Refit refit(const Catalog& catalog, const Composition& path, const Element& answer,
                       const PathSettings& settings);

}  // namespace claros
