// SPDX-License-Identifier: BSD-3-Clause
/// @file last_factors.hpp  The points met last with their factors.
#pragma once

#include "block_cholesky.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace log_det {

/// Factors of the last points, recognised by their numbers, bit by bit. A step of an accelerated method asks
/// for the value at the point, and for the value and the gradient at the extrapolated one. It also asks for
/// values at the two points of the step before.
class LastFactors {
 public:
  explicit LastFactors(claros::Index p) : p_(p) {}

  /// The factors of x, p x p, valid until the next call. They replace those of the least recently used point.
  BlockCholesky& at(std::span<const double> x) {
    auto found = std::ranges::find_if(kept_, [&](const Known& known) {
      return known.x.size() == x.size() && std::memcmp(known.x.data(), x.data(), x.size_bytes()) == 0;
    });
    if (found == kept_.end()) {
      found = kept_.end() - 1;
      found->x.assign(x.begin(), x.end());
      found->factors = BlockCholesky(x, p_);
    }
    std::rotate(kept_.begin(), found, found + 1);
    return kept_.front().factors;
  }

 private:
  struct Known {
    std::vector<double> x;
    BlockCholesky factors;
  };
  claros::Index p_;
  std::array<Known, 4> kept_;
};

}  // namespace log_det
