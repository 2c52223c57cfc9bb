// SPDX-License-Identifier: BSD-3-Clause
/// @file id_column.hpp  One column of row or column ids, turned into positions from 0.
#pragma once

#include "fields.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace claros {

/// Collects ids by the rule of RatingsOptions::ids (ratings.hpp) and decides at the end what they stand for.
/// Ids that are integers are kept as numbers until the first that is not.
class IdColumn {
 public:
  /// `side` is "row" or "column", for messages; `declared` the size, 0 when it comes from the data.
  IdColumn(std::string side, std::string rule, Index declared);
  /// Takes field `i` of the current line.
  void add(const FieldReader& reader, std::size_t i);
  /// Fills the results; `lines` holds the line of every id.
  void finish(const TextInput& input, const std::vector<std::uint32_t>& lines);

  std::vector<std::int32_t> positions;
  std::vector<std::string> ids;  ///< empty when the ids are the indices
  Index count = 0;

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  void add_index(const FieldReader& reader, std::string_view field);
  void add_arbitrary(std::string_view field);
  Index intern(std::string_view id);
  void give_up_numbers();
  bool are_indices() const;
  void finish_indices(const TextInput& input, const std::vector<std::uint32_t>& lines, Index base);
  void finish_numbers();

  std::string side_, rule_;
  Index declared_;
  bool textual_ = false;
  std::vector<Index> numbers_;  ///< the ids; their positions once textual
  std::unordered_map<std::string, Index, Hash, std::equal_to<>> known_;
};

}  // namespace claros
