// SPDX-License-Identifier: BSD-3-Clause
/// @file interface_of_kind.hpp  A question of the loader to the interfaces, which it does not know.
#pragma once

#include <claros/component.hpp>
#include <claros/kind.hpp>

namespace claros {

/// True if `component` has the class that its kind promises; false if it was compiled without run-time types.
/// Defined beside the interfaces (core/kernel/src/interfaces/interfaces.cpp).
bool has_interface(Kind kind, Component& component);

}  // namespace claros
