// SPDX-License-Identifier: BSD-3-Clause
/// @file design_writer.hpp  Designs of any size, written block by block in bounded memory.
#pragma once

#include <claros/api.hpp>
#include <claros/io/design_blocks.hpp>
#include <claros/map/design.hpp>

#include <filesystem>
#include <memory>
#include <string>

namespace claros {

/// Writes a stored design: dense rows or compressed rows with responses, and perhaps weights, offsets,
/// groups, names and the encoding of a table's columns. The design may be larger than memory, because
/// `read_design` maps the file. Sections begin at pages; every chunk has a checksum. The file appears whole
/// when `finish` returns, or not at all.
///
/// Memory: a few MiB, whatever is written. Data that are known at the end only (columns, starts, responses)
/// wait in unnamed files of the same folder.
class CLAROS_API DesignWriter {
 public:
  /// Values are stored in float if `single`, else in double. Throws Error(data) if the folder cannot be
  /// written.
  DesignWriter(const std::filesystem::path& path, bool single);
  ~DesignWriter();
  DesignWriter(const DesignWriter&) = delete;
  DesignWriter& operator=(const DesignWriter&) = delete;

  /// Appends the rows of `block`, which came from `where`. All blocks are dense with the same number of
  /// columns, or all are sparse; then the design has the largest number of columns. Names, labels and the
  /// encoding are those of the first block, and equal in all; groups have the same numbers in all. Throws
  /// Error(data) at `where` for a block that does not fit or is not consistent, and where the disk is full.
  void add(const Design& block, const std::string& where);
  /// All blocks, one after the other. Exceptions of the blocks become Error(data) with the number of the
  /// block and the place of the one before. So does an end before the rows that they announced.
  void add_all(DesignBlocks& blocks);
  Index rows() const noexcept;
  Index entries() const noexcept;
  /// To be called once, last. Throws Error(data) without rows, and where the disk is full.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace claros
