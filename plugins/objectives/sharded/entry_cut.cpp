// SPDX-License-Identifier: BSD-3-Clause
#include "entry_cut.hpp"

#include <claros/error.hpp>
#include <claros/map/sampling_map.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace sharded {

using namespace claros;

namespace {

/// The starts of the lines, which are columns for a wide matrix.
std::vector<Index> line_starts(const Pattern& pattern, bool tall) {
  if (tall) return {pattern.row_start().begin(), pattern.row_start().end()};
  std::vector<Index> start(static_cast<std::size_t>(pattern.cols()) + 1, 0);
  for (const std::int32_t j : pattern.col()) ++start[static_cast<std::size_t>(j) + 1];
  for (std::size_t j = 1; j < start.size(); ++j) start[j] += start[j - 1];
  return start;
}

void expect_size(std::size_t size) {
  if (size > std::numeric_limits<std::int32_t>::max())
    throw Error(ErrorKind::usage, "chunks", "a chunk has 2^31 entries or more", "raise chunks");
}

}  // namespace

EntryCut::EntryCut(const sdk::LossModel& whole, Index chunks, World& world)
    : world_(world), terms_(static_cast<Index>(whole.targets.size())) {
  const Pattern& pattern = *static_cast<const SamplingMap&>(*whole.map).pattern();
  rows_ = pattern.rows();
  cols_ = pattern.cols();
  tall_ = rows_ >= cols_;
  count_ = std::min(chunks, longer());
  mine_ = chunks_of_rank(count_, world.rank(), world.size());
  cut(pattern);
  for (Index k = mine_.first; k < mine_.last; ++k) chunks_.push_back(made(whole, pattern, k));
  by_line_ = {};
  std::ranges::sort(held_, {}, &Held::term);
}

EntryCut::EntryCut(RatingParts& parts, std::shared_ptr<const Loss> loss, Index chunks)
    : world_(parts.world()),
      tall_(parts.tall()),
      rows_(parts.head().rows),
      cols_(parts.head().cols),
      terms_(parts.entries()) {
  parts.cut(chunks);
  count_ = parts.count();
  mine_ = parts.mine();
  first_line_ = parts.first_line();
  const std::vector<Index>& of_lines = tall_ ? parts.row_entries() : parts.col_entries();
  for (std::size_t k = 0; k < first_line_.size(); ++k) {
    const auto begin = of_lines.begin() + (k > 0 ? first_line_[k - 1] : 0);
    start_.push_back(std::accumulate(begin, of_lines.begin() + first_line_[k], k > 0 ? start_.back() : 0));
  }
  std::vector<Index> next = tall_ ? std::vector<Index>() : parts.first_numbers();
  for (Index k = mine_.first; k < mine_.last; ++k) {
    if (!tall_) hold(parts.chunk(k), k, next);
    chunks_.push_back(made(std::exchange(parts.chunk(k), {}), loss));
  }
  std::ranges::sort(held_, {}, &Held::term);
}

/// Entries of a chunk are sorted by (column, row): of each row its columns ascend.
void EntryCut::hold(const LineEntries& entries, Index k, std::vector<Index>& next) {
  for (std::size_t e = 0; e < entries.size(); ++e)
    held_.push_back({next[static_cast<std::size_t>(entries.across[e])]++,
                     static_cast<std::int32_t>(k - mine_.first), static_cast<std::int32_t>(e)});
}

EntryChunk EntryCut::made(LineEntries entries, std::shared_ptr<const Loss> loss) const {
  expect_size(entries.size());
  EntryChunk chunk;
  chunk.first_line = entries.first_line;
  for (std::int32_t& line : entries.line) line -= static_cast<std::int32_t>(entries.first_line);
  chunk.model.loss = std::move(loss);
  chunk.model.targets = std::move(entries.value);
  chunk.model.weights = std::move(entries.weight);
  chunk.pattern = std::make_shared<Pattern>(entries.lines(), shorter(), std::move(entries.line),
                                            std::move(entries.across));
  chunk.model.map = std::make_shared<SamplingMap>(chunk.pattern);
  return chunk;
}

void EntryCut::cut(const Pattern& pattern) {
  std::vector<Index> starts = line_starts(pattern, tall_);
  first_line_ = chunk_lines(starts, count_);
  for (const Index line : first_line_) start_.push_back(starts[static_cast<std::size_t>(line)]);
  if (tall_) return;
  by_line_.resize(static_cast<std::size_t>(terms_));
  const auto col = pattern.col();
  for (Index e = 0; e < terms_; ++e) {
    Index& next = starts[static_cast<std::size_t>(col[static_cast<std::size_t>(e)])];
    by_line_[static_cast<std::size_t>(next++)] = e;
  }
}

EntryChunk EntryCut::made(const sdk::LossModel& whole, const Pattern& pattern, Index k) {
  const auto c = static_cast<std::size_t>(k);
  EntryChunk chunk;
  chunk.first_line = first_line_[c];
  const auto size = static_cast<std::size_t>(start_[c + 1] - start_[c]);
  expect_size(size);
  std::vector<std::int32_t> line(size), across(size);
  chunk.model.loss = whole.loss;
  chunk.model.targets.resize(size);
  chunk.model.weights.resize(whole.weights.empty() ? 0 : size);
  for (std::size_t e = 0; e < size; ++e) {
    const auto at = static_cast<std::size_t>(start_[c]) + e;
    const std::size_t term = tall_ ? at : static_cast<std::size_t>(by_line_[at]);
    const std::int32_t i = pattern.row()[term], j = pattern.col()[term];
    line[e] = static_cast<std::int32_t>((tall_ ? i : j) - chunk.first_line);
    across[e] = tall_ ? j : i;
    chunk.model.targets[e] = whole.targets[term];
    if (!whole.weights.empty()) chunk.model.weights[e] = whole.weights[term];
    if (!tall_)
      held_.push_back({static_cast<Index>(term), static_cast<std::int32_t>(k - mine_.first),
                       static_cast<std::int32_t>(e)});
  }
  chunk.pattern = std::make_shared<Pattern>(first_line_[c + 1] - first_line_[c], shorter(), std::move(line),
                                            std::move(across));
  chunk.model.map = std::make_shared<SamplingMap>(chunk.pattern);
  return chunk;
}

ChunkRange EntryCut::lines_of(int rank) const {
  const ChunkRange range = chunks_of_rank(count_, rank, world_.size());
  return {first_line_[static_cast<std::size_t>(range.first)],
          first_line_[static_cast<std::size_t>(range.last)]};
}

std::pair<const EntryChunk*, std::size_t> EntryCut::find(Index term) const {
  if (!tall_) {
    const auto found = std::ranges::lower_bound(held_, term, {}, &Held::term);
    if (found == held_.end() || found->term != term) return {nullptr, 0};
    return {&chunks_[static_cast<std::size_t>(found->chunk)], static_cast<std::size_t>(found->entry)};
  }
  // The last chunk that begins at or before the term: those before it with the same beginning are empty.
  const Index k = std::ranges::upper_bound(start_, term) - start_.begin() - 1;
  if (k < mine_.first || k >= mine_.last) return {nullptr, 0};
  return {&chunk(k), static_cast<std::size_t>(term - start_[static_cast<std::size_t>(k)])};
}

Index EntryCut::position(const EntryChunk& chunk, std::size_t entry) const {
  const Index line = chunk.first_line + chunk.pattern->row()[entry], across = chunk.pattern->col()[entry];
  return tall_ ? line + across * rows_ : across + line * rows_;
}

}  // namespace sharded
