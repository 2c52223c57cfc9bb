// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/split_ratings.hpp>
#include <claros/io/text_input.hpp>
#include <claros/parameters.hpp>
#include <claros/random.hpp>
#include <claros/regular_file.hpp>

#include <claros/io/fields.hpp>

#include "io/list_columns.hpp"
#include "io/text_output.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace claros {

namespace {

constexpr std::uint32_t kSplitStream = 211;  // no data component draws from it

/// The records of a list of ratings, unchanged, with their separators: a line, or several if quotes hold line
/// breaks.
struct Lines {
  std::string header;
  std::vector<std::string> text;
  std::vector<std::size_t> row;  ///< the row of each record, numbered
  std::vector<double> time;      ///< fourth field, where it is asked for
};

Lines read_lines(const std::filesystem::path& file, const SplitRule& rule) {
  TextInput input(file), raw(file);
  const ListNeeds needs{.value = rule.newest,
                        .fourth = rule.newest ? ListNeeds::Fourth::time : ListNeeds::Fourth::none};
  FieldReader fields(input, rule.delimiter, list_header(rule.header, rule.columns), needs.fields(),
                     list_header_rule(rule.columns));
  const ListColumns at(fields, rule.columns, needs);
  Decimals times("auto", fields.delimiter());
  Lines lines;
  std::map<std::string, std::size_t, std::less<>> rows;
  Index read = 0;
  const auto up_to = [&](Index last) {  // without blank lines before the record
    std::string text;
    for (std::string_view line; read < last && raw.next(line); ++read)
      if (!text.empty() || line.find_first_not_of(" \t") != line.npos)
        text.append(text.empty() ? "" : "\n").append(line);
    return text;
  };
  lines.header = up_to(fields.header_line());
  while (fields.next()) {
    lines.text.push_back(up_to(fields.line()));
    lines.row.push_back(rows.try_emplace(std::string(fields.fields()[at.row]), rows.size()).first->second);
    if (at.fourth) lines.time.push_back(times.number(fields, *at.fourth, "the time"));
  }
  times.expect_one(fields.file());
  if (const auto guess = at.guess(fields); guess && rows.contains(guess->row)) guess->refuse();
  return lines;
}

/// The lines in the order in which they are held out: the newest first, or drawn by the seed. If times are
/// equal, the later line is first.
std::vector<std::size_t> held_first(const Lines& lines, std::uint64_t seed) {
  std::vector<std::size_t> order(lines.text.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!lines.time.empty()) {
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      return lines.time[a] != lines.time[b] ? lines.time[a] > lines.time[b] : a > b;
    });
    return order;
  }
  RandomStream random(seed, Purpose::data, kSplitStream);
  for (std::size_t k = order.size(); k > 1; --k)
    std::swap(order[k - 1], order[static_cast<std::size_t>(random.index(static_cast<Index>(k)))]);
  return order;
}

/// One line of every row that has another, or the share of all.
std::vector<bool> held_out(const Lines& lines, const std::vector<std::size_t>& order, const SplitRule& rule) {
  std::vector<bool> held(lines.text.size());
  if (!rule.one_a_row) {
    const auto count = static_cast<std::size_t>(rule.share * static_cast<double>(order.size()) + 0.5);
    for (std::size_t k = 0; k < count; ++k) held[order[k]] = true;
    return held;
  }
  std::vector<std::size_t> left(lines.text.size());
  for (const std::size_t row : lines.row) ++left[row];
  for (const std::size_t line : order) {
    std::size_t& others = left[lines.row[line]];
    if (others > 1) held[line] = true;
    others = 0;
  }
  return held;
}

Index write(const std::filesystem::path& file, const Lines& lines, const std::vector<bool>& held,
            bool which) {
  TextOutput out(file);
  if (!lines.header.empty()) out << lines.header << '\n';
  Index count = 0;
  for (std::size_t k = 0; k < held.size(); ++k)
    if (held[k] == which) out << lines.text[k] << '\n', ++count;
  out.commit();
  return count;
}

}  // namespace

SplitCounts split_ratings(const std::filesystem::path& file, const std::filesystem::path& out,
                          const std::filesystem::path& held_file, const SplitRule& rule) {
  if (!(rule.share > 0.0 && rule.share < 1.0))
    throw Error(ErrorKind::usage, "share", "expected a number between 0 and 1, got " + print_real(rule.share),
                "0.2 holds out a fifth");
  expect_plain_name(out);
  expect_plain_name(held_file);
  for (const auto& [target, other] : {std::pair(out, file), {held_file, file}, {held_file, out}})
    if (is_same_file(target, other))
      throw Error(ErrorKind::usage, target.string(), "is the same file as " + other.string(),
                  "write to other files");
  const Lines lines = read_lines(file, rule);
  const std::vector<bool> held = held_out(lines, held_first(lines, rule.seed), rule);
  const auto count = std::ranges::count(held, true), all = std::ssize(held);
  if (count == 0 || count == all)
    throw Error(ErrorKind::data, file.string(),
                std::to_string(count) + " of " + std::to_string(all) + " lines would be held out",
                "choose another share, or give more ratings");
  return {write(out, lines, held, false), write(held_file, lines, held, true)};
}

}  // namespace claros
