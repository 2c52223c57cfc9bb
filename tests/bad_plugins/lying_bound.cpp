// SPDX-License-Identifier: BSD-3-Clause
#include "ball.hpp"

class LyingBound final : public FixtureBall {
 public:
  using FixtureBall::FixtureBall;

  claros::OracleInfo minimize(const claros::Element& direction, const claros::OracleRequest& request,
                              claros::Element& vertex) override {
    // The worse vertex, with its own value: no number disagrees with another.
    claros::OracleInfo info = FixtureBall::minimize(direction, request, vertex);
    if (!request.confirm) return info;
    vertex.scale(-1.0);
    info.value = info.lower_bound = -info.value;
    return info;
  }
};

CLAROS_PLUGIN(LyingBound, claros::Kind::set, "lying-bound", "", "1.0.0",
              "Maximises where it is asked to confirm.", "A fixture of the tests.", "")
