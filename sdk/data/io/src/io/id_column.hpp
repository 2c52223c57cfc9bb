// SPDX-License-Identifier: BSD-3-Clause
/// @file id_column.hpp  One column of row or column ids, turned into positions from 0.
#pragma once

#include <claros/io/fields.hpp>

#include <claros/context.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
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
  /// True if a whole number of plain digits can be added as a number.
  bool accepts(Index number) const { return !textual_ && number >= least_ && number <= largest_; }
  void add(Index accepted) { numbers_.push_back(accepted); }
  /// Takes an id that is a number already; `where` is its place, for a message.
  void add(Index number, const std::string& where);
  /// Fills the results; `where(k)` is the place of id number k in the file `file`, for messages. If the ids
  /// are labels although rule `auto` could have taken integers for indices, context says so and why.
  void finish(const std::string& file, const std::function<std::string(std::size_t)>& where,
              const Context& context);

  /// Whether one of the ids, which are labels, is `id`.
  bool holds(const std::string& id) const { return std::ranges::find(ids, id) != ids.end(); }

  std::vector<std::int32_t> positions;
  std::vector<std::string> ids;  ///< empty when the ids are the indices
  Index count = 0;

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  /// The fault of an index, and the remedy; nothing if it has none.
  std::optional<std::pair<std::string, std::string>> fault(const std::optional<Index>& index,
                                                           const std::string& text) const;
  void note_labels(const std::string& file, const Context& context) const;
  void add_arbitrary(std::string_view field, Index line);
  Index intern(std::string_view id);
  void give_up_numbers();
  bool are_indices() const;
  void finish_indices(const std::function<std::string(std::size_t)>& where, Index base);
  void finish_numbers();

  std::string side_, rule_;
  Index declared_;
  Index least_, largest_;  ///< of indices, if all ids have to be indices
  bool textual_ = false;
  std::string first_text_;  ///< the first id that is not an integer, where the ids before it were
  Index first_text_line_ = 0;
  std::vector<Index> numbers_;  ///< the ids; their positions once textual
  std::unordered_map<std::string, Index, Hash, std::equal_to<>> known_;
};

/// Says that ids hold characters that cannot be seen: they are others than those without.
void note_invisible(const std::vector<std::string>& ids, const std::string& side, const std::string& file,
                    const Context& context);

}  // namespace claros
