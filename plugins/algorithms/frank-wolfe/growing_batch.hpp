// SPDX-License-Identifier: BSD-3-Clause
/// @file growing_batch.hpp  Batches that grow as the theory of stochastic Frank-Wolfe asks.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/parameters.hpp>
#include <shared/algorithms/step_rule.hpp>

#include <vector>

enum class Batches { own, theory };

struct GrowingBatchOptions {
  Batches batch = Batches::own;
  double variance = 0.0, diameter = 0.0;
};

std::vector<claros::ParameterRow<GrowingBatchOptions>> growing_batch_rows();

/// SFW: with gamma_k = 2/(k+1) and m_k = (G (k+1)/(L D))^2, k = 1, 2, ..., a convex f of smoothness L has E
/// f(w_k) - f* <= 4 L D^2/(k+2) (Hazan, Luo 2016, Theorem 3). Their proof needs only E||grad f_i - grad f||^2
/// <= G^2, so sigma^2 takes the place of G^2 here. D is the diameter of the set, L the smoothness of f with
/// its smoother. A batch is rounded up, at least 1; n or more is the full gradient. It has no unit: the same
/// problem in other units has the same batches.
class GrowingBatch {
 public:
  /// `smoothness`: L; 0: the objective's own.
  GrowingBatch(GrowingBatchOptions options, double smoothness);
  /// `rule` and `offset` are those of the weights. Throws Error(usage) that names every constant that is
  /// missing, or a rule of which the theorem does not speak.
  void start(const claros::Problem& problem, claros::sdk::Step rule, double offset);
  /// The batch of step t, from 0; 0: the estimator's own.
  claros::Index size(claros::Index t) const;

 private:
  GrowingBatchOptions options_;
  double smoothness_, scale_ = 0.0;  ///< sigma/(L D); 0: not asked for
};
