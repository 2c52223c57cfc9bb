// SPDX-License-Identifier: BSD-3-Clause
/// @file trials.hpp  Several independent runs of one composition.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/error.hpp>

#include <optional>

namespace claros {

/// What keeps the runs of a whole composition from being compared by their gaps; nothing when they can be, or
/// when there is only one.
std::optional<Complaint> trials_complaint(const Composition& composition);

}  // namespace claros
