// SPDX-License-Identifier: BSD-3-Clause
#include "distance.hpp"

#include <chrono>
#include <thread>

class HangingGradient final : public FixtureDistance {
 public:
  using FixtureDistance::FixtureDistance;

 private:
  void spoil_gradient(claros::Element&) const override {
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
  }
};

CLAROS_PLUGIN(HangingGradient, claros::Kind::objective, "hanging-gradient", "", "1.0.0",
              "Never returns from a gradient.", "A fixture of the tests.", "")
