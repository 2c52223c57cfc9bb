// SPDX-License-Identifier: BSD-3-Clause
#include <claros/domain.hpp>

#include <cmath>

namespace claros {

Domain::~Domain() = default;

bool leaves_domain(Objective& f, const Element& x) { return query<Domain>(f) && !std::isfinite(f.value(x)); }

double step_in_domain(Objective& f, const Element& x, const Element& d, double a) {
  constexpr int kMostHalvings = 100;
  if (!query<Domain>(f)) return a;
  for (int k = 0; k < kMostHalvings; ++k, a *= 0.5) {
    Element point(x);
    point.add(a, d);
    if (std::isfinite(f.value(point))) return a;
  }
  return 0.0;
}

}  // namespace claros
