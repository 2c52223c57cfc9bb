// SPDX-License-Identifier: BSD-3-Clause
#include "parts/design_units.hpp"

#include "io/design_formats.hpp"

#include <optional>
#include <string>

namespace claros {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBlock = std::size_t{1} << 25U;

/// The lines of a piece, as rows.
class PieceBlocks final : public DesignBlocks {
 public:
  PieceBlocks(const fs::path& path, const TextPiece& piece, const DesignOptions& options)
      : stream_(path, piece) {
    if (!stream_.empty()) lines_.emplace(stream_.text(), stream_.name(), options);
  }
  bool next(Design& block) override { return lines_ && lines_->next(block, kBlock); }
  std::string where() const override { return stream_.name(); }

 private:
  PieceStream stream_;
  std::optional<design_formats::LibsvmBlocks> lines_;
};

bool is_plain_libsvm(const fs::path& path, const DesignOptions& options) {
  if (options.storage == "dense" || options.unit_rows) return false;
  return design_formats::format_of(path, options).name == "libsvm" && is_plain(path);
}

}  // namespace

std::vector<DesignUnit> design_units(const std::vector<fs::path>& files, const DesignOptions& options,
                                     int ranks, std::uint64_t least_piece) {
  std::vector<DesignUnit> units;
  for (const TextPiece& piece : text_pieces(
           files, [&](const fs::path& file) { return is_plain_libsvm(file, options); }, ranks, least_piece))
    units.push_back({piece});
  return units;
}

std::unique_ptr<DesignBlocks> open_unit(const DesignUnit& unit, const fs::path& file,
                                        const DesignOptions& options, const Context& context) {
  if (!unit.piece) return open_design_blocks(file, options, context, kBlock);
  return std::make_unique<PieceBlocks>(file, unit, options);
}

}  // namespace claros
