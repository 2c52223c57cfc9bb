// SPDX-License-Identifier: BSD-3-Clause
/// @file objectives.hpp  The objectives of the subject that tests go through, and what they are asked.
#pragma once

#include "composed.hpp"

namespace claros::doctor {

/// Calls `test` with every objective that can be made: settings drawn within their ranges, on each of the
/// kit's data. Throws Skipped when none can be made.
void for_objectives(Bench& bench, int variants, const std::function<void(Objective&)>& test);

/// x or, if f has a domain (Domain), the point on the way from its inner point to x that lies well inside.
Numbers inside(Objective& f, Numbers x);
inline Element dense(const Objective& f, const Numbers& x) { return element_of(f.shape(), x); }
Numbers gradient(Objective& f, const Element& x, const Batch& batch);
/// Batch::all(), or some draws for an expectation.
Batch everything(const Objective& f);
/// Component numbers to look at: all of a small sum, else some.
std::vector<Index> some_components(Bench& bench, const Objective& f);
/// One point as a dense, sparse, low-rank and mixed element; a vector has no low-rank form.
std::vector<std::pair<std::string, Element>> forms_of(Bench& bench, const Shape& shape, const Numbers& x);

}  // namespace claros::doctor
