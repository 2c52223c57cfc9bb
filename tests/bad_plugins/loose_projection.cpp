// SPDX-License-Identifier: BSD-3-Clause
#include "straying_ball.hpp"

class LooseProjection final : public StrayingBall {
 public:
  using StrayingBall::StrayingBall;

 private:
  void stray(claros::Element& x, double shrink) override { x.scale(1.001 * shrink); }
};

CLAROS_PLUGIN(LooseProjection, claros::Kind::set, "loose-projection", "", "1.0.0",
              "Its projection stays a thousandth outside.", "A fixture of the tests.", "")
