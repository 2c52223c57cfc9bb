// SPDX-License-Identifier: BSD-3-Clause
/// @file spectral_work.hpp  A count of the work of decompositions.
#pragma once

#include <claros/api.hpp>

namespace claros::detail {

/// Multiplications in dense decompositions, in products with elements as operators, and in the iterations of
/// nested splittings, on this thread so far. Counted, not timed: what the run loop spaces by it falls on the
/// same steps on every machine.
inline double& spectral_work() noexcept {
  thread_local double multiplications = 0.0;
  return multiplications;
}

/// Counts the decomposition of an m x n table (m >= n) through its smaller side: about m n^2 and 9 n^3.
inline void count_decomposition(Index rows, Index cols) noexcept {
  const auto m = static_cast<double>(rows > cols ? rows : cols),
             n = static_cast<double>(rows > cols ? cols : rows);
  spectral_work() += m * n * n + 9.0 * n * n * n;
}

}  // namespace claros::detail
