// SPDX-License-Identifier: BSD-3-Clause
/// @file trials.hpp  Several independent runs of one composition.
#pragma once

#include <claros/compose/composition.hpp>
#include <claros/error.hpp>

#include <optional>

namespace claros {

/// Why the runs of a composition cannot be compared by their gaps; nothing when they can be, or of one run.
std::optional<Complaint> trials_complaint(const Composition& composition);

}  // namespace claros
