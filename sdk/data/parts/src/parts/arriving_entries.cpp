// SPDX-License-Identifier: BSD-3-Clause
#include "parts/arriving_entries.hpp"

#include "parts/rank_lists.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace claros {
namespace {

constexpr const char* kSending = "entries of ratings";
constexpr std::size_t kRound = std::size_t{1} << 21U;  // entries that a rank may get at once

/// Ascending as (line, across) is.
std::uint64_t key_of(const LineEntry& entry) {
  return static_cast<std::uint64_t>(entry.line) << 32U | static_cast<std::uint32_t>(entry.across);
}
std::int32_t line_of(std::uint64_t key) { return static_cast<std::int32_t>(key >> 32U); }
std::int32_t across_of(std::uint64_t key) { return static_cast<std::int32_t>(key & 0xFFFFFFFFU); }

/// The chunk that holds each line.
std::vector<std::int32_t> chunk_of_lines(const std::vector<Index>& first_line) {
  std::vector<std::int32_t> chunk;
  for (std::size_t k = 1; k < first_line.size(); ++k)
    chunk.resize(unsigned_of(first_line[k]), static_cast<std::int32_t>(k - 1));
  return chunk;
}

/// The number of entries that come from each rank, for the chunks of this rank.
std::vector<std::vector<std::size_t>> arrivals(World& world, const std::vector<Index>& first_line,
                                               const EntrySource& source) {
  const Index count = std::ssize(first_line) - 1;
  std::vector<std::vector<double>> send(unsigned_of(world.size()));
  for (int r = 0; r < world.size(); ++r) {
    const ChunkRange range = chunks_of_rank(count, r, world.size());
    for (Index k = range.first; k < range.last; ++k)
      send[unsigned_of(r)].push_back(
          static_cast<double>(source.of_lines(first_line[unsigned_of(k)], first_line[unsigned_of(k) + 1])));
  }
  const auto received = exchanged(world, kSending, send);
  std::vector<std::vector<std::size_t>> from(received.front().size());
  for (std::size_t k = 0; k < from.size(); ++k)
    for (const auto& of_rank : received) from[k].push_back(static_cast<std::size_t>(of_rank[k]));
  return from;
}

}  // namespace

std::vector<Index> chunk_lines(const std::vector<Index>& starts, Index count) {
  std::vector<Index> first;
  for (Index k = 0; k < count; ++k)
    first.push_back(std::ranges::lower_bound(starts, starts.back() * k / count) - starts.begin());
  first.push_back(std::ssize(starts) - 1);
  return first;
}

ArrivingChunk::ArrivingChunk(Index first_line, Index last_line, const std::vector<std::size_t>& from,
                             bool weighted)
    : first_line_(first_line),
      last_line_(last_line),
      next_(from.size()),
      size_(std::accumulate(from.begin(), from.end(), std::size_t{0})),
      weighted_(weighted),
      keys_(std::make_unique_for_overwrite<std::uint64_t[]>(size_)),
      values_(std::make_unique_for_overwrite<double[]>(size_)),
      weights_(std::make_unique_for_overwrite<double[]>(weighted ? size_ : 0)) {
  std::exclusive_scan(from.begin(), from.end(), next_.begin(), std::size_t{0});
  if (size_ > std::numeric_limits<std::uint32_t>::max())
    throw Error(ErrorKind::usage, "chunks", "a chunk has 2^32 entries or more", "raise chunks");
}

void ArrivingChunk::take(std::size_t rank, const LineEntry& entry) {
  const std::size_t k = next_[rank]++;
  keys_[k] = key_of(entry);
  values_[k] = entry.value;
  if (weighted_) weights_[k] = entry.weight;
}

