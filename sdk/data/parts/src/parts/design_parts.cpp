// SPDX-License-Identifier: BSD-3-Clause
#include <claros/parts/design_parts.hpp>

#include <claros/io/file_limits.hpp>
#include <claros/io/triplets.hpp>
#include "io/block_kind.hpp"
#include "io/design_formats.hpp"
#include "parts/design_units.hpp"
#include "parts/rank_lists.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace claros {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCall = "parts of the data";

template <class Real>
void append(DenseRows<Real>& to, const DenseRows<Real>& from, Index cols, Index first, Index last) {
  const auto values = from.view();
  to.values.insert(to.values.end(), values.begin() + first * cols, values.begin() + last * cols);
}
template <class Real>
void append(SparseRows<Real>& to, const SparseRows<Real>& from, Index, Index first, Index last) {
  const auto rows = from.view();
  const Index begin = rows.start[static_cast<std::size_t>(first)],
              end = rows.start[static_cast<std::size_t>(last)], held = static_cast<Index>(to.value.size());
  for (Index i = first; i < last; ++i)
    to.start.push_back(held + rows.start[static_cast<std::size_t>(i) + 1] - begin);
  to.column.insert(to.column.end(), rows.column.begin() + begin, rows.column.begin() + end);
  to.value.insert(to.value.end(), rows.value.begin() + begin, rows.value.begin() + end);
}

template <class Real>
void reserve(DenseRows<Real>& rows, Index, Index entries) {
  rows.values.reserve(static_cast<std::size_t>(entries));
}
template <class Real>
void reserve(SparseRows<Real>& rows, Index count, Index entries) {
  rows.start.reserve(static_cast<std::size_t>(count) + 1);
  rows.start.push_back(0);
  rows.column.reserve(static_cast<std::size_t>(entries));
  rows.value.reserve(static_cast<std::size_t>(entries));
}

}  // namespace

struct DesignParts::State {
  /// The facts that the owner of a unit sends to all ranks.
  struct UnitFacts {
    double rows = 0, entries = 0, cols = 0;
    double sparse = 0;  ///< 1 or 0
    double kind = 0;    ///< the bits of a number of BlockKind::text(); 0 without rows
  };
  static constexpr std::size_t kFacts = sizeof(UnitFacts) / sizeof(double);

  State(std::vector<fs::path> all, DesignOptions given, const Context& where, World& ranks)
      : files(std::move(all)), options(std::move(given)), context(where), world(ranks) {}

  void expect_one_file_is_not_needed() const;
  void count_own();
  void share_facts();
  void expect_fitting_units(const std::vector<UnitFacts>& facts) const;
  void share_rows();
  void describe();
  const std::string& name(const DesignUnit& unit) const { return names[unit.file]; }
  std::unique_ptr<DesignBlocks> open(const DesignUnit& unit) const {
    return open_unit(unit, files[unit.file], options, silent);
  }
  /// The beginnings of the ranks' units, and the end, counted by `size(unit)`.
  template <class Size>
  std::vector<std::size_t> starts(const Size& size) const;
  void read_on();
  void seek(Index row);
  void add_rows(Design& to, Index& row, Index last);
  void expect_counted_rows(Index from, Index to) const;

  std::vector<fs::path> files;
  std::vector<std::string> names;
  DesignOptions options;
  Context context, silent;
  World& world;
  std::vector<DesignUnit> units;
  Design head;
  Index entries = 0, largest = 0;
  std::optional<BlockKind> kind;                 ///< the kind of the first block that this rank read
  std::vector<double> response, weight, offset;  ///< of this rank's units, while they are counted
  std::vector<UnitFacts> own;

  /// The place at which `rows` reads on: the unit, its blocks, the block, and the row of the whole that it
  /// begins with.
  struct {
    std::size_t unit = 0;
    std::unique_ptr<DesignBlocks> blocks;
    Design block;
    Index first = 0;
    Index end() const { return first + block.rows; }
  } at;
};

