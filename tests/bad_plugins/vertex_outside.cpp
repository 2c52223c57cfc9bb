// SPDX-License-Identifier: BSD-3-Clause
#include "ball.hpp"

class VertexOutside final : public FixtureBall {
 public:
  using FixtureBall::FixtureBall;

 private:
  void spoil(claros::Element& vertex) override { vertex.scale(1.5); }
};

CLAROS_PLUGIN(VertexOutside, claros::Kind::set, "vertex-outside", "", "1.0.0",
              "Returns a vertex outside its set.", "A fixture of the tests.", "")
