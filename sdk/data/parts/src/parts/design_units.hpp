// SPDX-License-Identifier: BSD-3-Clause
/// @file design_units.hpp  The units of a design in parts, each of which one rank reads at once: a file, or a
/// piece of its text.
#pragma once

#include "parts/text_pieces.hpp"

#include <claros/io/design_blocks.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace claros {

struct DesignUnit : TextPiece {
  Index first = 0, rows = 0, entries = 0;  ///< once they are counted; `first` of the whole

  bool holds(Index row) const { return row >= first && row < first + rows; }
};

/// Units in the order of their rows, those of plain LIBSVM text being pieces.
std::vector<DesignUnit> design_units(const std::vector<std::filesystem::path>& files,
                                     const DesignOptions& options, int ranks, std::uint64_t least_piece);

/// The blocks of a unit of `file`. Those of a piece without a line have none.
std::unique_ptr<DesignBlocks> open_unit(const DesignUnit& unit, const std::filesystem::path& file,
                                        const DesignOptions& options, const Context& context);

}  // namespace claros