void DesignParts::State::expect_one_file_is_not_needed() const {
  const auto refuse = [](const char* key, const std::string& what, const std::string& remedy) {
    throw Error(ErrorKind::usage, key, what, remedy);
  };
  const std::pair<const char*, const std::string*> beside[] = {
      {"response", &options.response}, {"weights", &options.weights}, {"offset", &options.offset}};
  for (const auto& [key, text] : beside)
    if (design_formats::is_file(*text, silent))
      refuse(key, "is a file, and the rows are in parts, which need their own",
             "keep them in the parts, or convert all into one file");
  if (!options.groups.empty())
    refuse("groups", "is given, and the rows are in parts, whose groups are not known to each other",
           "convert all into one file");
  if (options.memory == "map")
    refuse("memory", "is map, and the rows are in parts, which are copied",
           "leave it out, or convert all into one file, which is mapped");
}

/// Reads this rank's units.
void DesignParts::State::count_own() {
  for (const DesignUnit& unit : units) {
    if (unit.owner != world.rank()) continue;
    UnitFacts facts;
    const auto blocks = open_unit(unit, files[unit.file], options, own.empty() ? context : silent);
    for (Design block; blocks->next(block);) {
      require_consistent(block, blocks->where());
      if (!block.groups.empty())
        throw Error(ErrorKind::data, name(unit), "has groups of rows, which parts do not keep",
                    "convert all parts into one file");
      if (!kind) kind = BlockKind::of(block);
      kind->expect(block, blocks->where());
      facts.sparse = kind->sparse ? 1.0 : 0.0;
      facts.kind = std::bit_cast<double>(text_number(kind->text()));
      facts.rows += static_cast<double>(block.rows);
      facts.entries += static_cast<double>(block.stored());
      facts.cols = std::max(facts.cols, static_cast<double>(block.cols));
      response.insert(response.end(), block.response.begin(), block.response.end());
      weight.insert(weight.end(), block.weights.begin(), block.weights.end());
      offset.insert(offset.end(), block.offset.begin(), block.offset.end());
    }
    own.push_back(facts);
  }
}

template <class Size>
std::vector<std::size_t> DesignParts::State::starts(const Size& size) const {
  std::vector<std::size_t> start(static_cast<std::size_t>(world.size()) + 1, 0);
  for (const DesignUnit& unit : units) start[static_cast<std::size_t>(unit.owner) + 1] += size(unit);
  std::partial_sum(start.begin(), start.end(), start.begin());
  return start;
}

void DesignParts::State::share_facts() {
  std::vector<UnitFacts> facts(units.size());
  const auto numbers = [](std::vector<UnitFacts>& of) {
    return std::span<double>(of.empty() ? nullptr : &of.front().rows, kFacts * of.size());
  };
  gather(world, kCall, numbers(own), starts([](const DesignUnit&) { return kFacts; }), numbers(facts));
  expect_fitting_units(facts);
  for (std::size_t u = 0; u < units.size(); ++u) {
    units[u].first = head.rows;
    units[u].rows = static_cast<Index>(facts[u].rows),
    units[u].entries = static_cast<Index>(facts[u].entries);
    head.rows += units[u].rows;
    entries += units[u].entries;
    largest = std::max(largest, static_cast<Index>(facts[u].cols));
  }
  head.cols = std::max(largest, options.features);
}

