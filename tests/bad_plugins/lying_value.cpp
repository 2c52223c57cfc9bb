// SPDX-License-Identifier: BSD-3-Clause
#include "ball.hpp"

class LyingValue final : public FixtureBall {
 public:
  using FixtureBall::FixtureBall;

  claros::OracleInfo minimize(const claros::Element& direction, const claros::OracleRequest& request,
                              claros::Element& vertex) override {
    claros::OracleInfo info = FixtureBall::minimize(direction, request, vertex);
    info.value *= 0.5;
    info.lower_bound *= 0.5;
    return info;
  }
};

CLAROS_PLUGIN(LyingValue, claros::Kind::set, "lying-value", "", "1.0.0", "Halves the value of its vertex.",
              "A fixture of the tests.", "")
