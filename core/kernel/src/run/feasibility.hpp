// SPDX-License-Identifier: BSD-3-Clause
/// @file feasibility.hpp  Whether an answer lies where the composition wants it, and who is to blame when it
/// does not.
#pragma once

#include <claros/run/run_loop.hpp>

#include <claros/error.hpp>

#include <optional>

namespace claros {

/// How far x lies outside the set, by Membership (relative to the size of the set) or else by the indicator
/// of its projection (0 or infinity). 0 without a set, NaN where the set offers neither. Throws what the set
/// throws, contained.
double set_violation(const Problem& problem, const ComponentNames& names, const Element& x);

/// The complaint about an answer that lies outside the set by `violation`, or where h is not finite: of the
/// plugin whose projection or proximal step leads there, else of the algorithm. Nothing for other answers.
std::optional<Error> infeasible(const Problem& problem, const ComponentNames& names, const Element& x,
                                double violation);

/// Likewise of a point where h is not finite.
std::optional<Error> outside_domain(const Problem& problem, const ComponentNames& names, const Element& x);

/// The point of dom h nearest to x where h(x) is not finite, by a proximal step too short to move it further;
/// x where none is found. With a set x stays as it is: an algorithm that takes both projects onto both.
Element into_domain(const Problem& problem, const ComponentNames& names, Element x);

/// What the set allows its points, as a part of its size: 1e-6 for rounding, or more where its membership
/// states a slack.
double allowed_outside(const Problem& problem, const ComponentNames& names);

}  // namespace claros
