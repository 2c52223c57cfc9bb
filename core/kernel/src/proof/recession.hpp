// SPDX-License-Identifier: BSD-3-Clause
/// @file recession.hpp  Functions that fall for ever along a direction: separable classes, and their like.
#pragma once

#include <claros/algorithm.hpp>

#include <functional>
#include <string>

namespace claros {

/// Says along which direction f + h, whose values `value` gives, falls from x on for ever. Empty if none is
/// found, or if f has no image. Some rows of the image may have no curvature any more. Then f is tried along
/// the part of x that the other rows do not see.
std::string recession(const Problem& problem, const Element& x,
                      const std::function<double(const Element&)>& value);

}  // namespace claros
