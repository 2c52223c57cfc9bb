// SPDX-License-Identifier: BSD-3-Clause
#include "distance.hpp"

#include <cmath>

class NanGradient final : public FixtureDistance {
 public:
  using FixtureDistance::FixtureDistance;

 private:
  void spoil_gradient(claros::Element& g) const override { g.dense_values()[3] = std::nan(""); }
};

CLAROS_PLUGIN(NanGradient, claros::Kind::objective, "nan-gradient", "", "1.0.0",
              "Returns NaN in the gradient.", "A fixture of the tests.", "")
