// SPDX-License-Identifier: BSD-3-Clause
#include "parts/design_units.hpp"

#include "io/compressed_stream.hpp"
#include "io/design_formats.hpp"

#include <claros/regular_file.hpp>

#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <boost/iostreams/restrict.hpp>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace claros {

namespace fs = std::filesystem;
namespace streams = boost::iostreams;

namespace {

constexpr std::uint64_t kPiecesOfRank = 8;
constexpr std::size_t kBlock = std::size_t{1} << 25U;

/// The first line that begins at byte `at` or later.
std::uint64_t line_start(const fs::path& path, std::uint64_t at) {
  if (at == 0) return 0;
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(at - 1));
  file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  return file.eof() || !file ? fs::file_size(path) : static_cast<std::uint64_t>(file.tellg());
}

/// Lines [from, to) of plain text, both at starts of lines.
class PieceBlocks final : public DesignBlocks {
 public:
  PieceBlocks(const fs::path& path, std::uint64_t from, std::uint64_t to, const DesignOptions& options)
      : name_(path.string() + (from > 0 ? " from byte " + std::to_string(from) : "")) {
    if (from >= to) return;
    text_.push(streams::restrict(streams::file_source(path.string(), std::ios::in | std::ios::binary),
                                 static_cast<streams::stream_offset>(from),
                                 static_cast<streams::stream_offset>(to - from)));
    lines_.emplace(text_, name_, options);
  }
  bool next(Design& block) override { return lines_ && lines_->next(block, kBlock); }
  std::string where() const override { return name_; }

 private:
  std::string name_;
  streams::filtering_istream text_;
  std::optional<design_formats::LibsvmBlocks> lines_;
};

bool is_plain_libsvm(const fs::path& path, const DesignOptions& options) {
  if (options.storage == "dense" || options.unit_rows) return false;
  if (design_formats::format_of(path, options) != "libsvm") return false;
  streams::filtering_streambuf<streams::input> stream;
  return open_compressed(path, stream).empty();
}

}  // namespace

std::vector<DesignUnit> design_units(const std::vector<fs::path>& files, const DesignOptions& options,
                                     int ranks, std::uint64_t least_piece) {
  std::vector<std::uint64_t> sizes;
  for (const fs::path& file : files) {
    (void)open_regular_file(file);  // which says why a file cannot be read
    sizes.push_back(fs::file_size(file));
  }
  std::uint64_t all = 0, before = 0;
  for (const std::uint64_t size : sizes) all += size;
  const auto of_ranks = static_cast<std::uint64_t>(ranks);
  const std::uint64_t piece =
      std::max(std::max<std::uint64_t>(least_piece, 1), all / (kPiecesOfRank * of_ranks));
  std::vector<DesignUnit> units;
  for (std::size_t k = 0; k < files.size(); ++k) {
    const bool cut = sizes[k] > piece && is_plain_libsvm(files[k], options);
    const std::uint64_t count = cut ? (sizes[k] + piece - 1) / piece : 1;
    for (std::uint64_t u = 0; u < count; ++u) {
      DesignUnit unit{
          .file = k, .from = sizes[k] * u / count, .to = sizes[k] * (u + 1) / count, .piece = cut};
      const double middle = static_cast<double>(before) + 0.5 * static_cast<double>(unit.from + unit.to);
      unit.owner =
          std::min(ranks - 1, static_cast<int>(middle / std::max(1.0, static_cast<double>(all)) * ranks));
      units.push_back(unit);
    }
    before += sizes[k];
  }
  return units;
}

std::unique_ptr<DesignBlocks> open_unit(const DesignUnit& unit, const fs::path& file,
                                        const DesignOptions& options, const Context& context) {
  if (!unit.piece) return open_design_blocks(file, options, context, kBlock);
  return std::make_unique<PieceBlocks>(file, line_start(file, unit.from), line_start(file, unit.to), options);
}

}  // namespace claros
