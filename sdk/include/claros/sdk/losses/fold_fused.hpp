// SPDX-License-Identifier: BSD-3-Clause
/// @file fold_fused.hpp  Rows of a design that wait to be added to an array.
#pragma once

#include <claros/element/element.hpp>
#include <claros/map/linear_map.hpp>

#include <algorithm>
#include <variant>

namespace claros::sdk {

/// If the map fuses (a design), adds the rows that wait in g to its array, so that no caller reads them
/// again.
inline void fold_fused(Element& g) {
  const auto is_fused = [](const Part& part) {
    const auto* adjoint = std::get_if<AdjointForm>(&part.form);
    return adjoint && adjoint->map->fuses();
  };
  if (std::ranges::any_of(g.parts(), is_fused)) g.fold();
}

}  // namespace claros::sdk
