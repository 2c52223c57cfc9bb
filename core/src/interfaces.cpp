// SPDX-License-Identifier: BSD-3-Clause
// Destructors of the interfaces live here, so that each type has one identity across libraries.
#include <claros/abilities.hpp>
#include <claros/algorithm.hpp>
#include <claros/state.hpp>



namespace claros {

Curvature::~Curvature() = default;
LinearOracle::~LinearOracle() = default;
ProximalOracle::~ProximalOracle() = default;
Membership::~Membership() = default;
Start::~Start() = default;
Separable::~Separable() = default;
SeparableLag::~SeparableLag() = default;
Restrictable::~Restrictable() = default;
Certified::~Certified() = default;
Referable::~Referable() = default;
State::~State() = default;

void Objective::add_gradient_difference(const Element& x, const Element& y, const Batch& batch, double a, Element& g) {
  add_gradient(x, batch, a, g);
  add_gradient(y, batch, -a, g);
}

}  // namespace claros
