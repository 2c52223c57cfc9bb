// SPDX-License-Identifier: BSD-3-Clause
/// @file mean_fill.hpp  The start of matrix completion that fills what is not observed with the mean.
#pragma once

#include <claros/context.hpp>
#include <claros/element/element.hpp>
#include <claros/objective.hpp>
#include <claros/proximal_oracle.hpp>

namespace claros {

/// The best approximation of rank `rank` of the data with their mean everywhere else, projected where there
/// is a projection. (Garber 2020, section 5.) Throws Error(usage) when the objective has no such data
/// (Start), or of a rank that no matrix of its shape has.
Element mean_filled(Objective& objective, Index rank, ProximalOracle* projection, const Context& context);

}  // namespace claros