/// That every part has rows, and that all are of one kind.
void DesignParts::State::expect_fitting_units(const std::vector<UnitFacts>& facts) const {
  std::vector<double> rows(files.size(), 0.0);
  for (std::size_t u = 0; u < units.size(); ++u) rows[units[u].file] += facts[u].rows;
  for (std::size_t k = 0; k < files.size(); ++k)
    if (rows[k] == 0.0)
      throw Error(ErrorKind::data, names[k], "the part holds no rows", "remove the file, or write it again");
  std::size_t first = 0;
  while (facts[first].rows == 0.0) ++first;
  const auto bits = [&](std::size_t u) { return std::bit_cast<Index>(facts[u].kind); };
  for (std::size_t u = first + 1; u < units.size(); ++u) {
    if (facts[u].rows == 0.0) continue;
    const std::string other = names[units[first].file];
    const bool dense = facts[u].sparse == 0.0 && facts[first].sparse == 0.0;
    if (dense && facts[u].cols != facts[first].cols)
      throw Error(ErrorKind::data, name(units[u]),
                  "has " + std::to_string(static_cast<Index>(facts[u].cols)) + " columns; " + other +
                      " has " + std::to_string(static_cast<Index>(facts[first].cols)),
                  "let all parts have the same columns");
    if (bits(u) != bits(first))
      throw Error(ErrorKind::data, name(units[u]),
                  "differs from " + other +
                      " in what all parts share: sparse or dense rows, names or coding of columns, classes, "
                      "weights or offsets",
                  "write all parts alike");
  }
}

/// Responses, weights and offsets of all rows, on all ranks.
void DesignParts::State::share_rows() {
  const auto start = starts([](const DesignUnit& unit) { return static_cast<std::size_t>(unit.rows); });
  const auto share = [&](std::vector<double>& mine, bool there, std::vector<double>& all) {
    if (!there) return;
    all.resize(static_cast<std::size_t>(head.rows));
    gather(world, kCall, mine, start, all);
    mine = {};
  };
  share(response, kind->answered, head.response);
  share(weight, kind->weighted, head.weights);
  share(offset, kind->offset, head.offset);
  if (head.response.empty())
    throw Error(ErrorKind::data, names.front(), "the part holds no response",
                "write one a row into the parts");
}

/// Names and classes, which a rank without a unit of its own takes from the first one with rows.
void DesignParts::State::describe() {
  const auto filled = std::ranges::find_if(units, [](const DesignUnit& unit) { return unit.rows > 0; });
  Design block;
  if (!open(*filled)->next(block))
    throw Error(ErrorKind::data, name(*filled), "has changed while it was read", "run again");
  if (!kind) kind = BlockKind::of(block);
  head.labels = block.labels;
  head.column_names = block.column_names;
  head.response_name = block.response_name;
  head.encoding = block.encoding;
  if (block.is_single())
    block.is_sparse() ? void(head.entries.emplace<SparseRows<float>>())
                      : void(head.entries.emplace<DenseRows<float>>());
  else
    block.is_sparse() ? void(head.entries.emplace<SparseRows<double>>())
                      : void(head.entries.emplace<DenseRows<double>>());
  if (block.is_sparse() && options.features < largest)
    expect_plausible_size("columns", largest, static_cast<std::size_t>(entries), names.front(),
                          "if that column is meant, declare objective.features = " + std::to_string(largest));
}

DesignParts::DesignParts(std::vector<fs::path> files, DesignOptions options, const Context& context,
                         World& world, std::uint64_t least_piece)
    : state_(std::make_unique<State>(std::move(files), std::move(options), context, world)) {
  State& s = *state_;
  s.silent.base = context.base;
  for (const fs::path& file : s.files) s.names.push_back(file.string());
  s.expect_one_file_is_not_needed();
  s.units = design_units(s.files, s.options, world.size(), least_piece);
  expect_same_files(world, kCall, s.files);
  s.options.format = design_formats::format_of(s.files.front(), s.options).name;
  s.count_own();
  s.share_facts();
  s.describe();
  s.share_rows();
}

DesignParts::~DesignParts() = default;

const Design& DesignParts::head() const noexcept { return state_->head; }
Index DesignParts::entries() const noexcept { return state_->entries; }

std::string DesignParts::text() const {
  return std::to_string(state_->files.size()) + (state_->files.size() == 1 ? " part" : " parts");
}

