// SPDX-License-Identifier: BSD-3-Clause
/// @file composition_pages.hpp  The tables of compositions for people and for programs.
#pragma once

#include "catalogue/composition_tables.hpp"

#include <claros/json_text.hpp>

#include <string>
#include <vector>

namespace claros::cli {

/// Why a cell is refused, without the names of its row and column, so that one reason serves all cells that
/// it holds of.
std::string reason_of(const CompositionTable& table, std::size_t r, std::size_t c);

/// A row: the components that it takes, and those that it does not with the reason.
std::string compositions_text(const std::vector<CompositionTable>& tables);
/// Tables with a mark for each composition that runs, and the number of a reason for the others.
std::string compositions_markdown(const std::vector<CompositionTable>& tables);
Json compositions_json(const std::vector<CompositionTable>& tables);

}  // namespace claros::cli
