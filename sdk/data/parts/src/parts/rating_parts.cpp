// SPDX-License-Identifier: BSD-3-Clause
#include <claros/parts/rating_parts.hpp>

#include "io/consistency.hpp"
#include "parts/arriving_entries.hpp"
#include "parts/rank_lists.hpp"
#include "parts/rating_reader.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace claros {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSharing = "parts of the ratings";
constexpr Index kChunks = 64;

std::vector<Index> whole_numbers(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

/// The numbers before each, and all.
std::vector<Index> starts_of(const std::vector<Index>& counts) {
  std::vector<Index> starts(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), starts.begin() + 1);
  return starts;
}

}  // namespace

struct RatingParts::State {
  State(std::vector<fs::path> all, RatingsOptions given, World& ranks)
      : files(std::move(all)), options(std::move(given)), world(ranks) {}

  std::string name() const {
    return files.front().string() +
           (files.size() > 1 ? " and " + std::to_string(files.size() - 1) + " more" : "");
  }
  void read(const Context& context, std::uint64_t least_piece);
  void share_facts(const std::vector<UnitFacts>& own);
  void expect_fitting_units(const std::vector<UnitFacts>& facts) const;
  void expect_one_decimal_sign(const std::vector<UnitFacts>& facts) const;
  double newest();
  void expect_some_weight();
  void agree(const Context& context);
  void spread();
  void recount();
  std::vector<Index>& of_lines() { return tall ? row_entries : col_entries; }
  std::vector<Index>& of_across() { return tall ? col_entries : row_entries; }
  const std::vector<Index>& of_across() const { return tall ? col_entries : row_entries; }
  void receive(const std::vector<Index>& lines, const EntrySource& source);
  void expect_no_duplicates(const std::optional<LineEntry>& twice);
  [[noreturn]] void refuse_duplicate(Index row, Index col);
  EntrySource of_queue(const std::vector<double>& own_lines);
  EntrySource of_chunks();

  std::vector<fs::path> files;
  RatingsOptions options;
  World& world;
  std::vector<TextPiece> units;
  RatingQueue queue{{"row", options.ids, options.rows}, {"column", options.ids, options.cols}, {}, {}, {}};
  bool weighted = false;
  double newest_time = 0.0;

  Ratings head;
  std::vector<Index> row_entries, col_entries;
  Index entries = 0, largest_rows = 0, largest_cols = 0;
  bool tall = true;

  std::vector<Index> first_line;
  ChunkRange mine;
  std::vector<LineEntries> chunks;  ///< the chunks of this rank
};

void RatingParts::State::read(const Context& context, std::uint64_t least_piece) {
  for (const fs::path& file : files) expect_ratings_in_parts(file);
  units = text_pieces(files, is_plain_list, world.size(), least_piece);
  expect_same_files(world, kSharing, files);
  weighted = reads_fourth_field(options);
  Context silent;
  silent.base = context.base;
  std::vector<UnitFacts> own;
  for (const TextPiece& unit : units)
    if (unit.owner == world.rank())
      own.push_back(read_unit(files[unit.file], unit, options, own.empty() ? context : silent, queue));
  share_facts(own);
}

/// Ranks own consecutive units, so that their messages are in the order of the units.
void RatingParts::State::share_facts(const std::vector<UnitFacts>& own) {
  std::vector<Index> numbers;
  for (const UnitFacts& of : own)
    numbers.insert(numbers.end(), {of.entries, of.fields, of.rows, of.cols, of.decimals});
  const std::vector<Index> all = joined(world, kSharing, numbers);
  std::vector<UnitFacts> facts;
  for (auto of = all.begin(); of != all.end(); of += 5) facts.push_back({of[0], of[1], of[2], of[3], of[4]});
  expect_fitting_units(facts);
  expect_one_decimal_sign(facts);
  for (const UnitFacts& of : facts) {
    largest_rows = std::max(largest_rows, of.rows);
    largest_cols = std::max(largest_cols, of.cols);
    if (of.entries > 0 && of.fields == 0) queue.rows.hold_positions(), queue.cols.hold_positions();
  }
}

