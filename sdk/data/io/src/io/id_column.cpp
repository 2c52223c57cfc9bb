// SPDX-License-Identifier: BSD-3-Clause
#include "io/id_column.hpp"

#include <claros/io/triplets.hpp>

#include <claros/error.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace claros {
namespace {

/// An integer whose text can be made again from it: 007, -0 and +7 are texts.
bool is_canonical(std::string_view field) {
  if (field == "-0") return false;
  if (field.starts_with('-')) field.remove_prefix(1);
  return !field.empty() && field[0] != '+' && (field.size() == 1 || field[0] != '0');
}

Index distinct(const std::vector<Index>& positive_numbers, Index largest) {
  std::vector<bool> seen(static_cast<std::size_t>(largest) + 1);
  for (const Index number : positive_numbers) seen[static_cast<std::size_t>(number)] = true;
  return std::count(seen.begin(), seen.end(), true);
}

}  // namespace

IdColumn::IdColumn(std::string side, std::string rule, Index declared)
    : side_(std::move(side)),
      rule_(std::move(rule)),
      declared_(declared),
      least_(std::numeric_limits<Index>::min()),
      largest_(std::numeric_limits<Index>::max()) {
  if (rule_ != "one-based" && rule_ != "zero-based") return;
  least_ = rule_ == "one-based";
  largest_ = (declared_ > 0 ? declared_ : kLargestIndex) - 1 + least_;
}

void IdColumn::add(const FieldReader& reader, std::size_t i) {
  const std::string_view field = reader.fields()[i];
  if (field.empty())
    reader.fail("the " + side_ + " id is empty", "give every rating a row, a column and a value");
  if (rule_ == "one-based" || rule_ == "zero-based") {
    const std::optional<Index> index = integer_of(field);
    if (const auto wrong = fault(index, shown(field))) reader.fail(wrong->first, wrong->second);
    numbers_.push_back(*index);
  } else {
    add_arbitrary(field, reader.line());
  }
}

void IdColumn::add(Index number, const std::string& where) {
  if (rule_ == "one-based" || rule_ == "zero-based")
    if (const auto wrong = fault(number, std::to_string(number)))
      throw Error(ErrorKind::data, where, wrong->first, wrong->second);
  numbers_.push_back(number);
}

std::optional<std::pair<std::string, std::string>> IdColumn::fault(const std::optional<Index>& index,
                                                                   const std::string& text) const {
  if (index && *index >= least_ && *index <= largest_) return std::nullopt;
  return {
      {side_ + " " + text + " is not an index; expected an integer from " + std::to_string(least_) + " to " +
           std::to_string(largest_) + " (" + rule_ + ")",
       index == 0 ? "set ids = zero-based" : "fix the index, or the declared size, or set ids = arbitrary"}};
}

void IdColumn::add_arbitrary(std::string_view field, Index line) {
  const std::optional<Index> number = textual_ ? std::nullopt : integer_of(field);
  if (!textual_ && !(number && is_canonical(field))) {
    first_text_ = field;
    first_text_line_ = line;
    give_up_numbers();
  }
  numbers_.push_back(textual_ ? intern(field) : *number);
}

Index IdColumn::intern(std::string_view id) {
  const auto found = known_.find(id);
  if (found != known_.end()) return found->second;
  ids.emplace_back(id);
  return known_.emplace(id, static_cast<Index>(known_.size())).first->second;
}

void IdColumn::give_up_numbers() {
  textual_ = true;
  for (Index& number : numbers_) number = intern(std::to_string(number));
}

void IdColumn::note_labels(const std::string& file, const Context& context) const {
  if (rule_ != "auto") return;
  const std::string remedy = "; ids = arbitrary says that labels are meant";
  if (textual_) {
    const std::string text = file + ":" + std::to_string(first_text_line_) + ": all " + side_ +
                             " ids are taken for labels, for " + shown(first_text_) +
                             " is not the plain text of an integer" + remedy;
    // Names alone leave no doubt.
    const bool mixed =
        std::ranges::any_of(ids, [](const std::string& id) { return integer_of(id).has_value(); });
    return mixed ? context.note(text) : context.detail(text);
  }
  const auto [least, largest] = std::minmax_element(numbers_.begin(), numbers_.end());
  const std::string why =
      *least < 1 ? std::to_string(*least) + " is not an index from 1 (ids = zero-based counts from 0)"
                 : "the largest, " + std::to_string(*largest) + ", is more than ten times their number";
  context.note(file + ": the " + side_ + " ids are taken for labels in numerical order, for " + why + remedy);
}

