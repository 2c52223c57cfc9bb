// SPDX-License-Identifier: BSD-3-Clause
#include "parts/text_pieces.hpp"

#include "io/compressed_stream.hpp"

#include <claros/regular_file.hpp>

#include <boost/iostreams/restrict.hpp>

#include <algorithm>
#include <fstream>
#include <limits>

namespace claros {

namespace fs = std::filesystem;
namespace streams = boost::iostreams;

namespace {

constexpr std::uint64_t kPiecesOfRank = 8;

/// The first line that begins at byte `at` or later.
std::uint64_t line_start(const fs::path& path, std::uint64_t at) {
  if (at == 0) return 0;
  std::ifstream file = open_regular_file(path);
  file.seekg(static_cast<std::streamoff>(at - 1));
  file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  return file.eof() || !file ? fs::file_size(path) : static_cast<std::uint64_t>(file.tellg());
}

}  // namespace

bool is_plain(const fs::path& file) {
  streams::filtering_streambuf<streams::input> stream;
  return open_compressed(file, stream).empty();
}

std::vector<TextPiece> text_pieces(const std::vector<fs::path>& files,
                                   const std::function<bool(const fs::path&)>& may_cut, int ranks,
                                   std::uint64_t least_piece) {
  std::vector<std::uint64_t> sizes;
  for (const fs::path& file : files) {
    (void)open_regular_file(file);  // which says why a file cannot be read
    sizes.push_back(fs::file_size(file));
  }
  std::uint64_t all = 0, before = 0;
  for (const std::uint64_t size : sizes) all += size;
  const auto of_ranks = static_cast<std::uint64_t>(ranks);
  const std::uint64_t least =
      std::max(std::max<std::uint64_t>(least_piece, 1), all / (kPiecesOfRank * of_ranks));
  std::vector<TextPiece> pieces;
  for (std::size_t k = 0; k < files.size(); ++k) {
    const bool cut = sizes[k] > least && may_cut(files[k]);
    const std::uint64_t count = cut ? (sizes[k] + least - 1) / least : 1;
    for (std::uint64_t u = 0; u < count; ++u) {
      TextPiece piece{
          .file = k, .from = sizes[k] * u / count, .to = sizes[k] * (u + 1) / count, .piece = cut};
      const double middle = static_cast<double>(before) + 0.5 * static_cast<double>(piece.from + piece.to);
      piece.owner =
          std::min(ranks - 1, static_cast<int>(middle / std::max(1.0, static_cast<double>(all)) * ranks));
      pieces.push_back(piece);
    }
    before += sizes[k];
  }
  return pieces;
}

PieceStream::PieceStream(const fs::path& file, const TextPiece& piece)
    : from_(line_start(file, piece.from)), to_(line_start(file, piece.to)) {
  name_ = file.string() + (from_ > 0 ? " from byte " + std::to_string(from_) : "");
  if (empty()) return;
  text_.push(streams::restrict(opened_source(file), static_cast<streams::stream_offset>(from_),
                               static_cast<streams::stream_offset>(to_ - from_)));
}

}  // namespace claros
