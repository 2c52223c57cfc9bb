// SPDX-License-Identifier: BSD-3-Clause
/// @file design_blocks.hpp  Designs as a sequence of blocks of rows: the seam of readers, shards and designs
/// on disk, which programs may implement.
#pragma once

#include <claros/io/design_io.hpp>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace claros {

/// Rows in their order, some at a time. `next` gives a consistent design of those rows. For sparse text its
/// columns end at the largest of the block, so that a later block may have more.
class CLAROS_API DesignBlocks {
 public:
  virtual ~DesignBlocks();
  /// block <- the next rows; false at the end. Throws Error(data) if the source is damaged or ends early.
  virtual bool next(Design& block) = 0;
  /// The next block is the first again. Throws Error(usage) if the rows can be read once only, which is
  /// the default.
  virtual void rewind();
  /// How many rows there are in all; nothing if that is not known before the end.
  virtual std::optional<Index> rows() const { return std::nullopt; }
  /// The name of the last block in errors: "train.svm", "train.svm, rows 1 to 65536".
  virtual std::string where() const = 0;
};

/// The rows of a file, about `bytes` of entries at a time. LIBSVM text, compressed or not, and files that can
/// be mapped (stored and raw designs, .npy) take memory for a block alone. Other formats are read whole
/// first, and the context notes how much that takes. Options and errors are those of read_design.
CLAROS_API std::unique_ptr<DesignBlocks> open_design_blocks(const std::filesystem::path& path,
                                                            const DesignOptions& options = {},
                                                            const Context& context = {},
                                                            std::size_t bytes = std::size_t{1} << 25U);

}  // namespace claros
