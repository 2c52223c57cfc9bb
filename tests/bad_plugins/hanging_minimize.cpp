// SPDX-License-Identifier: BSD-3-Clause
#include "ball.hpp"

#include <chrono>
#include <thread>

class HangingMinimize final : public FixtureBall {
 public:
  using FixtureBall::FixtureBall;

 private:
  void spoil(claros::Element&) override {
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
  }
};

CLAROS_PLUGIN(HangingMinimize, claros::Kind::set, "hanging-minimize", "", "1.0.0",
              "Never returns from a linear minimisation.", "A fixture of the tests.", "")
