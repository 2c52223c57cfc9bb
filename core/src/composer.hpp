// SPDX-License-Identifier: BSD-3-Clause
/// @file composer.hpp  Many compositions on the same data.
#pragma once

#include <claros/composition.hpp>

#include <string>

namespace claros {

/// What decides the objective and its data: specifications with the same text make the same.
std::string objective_text(const Spec& spec);

/// As `compose`, with the objective and the data of `earlier` (null: none), whose specification has the same
/// objective_text: its file is not read again. The two must not run at once, and the order of their runs is that of their
/// making.
Composition compose_beside(const Composition* earlier, const Catalog& catalog, const Spec& spec, MessageSink messages,
                           std::vector<Complaint> complaints);

}  // namespace claros