void IdColumn::finish(const std::string& file, const std::function<std::string(std::size_t)>& where,
                      const Context& context) {
  if (rule_ == "one-based" || rule_ == "zero-based" || are_indices()) {
    finish_indices(where, rule_ != "zero-based");
    if (declared_ == 0)
      expect_plausible_size(side_ + "s", count, numbers_.size(), file,
                            "fix the index, set ids = arbitrary, or declare the size (rows, cols)");
    return;
  }
  note_labels(file, context);
  note_invisible(ids, side_, file, context);
  if (textual_) {
    positions.assign(numbers_.begin(), numbers_.end());
  } else {
    finish_numbers();
  }
  count = static_cast<Index>(ids.size());
  if (declared_ > 0 && count != declared_)
    throw Error(ErrorKind::data, file,
                "the file names " + std::to_string(count) + " distinct " + side_ + " ids, but " +
                    std::to_string(declared_) + " were declared",
                "leave the size at 0, or use ids that are indices");
}

void note_invisible(const std::vector<std::string>& ids, const std::string& side, const std::string& file,
                    const Context& context) {
  const auto count = std::ranges::count_if(ids, [](const std::string& id) { return has_invisible(id); });
  if (count == 0) return;
  const auto first = std::ranges::find_if(ids, [](const std::string& id) { return has_invisible(id); });
  context.note(file + ": " + side + " ids hold characters that cannot be seen (" + std::to_string(count) +
               " of them, the first is " + shown(*first) + "): they are not the ids without them");
}

bool IdColumn::are_indices() const {
  if (rule_ != "auto" || textual_ || *std::min_element(numbers_.begin(), numbers_.end()) < 1) return false;
  if (declared_ > 0) return true;
  const Index largest = *std::max_element(numbers_.begin(), numbers_.end());
  // No more distinct ids than ids: this bounds the memory of the count.
  if (largest / 10 > static_cast<Index>(numbers_.size()) || largest > kLargestIndex) return false;
  return largest <= 10 * distinct(numbers_, largest);
}

void IdColumn::finish_indices(const std::function<std::string(std::size_t)>& where, Index base) {
  const auto largest = std::max_element(numbers_.begin(), numbers_.end());
  count = declared_ > 0 ? declared_ : *largest + 1 - base;
  if (*largest - base >= count)
    throw Error(ErrorKind::data, where(static_cast<std::size_t>(largest - numbers_.begin())),
                side_ + " " + std::to_string(*largest) + " is beyond the declared " + std::to_string(count),
                "fix the index or the declared size, or set ids = arbitrary");
  positions.reserve(numbers_.size());
  for (const Index number : numbers_) positions.push_back(static_cast<std::int32_t>(number - base));
}

/// Positions are given in the order of the file, and then in the order of numbers.
void IdColumn::finish_numbers() {
  std::unordered_map<Index, std::int32_t> known;
  std::vector<Index> distinct;
  positions.reserve(numbers_.size());
  for (const Index number : numbers_) {
    const auto [at, is_new] = known.try_emplace(number, static_cast<std::int32_t>(distinct.size()));
    if (is_new) distinct.push_back(number);
    positions.push_back(at->second);
  }
  std::vector<std::int32_t> order(distinct.size()), rank(distinct.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::int32_t k) { return distinct[static_cast<std::size_t>(k)]; });
  for (const std::int32_t k : order) {
    rank[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(ids.size());
    ids.push_back(std::to_string(distinct[static_cast<std::size_t>(k)]));
  }
  for (std::int32_t& position : positions) position = rank[static_cast<std::size_t>(position)];
}

}  // namespace claros
