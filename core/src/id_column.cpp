// SPDX-License-Identifier: BSD-3-Clause
#include "id_column.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace claros {
namespace {

constexpr Index kLargest = std::numeric_limits<std::int32_t>::max();

/// An integer whose text can be made again from it: 007 and +7 are texts.
bool is_canonical(std::string_view field) {
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
    : side_(std::move(side)), rule_(std::move(rule)), declared_(declared) {}

void IdColumn::add(const FieldReader& reader, std::size_t i) {
  const std::string_view field = reader.fields()[i];
  if (field.empty())
    reader.fail("the " + side_ + " id is empty", "give every rating a row, a column and a value");
  if (rule_ == "one-based" || rule_ == "zero-based") {
    add_index(reader, field);
  } else {
    add_arbitrary(field);
  }
}

void IdColumn::add_index(const FieldReader& reader, std::string_view field) {
  const Index base = rule_ == "one-based";
  const Index last = (declared_ > 0 ? declared_ : kLargest) - 1 + base;
  const std::optional<Index> index = integer_of(field);
  if (!index || *index < base || *index > last)
    reader.fail(
        side_ + " " + shown(field) + " is not an index; expected an integer from " + std::to_string(base) +
            " to " + std::to_string(last) + " (" + rule_ + ")",
        index == 0 ? "set ids = zero-based" : "mend the index, or the declared size, or set ids = arbitrary");
  numbers_.push_back(*index);
}

void IdColumn::add_arbitrary(std::string_view field) {
  const std::optional<Index> number = textual_ ? std::nullopt : integer_of(field);
  if (!textual_ && !(number && is_canonical(field))) give_up_numbers();
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

void IdColumn::finish(const TextInput& input, const std::vector<std::uint32_t>& lines) {
  if (rule_ == "one-based" || rule_ == "zero-based" || are_indices())
    return finish_indices(input, lines, rule_ != "zero-based");
  if (textual_) {
    positions.assign(numbers_.begin(), numbers_.end());
  } else {
    finish_numbers();
  }
  count = static_cast<Index>(ids.size());
  if (declared_ > 0 && count != declared_)
    throw Error(ErrorKind::data, input.path().string(),
                "the file names " + std::to_string(count) + " distinct " + side_ + " ids, but " +
                    std::to_string(declared_) + " were declared",
                "leave the size at 0, or use ids that are indices");
}

bool IdColumn::are_indices() const {
  if (rule_ != "auto" || textual_ || *std::min_element(numbers_.begin(), numbers_.end()) < 1) return false;
  if (declared_ > 0) return true;
  const Index largest = *std::max_element(numbers_.begin(), numbers_.end());
  // No more distinct ids than ids: this bounds the memory of the count.
  if (largest / 10 > static_cast<Index>(numbers_.size()) || largest > kLargest) return false;
  return largest <= 10 * distinct(numbers_, largest);
}

void IdColumn::finish_indices(const TextInput& input, const std::vector<std::uint32_t>& lines, Index base) {
  const auto largest = std::max_element(numbers_.begin(), numbers_.end());
  count = declared_ > 0 ? declared_ : *largest + 1 - base;
  if (*largest - base >= count)
    throw Error(ErrorKind::data, input.where(lines[static_cast<std::size_t>(largest - numbers_.begin())]),
                side_ + " " + std::to_string(*largest) + " is beyond the declared " + std::to_string(count),
                "mend the index or the declared size, or set ids = arbitrary");
  positions.reserve(numbers_.size());
  for (const Index number : numbers_) positions.push_back(static_cast<std::int32_t>(number - base));
}

void IdColumn::finish_numbers() {
  std::vector<Index> sorted = numbers_;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (const Index number : sorted) ids.push_back(std::to_string(number));
  positions.reserve(numbers_.size());
  for (const Index number : numbers_)
    positions.push_back(
        static_cast<std::int32_t>(std::lower_bound(sorted.begin(), sorted.end(), number) - sorted.begin()));
}

}  // namespace claros
