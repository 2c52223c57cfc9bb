// SPDX-License-Identifier: BSD-3-Clause
/// @file arriving_entries.hpp  Entries that go to the ranks that own their lines.
#pragma once

#include <claros/parts/line_entries.hpp>
#include <claros/tree_sum.hpp>
#include <claros/world.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace claros {

struct LineEntry {
  std::int32_t line = 0, across = 0;
  double value = 0.0, weight = 1.0;
};

/// The entries of a chunk in the order in which they come, and then in that of their positions.
class ArrivingChunk {
 public:
  /// `from`: how many come from each rank.
  ArrivingChunk(Index first_line, Index last_line, const std::vector<std::size_t>& from, bool weighted);
  void take(std::size_t rank, const LineEntry& entry);
  /// The entries sorted, those of one position as RatingsOptions::duplicates says, in the order of the ranks
  /// and of what each sent. The call empties this object. With duplicates = error the first position that
  /// comes twice is `*twice`, if that has none yet.
  LineEntries sorted(const std::string& duplicates, std::optional<LineEntry>& twice);

 private:
  std::vector<std::uint32_t> order() const;
  std::uint64_t key(std::size_t k) const { return keys_[k]; }

  Index first_line_, last_line_;
  std::vector<std::size_t> next_;  ///< where the next entry of a rank goes
  std::size_t size_;
  bool weighted_;
  std::unique_ptr<std::uint64_t[]> keys_;  ///< line and across; pages are used as entries come
  std::unique_ptr<double[]> values_, weights_;
};

/// The entries that a rank has to send: `next` gives one after the other, `size` of them, of which
/// `of_lines(first, last)` lie in those lines.
struct EntrySource {
  std::size_t size;
  std::function<LineEntry()> next;
  std::function<std::size_t(Index first, Index last)> of_lines;
  bool weighted;
};

/// The chunks of this rank (chunks_of_rank) with the entries of all ranks. Sent in rounds, in which all ranks
/// together send a rank at most about 2 million entries. Collective.
std::vector<ArrivingChunk> sent_to_owners(World& world, const std::vector<Index>& first_line,
                                          const EntrySource& source);

}  // namespace claros
