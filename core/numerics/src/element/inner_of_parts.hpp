// SPDX-License-Identifier: BSD-3-Clause
/// @file inner_of_parts.hpp  An inner product and the size of what may cancel in it.
#pragma once

#include <claros/element/element.hpp>

namespace claros {

/// <x, y>; `size` is the sum of the magnitudes of the terms that may cancel in it.
double inner_of_parts(const Element& x, const Element& y, double& size);

}  // namespace claros