void RatingParts::State::expect_one_decimal_sign(const std::vector<UnitFacts>& facts) const {
  Index all = 0;
  for (const UnitFacts& of : facts) all |= of.decimals;
  Decimals column("auto", "");
  for (const int shift : {0, 3}) {
    column.point = all >> shift & 1;
    column.comma = all >> shift & 2;
    column.decimal = all >> shift & 4;
    column.expect_one(name());
  }
}

/// That every part has ratings, and that all have the same form.
void RatingParts::State::expect_fitting_units(const std::vector<UnitFacts>& facts) const {
  std::vector<Index> held(files.size(), 0), fields(files.size(), 0);
  for (std::size_t u = 0; u < units.size(); ++u) {
    held[units[u].file] += facts[u].entries;
    if (facts[u].entries > 0) fields[units[u].file] = facts[u].fields;
  }
  for (std::size_t k = 0; k < files.size(); ++k) {
    if (held[k] == 0)
      throw Error(ErrorKind::data, files[k].string(), "the part holds no ratings",
                  "remove the file, or write it again");
    if (fields[k] == fields.front()) continue;
    const auto form = [&](std::size_t f) {
      return fields[f] == 0 ? std::string("positions (Matrix Market, .npz)")
                            : "lines of " + std::to_string(fields[f]) + " fields";
    };
    throw Error(ErrorKind::data, files[k].string(),
                "has " + form(k) + "; " + files.front().string() + " has " + form(0),
                "write all parts alike");
  }
}

/// The time of the newest rating of all ranks.
double RatingParts::State::newest() {
  double latest = -std::numeric_limits<double>::infinity();
  queue.fourth.for_each([&](double time) { latest = std::max(latest, time); });
  for (const double time : gathered(world, kSharing, {latest})) latest = std::max(latest, time);
  return latest;
}

void RatingParts::State::expect_some_weight() {
  Index some = 0;
  queue.fourth.for_each([&](double weight) { some |= Index{weight > 0.0}; });
  if (world.largest(kSharing, some) == 0)
    throw Error(ErrorKind::data, name(), "all weights are 0", "give at least one a number above 0");
}

void RatingParts::State::agree(const Context& context) {
  if (options.half_life > 0.0)
    newest_time = newest();
  else if (weighted)
    expect_some_weight();
  queue.rows.agree(world, largest_rows, name(), context);
  queue.cols.agree(world, largest_cols, name(), context);
  head.rows = queue.rows.count();
  head.cols = queue.cols.count();
  head.row_ids = queue.rows.names();
  head.col_ids = queue.cols.names();
  for (const GuessedHeader& of : queue.headers)
    if (std::ranges::find(head.row_ids, of.row) != head.row_ids.end() ||
        std::ranges::find(head.col_ids, of.col) != head.col_ids.end())
      of.refuse();
  tall = head.rows >= head.cols;
}

/// Every entry to the rank of its line.
void RatingParts::State::spread() {
  const std::vector<double> rows = queue.rows.counts(), cols = queue.cols.counts();
  row_entries = whole_numbers(summed(world, kSharing, rows));
  col_entries = whole_numbers(summed(world, kSharing, cols));
  const std::vector<Index> starts = starts_of(of_lines());
  entries = starts.back();
  receive(chunk_lines(starts, std::min(kChunks, std::ssize(of_lines()))), of_queue(tall ? rows : cols));
}

EntrySource RatingParts::State::of_queue(const std::vector<double>& own_lines) {
  const auto next = [this] {
    const std::int32_t row = queue.rows.next(), col = queue.cols.next();
    LineEntry entry{tall ? row : col, tall ? col : row, queue.value.pop(), 1.0};
    if (weighted) entry.weight = queue.fourth.pop();
    if (options.half_life > 0.0) entry.weight = std::exp2((entry.weight - newest_time) / options.half_life);
    return entry;
  };
  const auto of_lines = [&own_lines](Index first, Index last) {
    return static_cast<std::size_t>(
        std::accumulate(own_lines.begin() + first, own_lines.begin() + last, 0.0));
  };
  return {queue.value.size(), next, of_lines, weighted};
}

