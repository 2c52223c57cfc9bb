// SPDX-License-Identifier: BSD-3-Clause
/// @file recession.hpp  Functions that fall for ever along a direction: separable classes, and their like.
#pragma once

#include <claros/algorithm.hpp>

#include <functional>
#include <string>

namespace claros {

/// Says along which direction f + h, whose values `value` gives, falls from x on for ever. Such a direction
/// is a part of x in which the Hessian of f has vanished beside that at 0. The text is empty if none is
/// found, or if f is not of rows.
std::string recession(const Problem& problem, const Element& x,
                      const std::function<double(const Element&)>& value);

}  // namespace claros
