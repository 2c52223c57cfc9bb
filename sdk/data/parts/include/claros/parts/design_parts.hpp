// SPDX-License-Identifier: BSD-3-Clause
/// @file design_parts.hpp  A design in several files (parts), of which a rank reads its own rows.
#pragma once

#include <claros/api.hpp>
#include <claros/io/design_blocks.hpp>
#include <claros/world.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace claros {

/// True if `name` is a pattern: it has * or ?, and is not the name of a file.
CLAROS_API bool is_part_pattern(const std::string& name, const Context& context);

/// The files of a folder whose names match a pattern (* any text, ? one character), in the order of their
/// rows. The name of the folder itself may not be a pattern. If the one * stands for a number in every name,
/// the order is that of the numbers; else that of the bytes. Throws Error(data) if no file matches. It also
/// throws if a number between the least and the largest is missing or occurs twice. Rows would be lost, or
/// would have no order.
CLAROS_API std::vector<std::filesystem::path> part_files(const std::string& pattern, const Context& context);

/// The rows of several files, one after the other, as one design; on several ranks every rank makes the same
/// calls. A unit is a part, or a piece of a plain LIBSVM text (its lines that begin in a range of bytes).
///
/// The constructor reads every unit once, on one rank each. It keeps the numbers of which a row has one
/// (responses, weights, offsets), and gives them to all ranks. `rows` reads entries, and opens no unit
/// without one of the rows. Memory is that of the rows, and a block.
///
/// Files are as for open_design_blocks; all have the same format and, except for sparse text, the same
/// columns. Throws Error(data) for parts that do not fit each other, and for a part that has changed or is
/// another one on another rank. Throws Error(usage) for options that need one file: responses, weights,
/// offsets and groups in files of their own, and memory = map.
class CLAROS_API DesignParts {
 public:
  /// `world` outlives it. Plain text is cut into pieces of at least so many bytes, about eight a rank.
  DesignParts(std::vector<std::filesystem::path> files, DesignOptions options, const Context& context,
              World& world, std::uint64_t least_piece = std::uint64_t{1} << 20U);
  ~DesignParts();
  DesignParts(const DesignParts&) = delete;
  DesignParts& operator=(const DesignParts&) = delete;

  /// The whole without its entries: sizes, names, classes, and the numbers of which a row has one.
  const Design& head() const noexcept;
  /// Stored entries of all rows.
  Index entries() const noexcept;
  /// The rows [first, first + count): sizes and entries, nothing else. Not collective. Reads on from the
  /// last call where the rows follow those of that.
  Design rows(Index first, Index count);
  /// head() with all rows.
  Design whole();
  /// "part-2.svm, row 17": where a row of the whole stands.
  std::string place_of_row(Index row) const;
  /// "3 parts".
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace claros