std::string DesignParts::place_of_row(Index row) const {
  const State& s = *state_;
  const auto unit = std::ranges::find_if(s.units, [&](const DesignUnit& u) { return u.holds(row); });
  const auto of_file =
      std::ranges::find_if(s.units, [&](const DesignUnit& u) { return u.file == unit->file; });
  return s.name(*unit) + ", row " + std::to_string(row - of_file->first + 1);
}

/// The next block of rows, from this unit or the next one with rows.
void DesignParts::State::read_on() {
  const Index next = at.end();
  while (!at.blocks || !at.blocks->next(at.block)) {
    if (at.blocks) ++at.unit;
    while (at.unit < units.size() && units[at.unit].rows == 0) ++at.unit;
    if (at.unit == units.size() || units[at.unit].first != next)
      throw Error(ErrorKind::data, names[units[std::min(at.unit, units.size() - 1)].file],
                  "has changed while it was read: it has other rows",
                  "run again when no program writes to it");
    at.blocks = open(units[at.unit]);
  }
  at.first = next;
}

void DesignParts::State::seek(Index row) {
  if (at.blocks && row >= at.first && (row < at.end() || units[at.unit].holds(row) || row == at.end()))
    return;
  const auto unit = std::ranges::find_if(units, [&](const DesignUnit& u) { return u.holds(row); });
  at.unit = static_cast<std::size_t>(unit - units.begin());
  at.blocks = open(*unit);
  at.block = Design{};
  at.first = unit->first;
}

/// The responses that all ranks know tell whether the file is that which was counted.
void DesignParts::State::expect_counted_rows(Index from, Index to) const {
  const double *read = at.block.response.data() + (from - at.first), *counted = head.response.data() + from;
  if (at.block.response.empty() ||
      std::memcmp(read, counted, static_cast<std::size_t>(to - from) * sizeof(double)) != 0)
    throw Error(ErrorKind::data, name(units[at.unit]),
                "holds other rows than when they were counted: it has changed, or is another file on rank " +
                    std::to_string(world.rank()),
                "let all ranks read the same file, to which no program writes");
}

void DesignParts::State::add_rows(Design& to, Index& row, Index last) {
  if (row >= at.end()) return read_on();
  const Index end = std::min(last, at.end());
  expect_counted_rows(row, end);
  if (to.entries.index() != at.block.entries.index() || (!to.is_sparse() && at.block.cols != head.cols))
    throw Error(ErrorKind::data, name(units[at.unit]), "has changed while it was read", "run again");
  std::visit(
      [&]<class Rows>(Rows& rows) {
        append(rows, std::get<Rows>(at.block.entries), head.cols, row - at.first, end - at.first);
      },
      to.entries);
  row = end;
}

Design DesignParts::rows(Index first, Index count) {
  State& s = *state_;
  double expected = 0.0;
  for (const DesignUnit& unit : s.units) {
    const Index in = std::min(unit.first + unit.rows, first + count) - std::max(unit.first, first);
    if (in > 0)
      expected +=
          static_cast<double>(unit.entries) * static_cast<double>(in) / static_cast<double>(unit.rows);
  }
  Design part;
  part.rows = count;
  part.cols = s.head.cols;
  part.entries = s.head.entries;
  const std::string what = text();
  const double bytes = (part.is_sparse() ? 4.0 : 0.0) + (part.is_single() ? 4.0 : 8.0);
  expect_memory(expected * bytes, s.names.front(), std::to_string(count) + " rows of the " + what,
                kSmallerData);
  return within_memory(s.names.front(), [&] {
    std::visit([&](auto& rows) { reserve(rows, count, static_cast<Index>(expected)); }, part.entries);
    s.seek(first);
    for (Index row = first; row < first + count;) s.add_rows(part, row, first + count);
    part.checked = true;
    return std::move(part);
  });
}

Design DesignParts::whole() {
  Design all = head();
  Design entries = rows(0, all.rows);
  all.entries = std::move(entries.entries);
  all.checked = true;
  return all;
}

}  // namespace claros
