// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/triplets.hpp>

#include <claros/error.hpp>

#include "io/consistency.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>

namespace claros {
namespace {

using Order = std::vector<std::size_t>;

/// `order`, and within equal lines as it was, in the order of the lines of `line`.
Order stable_by(const std::vector<std::int32_t>& line, const Order& order) {
  Order next(static_cast<std::size_t>(std::ranges::max(line)) + 2, 0);
  for (const std::int32_t k : line) ++next[static_cast<std::size_t>(k) + 1];
  for (std::size_t k = 1; k < next.size(); ++k) next[k] += next[k - 1];
  Order sorted(order.size());
  for (const std::size_t i : order) sorted[next[static_cast<std::size_t>(line[i])]++] = i;
  return sorted;
}

/// The positions of the triplets in the order of (row, col), then of the file.
Order order_of(const Triplets& t) {
  const auto key = [&](std::size_t i) {
    return static_cast<std::uint64_t>(t.row[i]) << 32U | static_cast<std::uint32_t>(t.col[i]);
  };
  Order order(t.value.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (std::ranges::is_sorted(order, {}, key)) return order;
  const auto is_countable = [&](const std::vector<std::int32_t>& line) {
    const auto [least, largest] = std::ranges::minmax(line);
    return least >= 0 && static_cast<std::size_t>(largest) / 4 < order.size();
  };
  if (is_countable(t.row) && is_countable(t.col)) return stable_by(t.row, stable_by(t.col, order));
  std::ranges::stable_sort(order, {}, key);
  return order;
}

}  // namespace

Ratings sorted(Triplets t, std::string_view duplicates, const DuplicateError& error) {
  const Order order = order_of(t);
  Ratings result{t.rows, t.cols, {}, {}, {}, {}, {}};
  result.row.reserve(order.size());
  result.col.reserve(order.size());
  result.value.reserve(order.size());
  const auto weight = [&](std::size_t i) { return t.weight.empty() ? 1.0 : t.weight[i]; };
  double sum = 0, weights = 0;
  for (std::size_t k = 0, first = 0; k < order.size(); ++k) {
    const std::size_t i = order[k];
    if (k > 0 && t.row[i] == t.row[order[first]] && t.col[i] == t.col[order[first]]) {
      if (duplicates == "error") throw error(t, order[first], i);
      sum += weight(i) * t.value[i];
      weights += weight(i);
      const bool last = duplicates == "last" || weights == 0.0;
      result.value.back() = last ? t.value[i] : sum / weights;
      if (!t.weight.empty()) result.weight.back() = last ? weight(i) : weights;
    } else {
      first = k;
      sum = weight(i) * t.value[i];
      weights = weight(i);
      result.row.push_back(t.row[i]);
      result.col.push_back(t.col[i]);
      result.value.push_back(t.value[i]);
      if (!t.weight.empty()) result.weight.push_back(weight(i));
    }
  }
  return result;
}

void expect_weights(std::span<const double> weights, const std::function<std::string(std::size_t)>& where) {
  double sum = 0.0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (!(weights[k] >= 0.0) || !std::isfinite(weights[k]))
      throw Error(ErrorKind::data, where(k),
                  "the weight is " + print_real(weights[k]) + "; expected a finite number >= 0",
                  "change it, or leave the weights out");
    sum += weights[k];
  }
  if (!weights.empty() && sum == 0.0)
    throw Error(ErrorKind::data, where(0), "all weights are 0", "give at least one a number above 0");
}

DuplicateError same_position(const std::string& where) {
  return [where](const Triplets& t, std::size_t first, std::size_t second) {
    return Error(ErrorKind::data, where,
                 entry_name(t.row[second], t.col[second]) + " is given twice, as numbers " +
                     std::to_string(first + 1) + " and " + std::to_string(second + 1) +
                     " of the data; expected each once",
                 "call sum_duplicates() before it is saved, or set duplicates = mean or last where the "
                 "reader offers it");
  };
}

void expect_plausible_size(const std::string& side, Index size, std::size_t entries, const std::string& where,
                           const std::string& remedy) {
  constexpr double kAlways = 1e8, kEach = 100;
  if (static_cast<double>(size) <= std::max(kAlways, kEach * static_cast<double>(entries))) return;
  throw Error(ErrorKind::data, where,
              std::to_string(size) + " " + side + " for " + std::to_string(entries) +
                  " entries; more than 10^8 must be at most a hundred times the entries",
              remedy.empty() ? "is the number damaged?" : remedy);
}

void expect_plausible_sizes(const Triplets& t, const std::string& where, const std::string& remedy,
                            Index declared_rows, Index declared_cols) {
  if (declared_rows < t.rows) expect_plausible_size("rows", t.rows, t.value.size(), where, remedy);
  if (declared_cols < t.cols) expect_plausible_size("columns", t.cols, t.value.size(), where, remedy);
}

Ratings sorted(const TextInput& input, Triplets triplets, std::string_view duplicates) {
  return sorted(std::move(triplets), duplicates,
                [&](const Triplets& t, std::size_t first, std::size_t second) {
                  return Error(ErrorKind::data, input.where(t.line[second]),
                               entry_name(t.row[second], t.col[second]) + " stands on line " +
                                   std::to_string(t.line[first]) + " too; expected each once",
                               "remove one, or set duplicates = mean or last where the reader offers it");
                });
}

std::optional<std::pair<Index, Index>> zero_matrix(const std::filesystem::path& file) {
  TextInput input(file);
  std::string_view banner;
  const bool coordinates = input.next(banner) && banner.find("coordinate") != banner.npos;
  input.unread();
  if (!coordinates) return std::nullopt;
  const Triplets triplets = read_coordinates(input);
  if (!triplets.value.empty())
    throw Error(ErrorKind::data, file.string(), "has entries in coordinates; expected an array", "run again");
  return std::pair(triplets.rows, triplets.cols);
}

}  // namespace claros
