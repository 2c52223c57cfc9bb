// SPDX-License-Identifier: BSD-3-Clause
/// @file factor_steps.hpp  Steps of L-BFGS on the factors of a matrix.
#pragma once

#include "factor_function.hpp"

#include <claros/gradient_estimator.hpp>
#include <claros/random.hpp>
#include <claros/spectral/block_svd.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/lbfgs_memory.hpp>

#include <vector>

/// w <- w - t H grad F(w). H is the limited-memory BFGS formula (Nocedal 1980). It starts from the inverse of
/// a diagonal of F'' at the start of the round, not from a multiple of the identity. The length t is 1, then
/// halved, or shortened by interpolation, until F falls by 1e-4 of the linear prediction (Armijo). F never
/// rises.
class FactorSteps {
 public:
  FactorSteps(claros::Index memory, claros::RandomStream stream) : memory_(memory), stream_(stream) {}
  void start(const claros::Problem& problem, const claros::sdk::SpectralSum::Form& form);

  /// The columns that a round begins with besides those of X. For `far` they are leading singular pairs of G,
  /// for `stuck` the pair of the set's vertex alone, if there is one.
  enum class Growth { none, far, stuck };
  /// Begins a round of steps from X; its gradient G and the `vertex` that minimises <G, V> are known (0: no
  /// set). Returns false if no round is possible: from X = 0, or if F cannot fall.
  bool begin(const claros::Element& X, const claros::Element& G, const claros::Element& vertex,
             double curvature, Growth growth);
  /// The excess of the largest singular value of G over the multiplier, which it equals at a solution.
  double excess() const noexcept { return excess_; }
  /// True if all columns of the last growth were above the multiplier: more of them would have been, too.
  bool lacks_columns() const noexcept { return lacks_columns_; }
  /// Makes one step; returns true if F fell.
  bool step();

  const claros::Element& point() const noexcept { return X_; }
  const claros::Element& gradient() const noexcept { return G_; }
  double value() const noexcept { return value_; }
  double length() const noexcept { return t_; }

  void state(claros::StateVisitor& v);

 private:
  using Numbers = std::vector<double>;
  claros::Index grow(double length, const claros::Element& vertex, Growth growth);
  claros::TruncatedSvd leading_pairs(claros::Index count, int sweeps);
  void lengthen(claros::Index columns);
  bool search(const Numbers& d, double slope);
  void remember(const Numbers& d, const Numbers& before);

  claros::sdk::LbfgsMemory memory_;
  FactorFunction function_;
  claros::GradientEstimator* estimator_ = nullptr;
  claros::Element X_, G_;
  Numbers w_, g_, inverse_;
  claros::RandomStream stream_;
  claros::BlockSvd leading_;
  double value_ = 0.0, t_ = 1.0, excess_ = 0.0;
  bool lacks_columns_ = false;
};
