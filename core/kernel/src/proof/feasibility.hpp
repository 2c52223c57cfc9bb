// SPDX-License-Identifier: BSD-3-Clause
/// @file feasibility.hpp  Whether an answer lies where the composition wants it, and who is to blame when it
/// does not.
#pragma once

#include <claros/missing_parts.hpp>

#include <claros/error.hpp>

#include <optional>

namespace claros {

/// How far x lies outside the set: by Membership (relative to the size of the set), or else by the indicator
/// of its projection (0 or infinity). It is 0 without a set, and NaN if the set offers neither. Throws what
/// the set throws, contained.
double set_violation(const Problem& problem, const ComponentNames& names, const Element& x);

/// The complaint about a solution that lies outside the set by `violation`, or at which h is not finite. It
/// is about the plugin whose projection or proximal step leads there, or else about the algorithm. Nothing
/// for other solutions.
std::optional<Error> infeasible(const Problem& problem, const ComponentNames& names, const Element& x,
                                double violation);

/// The complaint about a point at which h is not finite.
std::optional<Error> outside_domain(const Problem& problem, const ComponentNames& names, const Element& x);

/// If h(x) is not finite, the nearest point of dom h, by a proximal step too short to move x further. It is x
/// if none is found. With a set x stays as it is: an algorithm that takes both projects onto both.
Element into_domain(const Problem& problem, const ComponentNames& names, Element x);

/// The violation that the set allows its points, relative to its size: 1e-6 for rounding, or more if its
/// membership states a slack.
double allowed_outside(const Problem& problem, const ComponentNames& names);

}  // namespace claros
