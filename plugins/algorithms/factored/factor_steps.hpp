// SPDX-License-Identifier: BSD-3-Clause
/// @file factor_steps.hpp  Steps of L-BFGS on the factors of a matrix.
#pragma once

#include "factor_function.hpp"

#include <claros/gradient_estimator.hpp>
#include <claros/random.hpp>
#include <claros/sdk/algorithms/lbfgs_memory.hpp>
#include <claros/spectral/block_svd.hpp>
#include <claros/state/state.hpp>

#include <vector>

/// w <- w - t H grad F(w), H of the limited-memory BFGS formula (Nocedal 1980) with the inverse of a
/// diagonal of F'' at the start of the round in the place of a multiple of the identity, and t = 1 halved, or
/// shortened by interpolation, until F falls by 1e-4 of what the slope promises (Armijo). F never rises.
class FactorSteps {
 public:
  FactorSteps(claros::Index memory, claros::RandomStream stream) : memory_(memory), stream_(stream) {}
  void start(const claros::Problem& problem, const claros::sdk::SpectralSum::Form& form);

  /// Which columns a round begins with besides those of X: none; far, of leading singular pairs of G; stuck,
  /// of the pair of the set's vertex alone, where there is one.
  enum class Growth { none, far, stuck };
  /// A round of steps from X, of which the gradient G and the `vertex` that minimises <G, V> are known (0: no
  /// set). Whether there is one: not from X = 0, and not where F cannot fall.
  bool begin(const claros::Element& X, const claros::Element& G, const claros::Element& vertex,
             double curvature, Growth growth);
  /// By how much the largest singular value of G was above the multiplier, of which it is one at a solution.
  double excess() const noexcept { return excess_; }
  /// One step; whether F fell.
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
};
