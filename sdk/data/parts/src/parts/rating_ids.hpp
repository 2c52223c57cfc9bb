// SPDX-License-Identifier: BSD-3-Clause
/// @file rating_ids.hpp  The row or column ids of ratings that several ranks read, turned into positions.
#pragma once

#include <claros/io/fields.hpp>
#include "parts/block_queue.hpp"

#include <claros/io/ratings.hpp>
#include <claros/world.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace claros {

/// One side (rows or columns). A rank adds the ids of its lines, in their order. Then all ranks agree, by the
/// rule of RatingsOptions::ids (ratings.hpp), on the positions of all ids. Ids of 32 bits are kept as numbers
/// until the first that does not fit; then a dictionary of this rank's ids is made.
class RatingIds {
 public:
  /// `side` is "row" or "column", for messages; `declared` the size, 0 when it comes from the data.
  RatingIds(std::string side, const std::string& rule, Index declared);

  /// True if `add` takes a number that is written as a plain integer.
  bool takes(Index number) const { return number >= least_index_ && number <= largest_index_; }
  void add(Index number);
  /// Takes field `i` of the current line.
  void add(const FieldReader& reader, std::size_t i);

  /// Called after the last `add`: settles the positions of all ids. A file that holds positions has at least
  /// `size` of them. Messages name the data by `what`. Collective.
  void agree(World& world, Index size, const std::string& what, const Context& context);
  Index count() const { return count_; }
  /// True if a field stands for a position.
  bool stands_for(std::string_view field, Index position) const;
  /// The id of every position; empty when the ids are the indices.
  const std::vector<std::string>& names() const { return names_; }

  /// How often this rank has each position; before the first `next`.
  std::vector<double> counts();
  /// The position of the next id, from the first that was added on.
  std::int32_t next() { return position(codes_.pop()); }
  /// Positions in a file are indices from 0.
  void hold_positions() { holds_positions_ = true, base_ = 0; }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  /// The facts about the ids of one rank, or of all.
  struct Facts {
    Index textual = 0;                       ///< 1 if an id is not the plain text of an integer
    Index some = 0, least = 0, largest = 0;  ///< of the integers
    Index ids = 0;
  };
  void see(Index number);
  std::int32_t intern(std::string_view id);
  void make_dictionary();
  void agree_facts(World& world);
  bool are_indices(World& world);
  Index distinct(World& world);
  void take_indices(Index size, const std::string& what);
  void take_labels(World& world);
  void take_numbers(World& world);
  void note_labels(const std::string& what, const Context& context) const;
  std::vector<Index> own_numbers();
  std::int32_t place_of(Index number) const;
  std::int32_t position(std::int32_t code) const;

  std::string side_, rule_;
  Index declared_, least_index_, largest_index_;
  bool indexed_, holds_positions_ = false, has_dictionary_ = false;
  BlockQueue<std::int32_t> codes_;  ///< the ids, or their places in `dictionary_`
  Facts facts_;
  std::vector<std::string> dictionary_;
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> known_;

  Index count_ = 0, base_ = 0;
  std::vector<std::string> names_;
  std::vector<std::int32_t> places_;  ///< of the dictionary's ids
  std::vector<Index> numbers_;        ///< ascending, of all ranks, where ids are integers that are labels
};

}  // namespace claros
