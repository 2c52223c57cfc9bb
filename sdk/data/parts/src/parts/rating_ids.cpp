// SPDX-License-Identifier: BSD-3-Clause
#include "parts/rating_ids.hpp"

#include <claros/io/triplets.hpp>
#include "io/id_column.hpp"
#include "parts/rank_lists.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace claros {
namespace {

constexpr const char* kAgreeing = "ids of ratings";

/// An integer whose text can be made again from it: 007, -0 and +7 are texts.
std::optional<Index> plain_integer(std::string_view field) {
  const std::optional<Index> number = integer_of(field);
  return number && std::to_string(*number) == field ? number : std::nullopt;
}

bool fits_code(Index number) {
  return number >= std::numeric_limits<std::int32_t>::min() &&
         number <= std::numeric_limits<std::int32_t>::max();
}

void merge(std::vector<Index>& all, std::vector<Index>& some) {
  std::ranges::sort(some);
  some.erase(std::unique(some.begin(), some.end()), some.end());
  std::vector<Index> both;
  std::ranges::set_union(all, some, std::back_inserter(both));
  all = std::move(both);
  some.clear();
}

/// Texts, each after its length.
std::string packed(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += std::to_string(text.size()) + ' ' + text;
  return all;
}

template <class Use>
void unpack(std::string_view all, const Use& use) {
  while (!all.empty()) {
    const std::size_t blank = all.find(' ');
    const auto size = static_cast<std::size_t>(*integer_of(all.substr(0, blank)));
    use(all.substr(blank + 1, size));
    all.remove_prefix(blank + 1 + size);
  }
}

}  // namespace

RatingIds::RatingIds(std::string side, const std::string& rule, Index declared)
    : side_(std::move(side)),
      rule_(rule),
      declared_(declared),
      least_index_(std::numeric_limits<Index>::min()),
      largest_index_(std::numeric_limits<Index>::max()),
      indexed_(rule == "one-based" || rule == "zero-based") {
  if (!indexed_) return;
  base_ = least_index_ = rule == "one-based" ? 1 : 0;
  largest_index_ = (declared > 0 ? declared : kLargestIndex) - 1 + base_;
}

void RatingIds::see(Index number) {
  facts_.least = facts_.some ? std::min(facts_.least, number) : number;
  facts_.largest = facts_.some ? std::max(facts_.largest, number) : number;
  facts_.some = 1;
}

void RatingIds::add(Index number) {
  see(number), ++facts_.ids;
  if (!has_dictionary_ && !fits_code(number)) make_dictionary();
  codes_.push(has_dictionary_ ? intern(std::to_string(number)) : static_cast<std::int32_t>(number));
}

void RatingIds::add(const FieldReader& reader, std::size_t i) {
  const std::string_view field = reader.fields()[i];
  const std::optional<Index> number = indexed_ ? integer_of(field) : plain_integer(field);
  const bool wrong = field.empty() || (indexed_ && !(number && takes(*number)));
  if (wrong) IdColumn(side_, rule_, declared_).add(reader, i);  // which says what is wrong
  if (number) return add(*number);
  facts_.textual = 1, ++facts_.ids;
  if (!has_dictionary_) make_dictionary();
  codes_.push(intern(field));
}

std::int32_t RatingIds::intern(std::string_view id) {
  const auto found = known_.find(id);
  if (found != known_.end()) return found->second;
  dictionary_.emplace_back(id);
  return known_.emplace(id, static_cast<std::int32_t>(known_.size())).first->second;
}

/// Ids are in the order of their first appearance.
void RatingIds::make_dictionary() {
  has_dictionary_ = true;
  codes_.for_each([&](std::int32_t& code) { code = intern(std::to_string(code)); });
}

/// facts_ <- those of all ranks.
void RatingIds::agree_facts(World& world) {
  const Facts mine = std::exchange(facts_, Facts());
  const std::vector<Index> all =
      joined(world, kAgreeing, {mine.textual, mine.some, mine.least, mine.largest, mine.ids});
  for (auto of = all.begin(); of != all.end(); of += 5) {
    facts_.textual |= of[0];
    facts_.ids += of[4];
    if (of[1] == 0) continue;
    const bool some = facts_.some > 0;
    facts_.least = some ? std::min(facts_.least, of[2]) : of[2];
    facts_.largest = some ? std::max(facts_.largest, of[3]) : of[3];
    facts_.some = 1;
  }
}

/// Decides as IdColumn::are_indices.
bool RatingIds::are_indices(World& world) {
  if (rule_ != "auto" || facts_.textual || facts_.least < 1) return false;
  if (declared_ > 0) return true;
  if (facts_.largest / 10 > facts_.ids || facts_.largest > kLargestIndex) return false;
  return facts_.largest <= 10 * distinct(world);
}

/// The number of distinct positive integers. The words of every rank hold a bit for each; each rank counts
/// some words of all.
Index RatingIds::distinct(World& world) {
  const auto words = static_cast<std::size_t>(facts_.largest / 64 + 1),
             ranks = static_cast<std::size_t>(world.size());
  std::vector<std::uint64_t> seen(words);
  codes_.for_each([&](const std::int32_t code) {
    seen[static_cast<std::size_t>(code) / 64] |= std::uint64_t{1} << (static_cast<std::uint32_t>(code) % 64);
  });
  std::vector<std::vector<double>> send(ranks);
  for (std::size_t r = 0; r < ranks; ++r)
    for (std::size_t k = words * r / ranks; k < words * (r + 1) / ranks; ++k)
      send[r].push_back(std::bit_cast<double>(seen[k]));
  const auto lists = exchanged(world, kAgreeing, send);
  Index count = 0, all = 0;
  for (std::size_t k = 0; k < lists.front().size(); ++k) {
    std::uint64_t word = 0;
    for (const auto& list : lists) word |= std::bit_cast<std::uint64_t>(list[k]);
    count += std::popcount(word);
  }
  for (const Index some : joined(world, kAgreeing, {count})) all += some;
  return all;
}

