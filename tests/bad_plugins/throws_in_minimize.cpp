// SPDX-License-Identifier: BSD-3-Clause
#include "ball.hpp"

class ThrowsInMinimize final : public FixtureBall {
 public:
  using FixtureBall::FixtureBall;

 private:
  void spoil(claros::Element&) override { throw 42; }
};

CLAROS_PLUGIN(ThrowsInMinimize, claros::Kind::set, "throws-in-minimize", "", "1.0.0", "Throws an int.",
              "A fixture of the tests.", "")
