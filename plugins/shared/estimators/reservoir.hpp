// SPDX-License-Identifier: BSD-3-Clause
/// @file reservoir.hpp  One of a sequence of unknown length.
#pragma once

#include <claros/random.hpp>
#include <claros/state/state.hpp>

namespace claros::sdk {

/// The k-th of a sequence replaces the one that is kept with probability 1/k. So the kept one is each of
/// those so far with the same probability, at any time.
class Reservoir {
 public:
  explicit Reservoir(RandomStream stream) : stream_(stream) {}
  /// From the beginning of the stream.
  void start() noexcept { stream_.seek(0), count_ = 0; }
  /// Another sequence begins.
  void restart() noexcept { count_ = 0; }
  /// True if the next one is to be kept.
  bool takes() noexcept { return stream_.index(++count_) == 0; }

  void state(StateVisitor& v) {
    v("stream", stream_);
    v("count", count_);
    v.require(count_ >= 0, "count", "negative");
  }

 private:
  RandomStream stream_;
  Index count_ = 0;
};

}  // namespace claros::sdk
