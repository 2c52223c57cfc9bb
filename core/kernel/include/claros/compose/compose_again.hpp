// SPDX-License-Identifier: BSD-3-Clause
/// @file compose_again.hpp  Other parts around an objective that is there.
#pragma once

#include <claros/compose/composition.hpp>

namespace claros {

/// Composes with the objective and the data of `earlier` as they are. Its intercept and the units of its
/// columns stay, whatever another penalty or set would decide (compose_beside). The two must not run at once.
CLAROS_API Composition compose_again(const Composition& earlier, const Catalog& catalog, const Spec& spec);

}  // namespace claros
