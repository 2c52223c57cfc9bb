// SPDX-License-Identifier: BSD-3-Clause
#include "hang.hpp"
#include "straying_ball.hpp"

class HangingProjection final : public StrayingBall {
 public:
  using StrayingBall::StrayingBall;

 private:
  void stray(claros::Element&, double) override {
    say_that_it_hangs();
    for (volatile bool forever = true; forever;) {
    }
  }
};

CLAROS_PLUGIN(HangingProjection, claros::Kind::set, "hanging-projection", "", "1.0.0",
              "Never returns from a projection, at full speed.", "A fixture of the tests.", "")
