// SPDX-License-Identifier: BSD-3-Clause
#include "ball.hpp"
#include "hang.hpp"

class HangingMinimize final : public FixtureBall {
 public:
  using FixtureBall::FixtureBall;

 private:
  void spoil(claros::Element&) override { hang_until_told(); }
};

CLAROS_PLUGIN(HangingMinimize, claros::Kind::set, "hanging-minimize", "", "1.0.0",
              "Never returns from a linear minimisation, or when it is told to.", "A fixture of the tests.",
              "")
