// SPDX-License-Identifier: BSD-3-Clause
/// @file state_members.hpp  A test whether anything has to be saved between two steps.
#pragma once

#include <claros/state/state.hpp>

namespace claros {

/// True if `state` lists a member, or if an optional member or a group that is absent may come. A component
/// that lists nothing does not change from one call to the next.
bool has_members(State& state);

}  // namespace claros
