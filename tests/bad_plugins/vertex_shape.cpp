// SPDX-License-Identifier: BSD-3-Clause
#include "ball.hpp"

class VertexShape final : public FixtureBall {
 public:
  using FixtureBall::FixtureBall;

 private:
  void spoil(claros::Element& vertex) override { vertex = claros::Element(claros::Shape::matrix(2, 3)); }
};

CLAROS_PLUGIN(VertexShape, claros::Kind::set, "vertex-shape", "", "1.0.0",
              "Returns a vertex of another shape.", "A fixture of the tests.", "")