/// The entries that this rank has; a chunk is given back once it was read.
EntrySource RatingParts::State::of_chunks() {
  std::size_t size = 0;
  for (const LineEntries& chunk : chunks) size += chunk.size();
  const auto next = [this, k = std::size_t{0}, e = std::size_t{0}]() mutable {
    while (e == chunks[k].size()) chunks[k++] = LineEntries{}, e = 0;
    const LineEntries& of = chunks[k];
    const LineEntry entry{of.line[e], of.across[e], of.value[e], weighted ? of.weight[e] : 1.0};
    ++e;
    return entry;
  };
  const Index own_first = first_line[unsigned_of(mine.first)], own_last = first_line[unsigned_of(mine.last)];
  const auto of_these = [this, own_first, own_last](Index first, Index last) {
    first = std::clamp(first, own_first, own_last);
    last = std::clamp(last, own_first, own_last);
    const auto begin = of_lines().begin();
    return static_cast<std::size_t>(std::accumulate(begin + first, begin + last, Index{0}));
  };
  return {size, next, of_these, weighted};
}

void RatingParts::State::receive(const std::vector<Index>& lines, const EntrySource& source) {
  std::vector<ArrivingChunk> arriving = sent_to_owners(world, lines, source);
  first_line = lines;
  mine = chunks_of_rank(std::ssize(lines) - 1, world.rank(), world.size());
  chunks.clear();
  std::optional<LineEntry> twice;
  Index held = 0;
  for (ArrivingChunk& chunk : arriving) {
    chunks.push_back(chunk.sorted(options.duplicates, twice));
    held += static_cast<Index>(chunks.back().size());
  }
  expect_no_duplicates(twice);
  Index all = 0;
  for (const Index of_rank : joined(world, kSharing, {held})) all += of_rank;
  if (all < entries) recount();
}

/// After positions that came twice were made one.
void RatingParts::State::recount() {
  std::vector<double> lines(of_lines().size()), across(of_across().size());
  for (const LineEntries& chunk : chunks)
    for (std::size_t e = 0; e < chunk.size(); ++e)
      lines[static_cast<std::size_t>(chunk.line[e])] += 1.0,
          across[static_cast<std::size_t>(chunk.across[e])] += 1.0;
  of_lines() = whole_numbers(summed(world, kSharing, lines));
  of_across() = whole_numbers(summed(world, kSharing, across));
  entries = std::accumulate(of_lines().begin(), of_lines().end(), Index{0});
}

void RatingParts::State::expect_no_duplicates(const std::optional<LineEntry>& twice) {
  const std::vector<Index> own =
      twice ? std::vector<Index>{twice->line, twice->across} : std::vector<Index>{};
  const std::vector<Index> found = joined(world, kSharing, own);
  if (found.empty()) return;
  tall ? refuse_duplicate(found[0], found[1]) : refuse_duplicate(found[1], found[0]);
}

/// Reads once more to say where it stands.
void RatingParts::State::refuse_duplicate(Index row, Index col) {
  std::string own;
  for (const TextPiece& unit : units)
    if (unit.owner == world.rank())
      for (const std::string& place :
           places_in_unit(files[unit.file], unit, options, queue.rows, queue.cols, row, col))
        own += place + '\n';
  std::string all;
  for (const std::string& of_rank : texts_of_ranks(world, kSharing, own)) all += of_rank;
  const std::size_t end = all.find('\n'), second = all.find('\n', end + 1);
  throw Error(ErrorKind::data, all.substr(end + 1, second - end - 1),
              entry_name(row, col) + " stands at " + all.substr(0, end) + " too; expected each once",
              "remove one, or set duplicates = mean or last");
}

RatingParts::RatingParts(std::vector<fs::path> files, RatingsOptions options, const Context& context,
                         World& world, std::uint64_t least_piece) {
  static const auto rows = ratings_rows();
  expect_in_range(options, rows);
  state_ = std::make_unique<State>(std::move(files), std::move(options), world);
  state_->read(context, least_piece);
  state_->agree(context);
  state_->spread();
  state_->queue = {{"row", "auto", 0}, {"column", "auto", 0}, {}, {}, {}};
}

