// SPDX-License-Identifier: BSD-3-Clause
#include "ball.hpp"

#include <cmath>

/// Says nothing of membership, so that only the vertex itself can give it away.
class NanVertex final : public FixtureBall {
 public:
  using FixtureBall::FixtureBall;
  void* ability(std::string_view id) noexcept override {
    return claros::offer<claros::LinearOracle>(this, id);
  }

 private:
  void spoil(claros::Element& vertex) override { vertex.dense_values()[1] = std::nan(""); }
};

CLAROS_PLUGIN(NanVertex, claros::Kind::set, "nan-vertex", "", "1.0.0", "Returns NaN in the vertex.",
              "A fixture of the tests.", "")
