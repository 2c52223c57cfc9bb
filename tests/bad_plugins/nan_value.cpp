// SPDX-License-Identifier: BSD-3-Clause
#include "distance.hpp"

#include <cmath>

class NanValue final : public FixtureDistance {
 public:
  using FixtureDistance::FixtureDistance;

 private:
  double spoilt_value(double) const override { return std::nan(""); }
};

CLAROS_PLUGIN(NanValue, claros::Kind::objective, "nan-value", "", "1.0.0", "Returns NaN for a value.",
              "A fixture of the tests.", "")