void RatingIds::agree(World& world, Index size, const std::string& what, const Context& context) {
  agree_facts(world);
  if (facts_.ids == 0) throw Error(ErrorKind::data, what, "holds no ratings", "expected row, column, value");
  if (indexed_ || holds_positions_ || are_indices(world)) return take_indices(size, what);
  facts_.textual ? take_labels(world) : take_numbers(world);
  note_labels(what, context);
  note_invisible(names_, side_, what, context);
  count_ = std::ssize(names_);
  if (declared_ > 0 && count_ != declared_)
    throw Error(ErrorKind::data, what,
                "the parts name " + std::to_string(count_) + " distinct " + side_ + " ids, but " +
                    std::to_string(declared_) + " were declared",
                "leave the size at 0, or use ids that are indices");
}

void RatingIds::take_indices(Index size, const std::string& what) {
  if (rule_ == "auto" && !holds_positions_) base_ = 1;
  const Index found = std::max(size, facts_.largest + 1 - base_);
  count_ = std::max(found, declared_);
  if (declared_ > 0 && found > declared_)
    throw Error(ErrorKind::data, what,
                side_ + " " + std::to_string(found - 1 + base_) + " is beyond the declared " +
                    std::to_string(declared_),
                "fix the index or the declared size, or set ids = arbitrary");
  if (declared_ == 0)
    expect_plausible_size(side_ + "s", count_, static_cast<std::size_t>(facts_.ids), what,
                          "fix the index, set ids = arbitrary, or declare the size (rows, cols)");
}

/// In the order of their first appearance, ranks having read one after the other.
void RatingIds::take_labels(World& world) {
  if (!has_dictionary_) make_dictionary();
  std::vector<std::string> own = std::exchange(dictionary_, {});
  known_.clear();
  for (const std::string& texts : texts_of_ranks(world, kAgreeing, packed(own)))
    unpack(texts, [&](std::string_view id) { (void)intern(id); });
  for (const std::string& id : own) places_.push_back(known_.find(id)->second);
  names_ = std::exchange(dictionary_, {});
  known_.clear();
}

/// In the order of the numbers.
void RatingIds::take_numbers(World& world) {
  std::vector<Index> own = own_numbers(), all = joined(world, kAgreeing, own);
  merge(numbers_, all);
  for (const Index number : numbers_) names_.push_back(std::to_string(number));
  for (const std::string& id : dictionary_) places_.push_back(place_of(*integer_of(id)));
  dictionary_.clear(), known_.clear();
}

std::vector<Index> RatingIds::own_numbers() {
  constexpr std::size_t kSome = std::size_t{1} << 18U;
  std::vector<Index> all, some;
  for (const std::string& id : dictionary_) some.push_back(*integer_of(id));
  if (!has_dictionary_)
    codes_.for_each([&](const std::int32_t code) {
      some.push_back(code);
      if (some.size() == kSome) merge(all, some);
    });
  merge(all, some);
  return all;
}

void RatingIds::note_labels(const std::string& what, const Context& context) const {
  if (rule_ != "auto") return;
  const std::string remedy = "; ids = arbitrary says that labels are meant";
  if (facts_.textual) {
    const auto text = std::ranges::find_if(names_, [](const auto& id) { return !plain_integer(id); });
    const std::string said = what + ": all " + side_ + " ids are taken for labels, for " + shown(*text) +
                             " is not the plain text of an integer" + remedy;
    return std::ranges::any_of(names_, [](const auto& id) { return integer_of(id).has_value(); })
               ? context.note(said)
               : context.detail(said);
  }
  const std::string why =
      facts_.least < 1
          ? std::to_string(facts_.least) + " is not an index from 1 (ids = zero-based counts from 0)"
          : "the largest, " + std::to_string(facts_.largest) + ", is more than ten times their number";
  context.note(what + ": the " + side_ + " ids are taken for labels in numerical order, for " + why + remedy);
}

bool RatingIds::stands_for(std::string_view field, Index position) const {
  if (names_.empty()) return integer_of(field) == position + base_;
  return field == names_[static_cast<std::size_t>(position)];
}

std::vector<double> RatingIds::counts() {
  std::vector<double> all(static_cast<std::size_t>(count_), 0.0);
  codes_.for_each([&](const std::int32_t code) { all[static_cast<std::size_t>(position(code))] += 1.0; });
  return all;
}

std::int32_t RatingIds::place_of(Index number) const {
  return static_cast<std::int32_t>(std::ranges::lower_bound(numbers_, number) - numbers_.begin());
}

std::int32_t RatingIds::position(std::int32_t code) const {
  if (names_.empty()) return static_cast<std::int32_t>(code - base_);
  return has_dictionary_ ? places_[static_cast<std::size_t>(code)] : place_of(code);
}

}  // namespace claros
