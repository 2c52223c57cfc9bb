// SPDX-License-Identifier: BSD-3-Clause
#include "triplets.hpp"

#include <claros/error.hpp>

#include "consistency.hpp"

#include <algorithm>
#include <utility>

namespace claros {
namespace {

/// The positions of the triplets in the order of (row, col), then of the file.
std::vector<std::size_t> order_of(const Triplets& t) {
  std::vector<std::pair<std::uint64_t, std::size_t>> keys(t.value.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    keys[i] = {static_cast<std::uint64_t>(t.row[i]) << 32U | static_cast<std::uint32_t>(t.col[i]), i};
  if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
  std::vector<std::size_t> order(keys.size());
  std::transform(keys.begin(), keys.end(), order.begin(), [](const auto& key) { return key.second; });
  return order;
}

}  // namespace

Ratings sorted(Triplets t, std::string_view duplicates, const DuplicateError& error) {
  const std::vector<std::size_t> order = order_of(t);
  Ratings result{t.rows, t.cols, {}, {}, {}, {}, {}};
  result.row.reserve(order.size());
  result.col.reserve(order.size());
  result.value.reserve(order.size());
  double sum = 0;
  for (std::size_t k = 0, first = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    if (k > 0 && t.row[i] == t.row[order[first]] && t.col[i] == t.col[order[first]]) {
      if (duplicates == "error") throw error(t, order[first], i);
      sum += t.value[i];
      result.value.back() = duplicates == "last" ? t.value[i] : sum / static_cast<double>(k - first + 1);
    } else {
      first = k;
      sum = t.value[i];
      result.row.push_back(t.row[i]);
      result.col.push_back(t.col[i]);
      result.value.push_back(t.value[i]);
    }
  }
  return result;
}

Ratings sorted(const TextInput& input, Triplets triplets, std::string_view duplicates) {
  return sorted(std::move(triplets), duplicates, [&](const Triplets& t, std::size_t first, std::size_t second) {
    return Error(ErrorKind::data, input.where(t.line[second]),
                 entry_name(t.row[second], t.col[second]) + " stands on line " + std::to_string(t.line[first]) +
                     " too; expected each once",
                 "remove one, or set duplicates = mean or last where the reader offers it");
  });
}

}  // namespace claros
