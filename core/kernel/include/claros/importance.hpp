// SPDX-License-Identifier: BSD-3-Clause
/// @file importance.hpp  Components drawn in proportion to how fast their gradients change.
#pragma once

#include <claros/random.hpp>

#include <memory>
#include <span>

namespace claros {

/// q_i proportional to max(L_i, mean(L) / 1000), L_i the smoothness constants. The floor keeps every weight
/// 1/(n q_i) at about 1000 or below. With it components of L_i = 0 are drawn too: their gradients are
/// constant but perhaps not 0. The estimator is by Zhao, Zhang 2015, the floor after Needell, Srebro, Ward
/// 2016. Copies share.
class CLAROS_API Importance {
 public:
  /// Throws Error(usage) when a constant is negative or not finite, or none is positive.
  explicit Importance(std::span<const double> smoothness);
  /// i with probability q_i, from a few numbers of the stream.
  Index draw(RandomStream& stream) const;
  /// 1/(n q_i): the mean over i.i.d. draws of weight(i) v_i is the mean of all v_i, in expectation.
  double weight(Index i) const noexcept;

 private:
  struct Table;
  std::shared_ptr<const Table> table_;
};

}  // namespace claros