/// The entries by their keys, then as they came: by lines, and within each by `across`.
std::vector<std::uint32_t> ArrivingChunk::order() const {
  std::vector<std::size_t> start(unsigned_of(last_line_ - first_line_) + 1, 0);
  const auto line = [&](std::size_t k) { return unsigned_of(line_of(keys_[k]) - first_line_); };
  for (std::size_t k = 0; k < size_; ++k) ++start[line(k) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<std::uint64_t> by_line(size_);
  std::vector<std::size_t> next = start;
  for (std::size_t k = 0; k < size_; ++k)
    by_line[next[line(k)]++] = static_cast<std::uint64_t>(across_of(keys_[k])) << 32U | k;
  for (std::size_t i = 0; i + 1 < start.size(); ++i)
    std::sort(by_line.begin() + static_cast<std::ptrdiff_t>(start[i]),
              by_line.begin() + static_cast<std::ptrdiff_t>(start[i + 1]));
  std::vector<std::uint32_t> order(size_);
  std::ranges::transform(by_line, order.begin(),
                         [](std::uint64_t of) { return static_cast<std::uint32_t>(of); });
  return order;
}

LineEntries ArrivingChunk::sorted(const std::string& duplicates, std::optional<LineEntry>& twice) {
  LineEntries made{first_line_, last_line_, {}, {}, {}, {}};
  made.line.reserve(size_), made.across.reserve(size_), made.value.reserve(size_);
  made.weight.reserve(weighted_ ? size_ : 0);
  const auto weight = [&](std::size_t i) { return weighted_ ? weights_[i] : 1.0; };
  std::uint64_t last = 0;
  double sum = 0.0, weights = 0.0;
  for (const std::size_t i : order()) {
    if (made.size() > 0 && keys_[i] == last) {
      if (duplicates == "error" && !twice) twice = {line_of(last), across_of(last), 0.0, 1.0};
      sum += weight(i) * values_[i];
      weights += weight(i);
      const bool as_it_is = duplicates == "last" || weights == 0.0;
      made.value.back() = as_it_is ? values_[i] : sum / weights;
      if (weighted_) made.weight.back() = as_it_is ? weight(i) : weights;
      continue;
    }
    last = keys_[i];
    sum = weight(i) * values_[i];
    weights = weight(i);
    made.line.push_back(line_of(last)), made.across.push_back(across_of(last));
    made.value.push_back(values_[i]);
    if (weighted_) made.weight.push_back(weight(i));
  }
  keys_.reset(), values_.reset(), weights_.reset();
  return made;
}

namespace {

/// Sends entries to the ranks of their lines, those of this rank straight to its chunks.
class Delivery {
 public:
  Delivery(World& world, const std::vector<Index>& first_line, const EntrySource& source)
      : world_(world),
        source_(source),
        mine_(chunks_of_rank(std::ssize(first_line) - 1, world.rank(), world.size())),
        chunk_of_(chunk_of_lines(first_line)) {
    const auto from = arrivals(world, first_line, source);
    for (Index k = mine_.first; k < mine_.last; ++k)
      chunks_.emplace_back(first_line[unsigned_of(k)], first_line[unsigned_of(k) + 1],
                           from[unsigned_of(k - mine_.first)], source.weighted);
    for (int r = 0; r < world.size(); ++r)
      owner_.resize(unsigned_of(chunks_of_rank(std::ssize(first_line) - 1, r, world.size()).last), r);
  }

  std::vector<ArrivingChunk> chunks() {
    const std::size_t round = kRound / unsigned_of(world_.size()) + 1;
    const Index rounds = world_.largest(kSending, static_cast<Index>((source_.size + round - 1) / round));
    std::size_t left = source_.size;
    for (Index turn = 0; turn < rounds; ++turn) {
      const std::size_t some = std::min(left, round);
      const auto received = exchanged(world_, kSending, next(some));
      for (std::size_t r = 0; r < received.size(); ++r) take(r, received[r]);
      left -= some;
    }
    return std::move(chunks_);
  }

 private:
  std::size_t numbers() const { return source_.weighted ? 3 : 2; }
  /// The next entries for each of the other ranks.
  std::vector<std::vector<double>> next(std::size_t count) {
    std::vector<std::vector<double>> send(unsigned_of(world_.size()));
    if (send.size() > 1)
      for (auto& list : send) list.reserve(numbers() * (count / send.size() + 1));
    for (std::size_t k = 0; k < count; ++k) {
      const LineEntry entry = source_.next();
      const int owner = owner_[unsigned_of(chunk_of_[unsigned_of(entry.line)])];
      owner == world_.rank() ? take(unsigned_of(owner), entry) : append(entry, send[unsigned_of(owner)]);
    }
    return send;
  }
  void append(const LineEntry& entry, std::vector<double>& list) const {
    list.push_back(std::bit_cast<double>(key_of(entry)));
    list.push_back(entry.value);
    if (source_.weighted) list.push_back(entry.weight);
  }
  void take(std::size_t rank, const LineEntry& entry) {
    chunks_[unsigned_of(chunk_of_[unsigned_of(entry.line)] - mine_.first)].take(rank, entry);
  }
  void take(std::size_t rank, const std::vector<double>& list) {
    for (std::size_t e = 0; e < list.size(); e += numbers()) {
      const auto key = std::bit_cast<std::uint64_t>(list[e]);
      take(rank, LineEntry{line_of(key), across_of(key), list[e + 1], source_.weighted ? list[e + 2] : 1.0});
    }
  }

  World& world_;
  const EntrySource& source_;
  ChunkRange mine_;
  std::vector<std::int32_t> chunk_of_;
  std::vector<int> owner_;  ///< the owner of every chunk
  std::vector<ArrivingChunk> chunks_;
};

}  // namespace

std::vector<ArrivingChunk> sent_to_owners(World& world, const std::vector<Index>& first_line,
                                          const EntrySource& source) {
  return Delivery(world, first_line, source).chunks();
}

}  // namespace claros
