// SPDX-License-Identifier: BSD-3-Clause
#include "draft.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

namespace polytope {

using namespace claros;

std::optional<std::size_t> Draft::find(std::string_view name) const {
  const auto at = known_.find(std::string(name));
  return at == known_.end() ? std::nullopt : std::optional(at->second);
}

std::size_t Draft::variable(std::string_view name) {
  const auto [at, is_new] = known_.emplace(name, names.size());
  if (is_new) {
    names.emplace_back(name);
    low.push_back(0.0), high.push_back(std::numeric_limits<double>::infinity());
    integer.push_back(0);
  }
  return at->second;
}

std::size_t Draft::constraint(double from, double to) {
  least.push_back(from), most.push_back(to);
  return least.size() - 1;
}

Program Draft::program(const TextInput& input) {
  std::ranges::stable_sort(entries, {}, [](const Entry& e) { return std::pair(e.row, e.column); });
  Program p{low, high, least, most, {}, {}, {}, names, {}};
  if (std::ranges::find(integer, 1) != integer.end()) p.integer = integer;
  std::size_t row = 0;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const Entry& e = entries[k];
    if (k > 0 && entries[k - 1].row == e.row && entries[k - 1].column == e.column)
      throw Error(ErrorKind::data, input.where(e.line),
                  "gives '" + names[e.column] + "' a second number in one constraint, the first is in line " +
                      std::to_string(entries[k - 1].line),
                  "write their sum once");
    for (; row <= e.row; ++row) p.start.push_back(static_cast<Index>(p.value.size()));
    p.column.push_back(static_cast<Index>(e.column)), p.value.push_back(e.value);
  }
  for (; row <= least.size(); ++row) p.start.push_back(static_cast<Index>(p.value.size()));
  return p;
}

std::optional<double> number_in(std::string_view word) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity(), kFar = 1e30;
  const bool negative = word.starts_with('-');
  if (negative || word.starts_with('+')) word.remove_prefix(1);
  double value = 0.0;
  const std::string text = lower(word);
  if (text == "inf" || text == "infinity") {
    value = kInfinity;
  } else {
    const bool plain = !word.empty() && (word.front() == '.' || (word.front() >= '0' && word.front() <= '9'));
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (!plain || code != std::errc() || end != word.data() + word.size()) return std::nullopt;
    if (value >= kFar) value = kInfinity;
  }
  return negative ? -value : value;
}

std::string lower(std::string_view text) {
  std::string all(text);
  for (char& c : all)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return all;
}

}  // namespace polytope
