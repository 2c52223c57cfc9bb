// SPDX-License-Identifier: BSD-3-Clause
/// @file coin_epochs.hpp  Epochs that end by a coin.
#pragma once

#include <claros/context.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>

namespace claros::sdk {

/// Before every step a coin decides if the next epoch begins: its length is geometric, with mean p. So a
/// method's step does not depend on its place in an epoch, and neither its code nor its analysis has an inner
/// loop. (Kovalev, Horvath, Richtarik 2020.)
class CoinEpochs {
 public:
  explicit CoinEpochs(const Context& context) : coin_(context.stream(Purpose::coins)) {}
  /// Starts at the first toss: two starts make the same epochs.
  void start() { coin_.seek(0); }

  /// P(k) = (1 - 1/mean)^(k-1) / mean for k = 1, 2, ...
  Index length(Index mean) {
    if (mean <= 1) return 1;
    const double u = 1.0 - coin_.uniform();  // in (0, 1]
    const double tosses = std::log(u) / std::log1p(-1.0 / static_cast<double>(mean));
    return 1 + static_cast<Index>(std::min(tosses, 0x1p52));
  }

  void state(StateVisitor& v) { v("coin", coin_); }

 private:
  RandomStream coin_;
};

}  // namespace claros::sdk
