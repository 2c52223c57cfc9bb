// SPDX-License-Identifier: BSD-3-Clause
/// @file mean_fill.hpp  The start of matrix completion that fills what is not observed with the mean.
#pragma once

#include <claros/context.hpp>
#include <claros/element/element.hpp>
#include <claros/objective.hpp>
#include <claros/proximal_oracle.hpp>

namespace claros {

/// The best approximation of rank `rank` to the data with their mean everywhere else, projected if there is a
/// projection. (Garber 2020, section 5.) Throws Error(usage) if the objective has no such data (Start), or if
/// no matrix of its shape has that rank.
Element mean_filled(Objective& objective, Index rank, ProximalOracle* projection, const Context& context);

}  // namespace claros
