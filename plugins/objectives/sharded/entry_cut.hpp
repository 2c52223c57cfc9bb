// SPDX-License-Identifier: BSD-3-Clause
/// @file entry_cut.hpp  The entries of a matrix, cut into chunks of lines, of which a rank keeps its own.
#pragma once

#include <claros/element/pattern.hpp>
#include <claros/parts/rating_parts.hpp>
#include <claros/sdk/losses/loss_model.hpp>
#include <claros/tree_sum.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace sharded {

/// Entries of consecutive lines; lines are rows of the matrix, or its columns if it is wide.
struct EntryChunk {
  claros::Index first_line = 0;
  std::shared_ptr<const claros::Pattern> pattern;  ///< lines x shorter side
  claros::sdk::LossModel model;                    ///< over these entries, with the weights of the whole

  claros::Index lines() const { return pattern->rows(); }
  claros::Index terms() const { return pattern->entries(); }
};

/// The chunks have about equal numbers of entries (chunk_lines), and do not depend on the ranks.
class EntryCut {
 public:
  /// Copies this rank's chunks from the whole, which may then go.
  EntryCut(const claros::sdk::LossModel& whole, claros::Index chunks, claros::World& world);
  /// Takes this rank's chunks from the parts, whose entries are gone then.
  EntryCut(claros::RatingParts& parts, std::shared_ptr<const claros::Loss> loss, claros::Index chunks);

  bool tall() const { return tall_; }
  claros::Index rows() const { return rows_; }
  claros::Index cols() const { return cols_; }
  claros::Index longer() const { return tall_ ? rows_ : cols_; }
  claros::Index shorter() const { return tall_ ? cols_ : rows_; }
  claros::Index terms() const { return terms_; }
  claros::Index count() const { return count_; }
  claros::World& world() const { return world_; }
  claros::ChunkRange mine() const { return mine_; }
  const EntryChunk& chunk(claros::Index k) const { return chunks_[place(k)]; }
  std::size_t place(claros::Index k) const { return static_cast<std::size_t>(k - mine_.first); }
  /// The lines of a rank.
  claros::ChunkRange lines_of(int rank) const;

  /// The chunk of this rank that holds a term, and the term's place; null if another rank holds it.
  std::pair<const EntryChunk*, std::size_t> find(claros::Index term) const;
  /// i + j rows, of an entry of a chunk.
  claros::Index position(const EntryChunk& chunk, std::size_t entry) const;

 private:
  void cut(const claros::Pattern& whole);
  EntryChunk made(claros::LineEntries entries, std::shared_ptr<const claros::Loss> loss) const;
  /// `next`: the number of the next entry of this rank with each number of `across`.
  void hold(const claros::LineEntries& entries, claros::Index k, std::vector<claros::Index>& next);
  EntryChunk made(const claros::sdk::LossModel& whole, const claros::Pattern& pattern, claros::Index k);

  claros::World& world_;
  bool tall_;
  claros::Index rows_, cols_, terms_, count_;
  claros::ChunkRange mine_;
  std::vector<claros::Index> first_line_;  ///< of every chunk, and the number of lines
  std::vector<claros::Index> start_;       ///< terms before every chunk (tall)
  std::vector<claros::Index> by_line_;     ///< terms in the order of the lines (wide), while chunks are made
  std::vector<EntryChunk> chunks_;         ///< of this rank
  struct Held {
    claros::Index term;
    std::int32_t chunk, entry;
  };
  std::vector<Held> held_;  ///< of this rank, by term (wide)
};

}  // namespace sharded
