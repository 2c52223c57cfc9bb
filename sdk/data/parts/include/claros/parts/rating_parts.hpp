// SPDX-License-Identifier: BSD-3-Clause
/// @file rating_parts.hpp  Ratings in several files (parts), of which a rank keeps the entries of its lines.
#pragma once

#include <claros/api.hpp>
#include <claros/io/ratings.hpp>
#include <claros/parts/line_entries.hpp>
#include <claros/tree_sum.hpp>
#include <claros/world.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace claros {

/// The ratings of several files, one file after the other, as one list; on several ranks every rank makes the
/// same calls. A unit is a part, or a piece of a plain text of lines of row, column, value.
///
/// The constructor reads every unit once, on one rank each, and sends every entry to the rank that owns its
/// line. Lines are rows of the matrix, or columns if it is wide. They are cut into chunks (chunk_lines), of
/// which a rank owns consecutive ones (chunks_of_rank). No rank has all entries: it has its own ones, a
/// number a row and a column, and blocks of some megabytes on their way.
///
/// Sizes, ids, duplicates and weights are as of the joined file (ratings.hpp), to the bit. On any number of
/// ranks, a position that comes twice has the values in the order of the files. The files are text, plain or
/// compressed, Matrix Market files of coordinates, and .npz files of sparse matrices, all in one format.
/// Throws Error(data) on all ranks for a fault, with its place.
class CLAROS_API RatingParts {
 public:
  /// `world` outlives it. Plain text is cut into pieces of at least so many bytes, about eight a rank.
  RatingParts(std::vector<std::filesystem::path> files, RatingsOptions options, const Context& context,
              World& world, std::uint64_t least_piece = std::uint64_t{1} << 20U);
  ~RatingParts();
  RatingParts(const RatingParts&) = delete;
  RatingParts& operator=(const RatingParts&) = delete;

  /// Sizes and ids, without entries.
  const Ratings& head() const noexcept;
  /// The entries of every row and every column on all ranks, and of all together.
  const std::vector<Index>& row_entries() const noexcept;
  const std::vector<Index>& col_entries() const noexcept;
  Index entries() const noexcept;
  bool weighted() const noexcept;
  /// Gives the entries weights from now on, or none: weights of 1 if they had none. All ranks make the same
  /// call.
  void set_weighted(bool weighted);
  /// True if lines are rows.
  bool tall() const noexcept;

  World& world() const noexcept;
  /// How many chunks there are; 64 at first, or one a line of fewer lines.
  Index count() const noexcept;
  /// Cuts into `count` chunks, or one a line. Sends the entries whose owner is another now. Collective.
  void cut(Index count);
  /// Counts entries again, after some were taken out of chunks. Collective.
  void recount();
  /// The chunks of this rank, whose values and weights may be changed.
  ChunkRange mine() const noexcept;
  LineEntries& chunk(Index k);
  /// The first line of every chunk, and the number of lines.
  const std::vector<Index>& first_line() const noexcept;

  /// For every number of `across`: the number that the first entry of this rank with it has among the entries
  /// of all ranks, sorted by (row, column). For a wide matrix its other entries follow that one. Collective.
  std::vector<Index> first_numbers() const;
  /// All entries, of one rank. They are not kept here.
  Ratings whole();
  /// "3 parts".
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace claros
