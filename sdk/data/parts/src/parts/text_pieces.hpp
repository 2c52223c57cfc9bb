// SPDX-License-Identifier: BSD-3-Clause
/// @file text_pieces.hpp  Files in parts, plain text among them cut at ends of lines, dealt to the ranks.
#pragma once

#include <boost/iostreams/filtering_stream.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace claros {

/// A file, or a piece of its text.
struct TextPiece {
  std::size_t file = 0;            ///< which part
  std::uint64_t from = 0, to = 0;  ///< bytes of it
  bool piece = false;              ///< lines that begin in [from, to), a line being whole in one piece
  int owner = 0;                   ///< the rank that reads it first
};

/// True if the bytes of a file are not compressed.
bool is_plain(const std::filesystem::path& file);

/// Pieces in the order of their lines, about eight a rank of each file that `may_cut` says is plain text,
/// none below `least_piece` bytes. Ranks own consecutive pieces of about as many bytes.
std::vector<TextPiece> text_pieces(const std::vector<std::filesystem::path>& files,
                                   const std::function<bool(const std::filesystem::path&)>& may_cut,
                                   int ranks, std::uint64_t least_piece);

/// The lines of a piece.
class PieceStream {
 public:
  PieceStream(const std::filesystem::path& file, const TextPiece& piece);
  /// "rows.svm from byte 4096"
  const std::string& name() const { return name_; }
  bool empty() const { return from_ >= to_; }
  std::istream& text() { return text_; }

 private:
  std::string name_;
  std::uint64_t from_, to_;
  boost::iostreams::filtering_istream text_;
};

}  // namespace claros
