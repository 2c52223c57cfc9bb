// SPDX-License-Identifier: BSD-3-Clause
/// @file design_units.hpp  What one rank reads at once of a design in parts: a file, or a piece of its text.
#pragma once

#include <claros/io/design_blocks.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

namespace claros {

struct DesignUnit {
  std::size_t file = 0;            ///< which part
  std::uint64_t from = 0, to = 0;  ///< bytes of it
  bool piece = false;              ///< lines that begin in [from, to), a line being whole in one piece
  int owner = 0;                   ///< the rank that counts its rows
  Index first = 0, rows = 0, entries = 0;  ///< once they are counted; `first` of the whole

  bool holds(Index row) const { return row >= first && row < first + rows; }
};

/// Units in the order of their rows, about eight pieces a rank of plain LIBSVM text, none below
/// `least_piece` bytes. Ranks own consecutive units of about as many bytes.
std::vector<DesignUnit> design_units(const std::vector<std::filesystem::path>& files,
                                     const DesignOptions& options, int ranks, std::uint64_t least_piece);

/// The blocks of a unit of `file`. Those of a piece without a line have none.
std::unique_ptr<DesignBlocks> open_unit(const DesignUnit& unit, const std::filesystem::path& file,
                                        const DesignOptions& options, const Context& context);

}  // namespace claros