RatingParts::~RatingParts() = default;

const Ratings& RatingParts::head() const noexcept { return state_->head; }
const std::vector<Index>& RatingParts::row_entries() const noexcept { return state_->row_entries; }
const std::vector<Index>& RatingParts::col_entries() const noexcept { return state_->col_entries; }
Index RatingParts::entries() const noexcept { return state_->entries; }
bool RatingParts::weighted() const noexcept { return state_->weighted; }
bool RatingParts::tall() const noexcept { return state_->tall; }
World& RatingParts::world() const noexcept { return state_->world; }
Index RatingParts::count() const noexcept { return std::ssize(state_->first_line) - 1; }
ChunkRange RatingParts::mine() const noexcept { return state_->mine; }
void RatingParts::recount() { state_->recount(); }
LineEntries& RatingParts::chunk(Index k) { return state_->chunks[unsigned_of(k - state_->mine.first)]; }
const std::vector<Index>& RatingParts::first_line() const noexcept { return state_->first_line; }

void RatingParts::set_weighted(bool weighted) {
  for (LineEntries& chunk : state_->chunks) {
    chunk.weight.resize(weighted ? chunk.size() : 0, 1.0);
    chunk.weight.shrink_to_fit();
  }
  state_->weighted = weighted;
}

std::string RatingParts::text() const {
  return std::to_string(state_->files.size()) + (state_->files.size() == 1 ? " part" : " parts");
}

void RatingParts::cut(Index count) {
  State& s = *state_;
  const auto lines = chunk_lines(starts_of(s.of_lines()), std::min(count, std::ssize(s.of_lines())));
  if (lines != s.first_line) s.receive(lines, s.of_chunks());
}

/// Rows of a wide matrix are cut by the ranks: in each, the entries of the ranks before come first.
std::vector<Index> RatingParts::first_numbers() const {
  const State& s = *state_;
  const auto ranks = unsigned_of(s.world.size()), size = s.of_across().size();
  std::vector<std::vector<double>> send(ranks);
  std::vector<double> own(size);
  for (const LineEntries& chunk : s.chunks)
    for (const std::int32_t i : chunk.across) own[static_cast<std::size_t>(i)] += 1.0;
  for (std::size_t r = 0; r < ranks; ++r)
    send[r].assign(own.begin() + static_cast<std::ptrdiff_t>(size * r / ranks),
                   own.begin() + static_cast<std::ptrdiff_t>(size * (r + 1) / ranks));
  auto before = exchanged(s.world, kSharing, send);  // some rows, of every rank
  std::vector<double> sum(before.front().size());
  for (auto& of_rank : before)
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += std::exchange(of_rank[i], sum[i]);
  std::vector<Index> first = starts_of(s.of_across());
  std::size_t i = 0;
  for (const auto& some : exchanged(s.world, kSharing, before))
    for (const double earlier : some) first[i++] += static_cast<Index>(earlier);
  first.pop_back();
  return first;
}

Ratings RatingParts::whole() {
  State& s = *state_;
  Ratings all = s.head;
  const auto size = unsigned_of(s.entries);
  all.row.resize(size), all.col.resize(size), all.value.resize(size);
  all.weight.resize(s.weighted ? size : 0);
  std::vector<Index> next = s.tall ? std::vector<Index>() : first_numbers();
  std::size_t number = 0;
  for (LineEntries& chunk : s.chunks) {
    for (std::size_t e = 0; e < chunk.size(); ++e) {
      const std::size_t k =
          s.tall ? number++ : unsigned_of(next[static_cast<std::size_t>(chunk.across[e])]++);
      all.row[k] = s.tall ? chunk.line[e] : chunk.across[e];
      all.col[k] = s.tall ? chunk.across[e] : chunk.line[e];
      all.value[k] = chunk.value[e];
      if (s.weighted) all.weight[k] = chunk.weight[e];
    }
    chunk = LineEntries{};
  }
  return all;
}

}  // namespace claros
