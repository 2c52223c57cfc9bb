// SPDX-License-Identifier: BSD-3-Clause
#include "axis_labels.hpp"

#include <algorithm>

namespace claros::cli {

const Candidates& column_candidates() {
  static const Candidates columns{
      {"iteration", "iterations"},
      {"epoch", "epochs"},
      {"passes", "passes over the data (component gradients and Hessian products / n)"},
      {"seconds", "run time without measuring [s]"},
      {"value", "value of the objective"},
      {"gap", "gap"},
      {"residual", "residual, of the gradient at 0"},
      {"estimator_error", "distance of the estimate from the gradient"},
      {"rmse_truth", "RMSE to the truth"},
      {"test_rmse", "RMSE on held-out data"},
      {"step", "step"},
      {"rank_or_support", "rank, or number of nonzeros"},
      {"sfo", "component gradients (SFO calls)"},
      {"sfo_indices", "component gradients (a difference counted once)"},
      {"sso", "component Hessians (SSO calls)"},
      {"hessian_products", "Hessian products"},
      {"hvp", "component Hessians multiplied by a vector"},
      {"lo", "linear minimisations (LO calls)"},
      {"po", "proximal steps (PO calls)"},
      {"svd", "singular pairs computed"},
      {"matvec", "matrix-vector products of the oracles"},
  };
  return columns;
}

std::string axis_label(const std::string& column) {
  const auto same = [&](const Candidate& c) { return c.word == column; };
  const auto at = std::find_if(column_candidates().begin(), column_candidates().end(), same);
  return at == column_candidates().end() ? column : at->meaning;
}

}  // namespace claros::cli
