// SPDX-License-Identifier: BSD-3-Clause
#include "straying_ball.hpp"

class IdleProjection final : public StrayingBall {
 public:
  using StrayingBall::StrayingBall;

 private:
  void stray(claros::Element&, double) override {}
};

CLAROS_PLUGIN(IdleProjection, claros::Kind::set, "idle-projection", "", "1.0.0",
              "Its projection does nothing.", "A fixture of the tests.", "")
