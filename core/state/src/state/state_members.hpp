// SPDX-License-Identifier: BSD-3-Clause
/// @file state_members.hpp  Whether anything has to be saved between two steps.
#pragma once

#include <claros/state/state.hpp>

namespace claros {

/// Whether `state` lists a member; of an optional one or a group that is absent, that it may come. A
/// component of which nothing is listed does not change from one call to the next.
bool has_members(State& state);

}  // namespace claros
