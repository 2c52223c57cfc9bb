// SPDX-License-Identifier: BSD-3-Clause
/// @file convexity.hpp  A test whether an objective is known to be convex.
#pragma once

#include <claros/abilities.hpp>
#include <claros/objective.hpp>

namespace claros {

/// Who has certificates is convex. Others say so among their constants, which may take many passes over the
/// data.
inline bool is_convex(Objective& f) { return query<Certified>(f) || f.constants().convex; }

}  // namespace claros
