// SPDX-License-Identifier: BSD-3-Clause
/// @file parts.hpp  How a part of a composition is made.
#pragma once

#include <claros/compose/composition.hpp>

namespace claros {

/// The part's component made from its options, those that it holds before it, all behind watchers. Leaves
/// what the program gave. Throws what the component's constructor throws.
void make(Node& part, const Context& context, const std::shared_ptr<Ledger>& ledger);

}  // namespace claros
