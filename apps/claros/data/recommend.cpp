// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/csv.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/json_text.hpp>
#include <claros/parameters.hpp>
#include <claros/results/recommendation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>

#include "cli/linear_algebra.hpp"
#include "cli/messages.hpp"
#include "cli/terminal.hpp"
#include "data/commands.hpp"
#include "data/new_sides.hpp"
#include "data/predict_rows.hpp"
#include "data/ranking.hpp"

namespace claros::cli {

namespace {

std::vector<std::string> lines_of(const std::string& file) {
  std::vector<std::string> ids;
  TextInput input(file);
  for (std::string_view line; input.next_filled(line);) ids.emplace_back(line);
  return ids;
}

std::vector<std::string> listed_in(const std::string& text) {
  std::vector<std::string> ids;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    ids.push_back(text.substr(from, to - from));
    from = to + 1;
  }
  return ids;
}

/// The positions of the ids of an option: a list separated by commas, or a file of them, one a line. A list
/// of known ids is that list, also where a file has its name. Nothing without the option. Unknown ids of a
/// file are counted; one of a list is an error.
std::optional<std::vector<Index>> asked_by(const Arguments& arguments, const std::string& option,
                                           const Ids& ids, const std::string& side) {
  const auto text = arguments.get(option);
  if (!text) return {};
  std::unordered_map<std::string, Index> positions;
  for (Index k = 0; k < ids.count; ++k) positions.emplace(ids.name(k), k);
  std::vector<std::string> asked = listed_in(*text);
  const auto is_known = [&](const std::string& id) { return positions.contains(id); };
  const bool in_file = !std::ranges::all_of(asked, is_known) && std::filesystem::is_regular_file(*text);
  if (in_file) asked = lines_of(*text);
  std::vector<Index> known;
  for (const std::string& id : asked) {
    const auto at = positions.find(id);
    if (at != positions.end())
      known.push_back(at->second);
    else if (!in_file)
      throw Error(ErrorKind::data, "--" + option, "the " + side + " '" + id + "' is not in the training data",
                  "give ids of its " + side + "s, separated by commas, or a file of them, one a line");
  }
  if (known.empty())
    throw Error(ErrorKind::data, *text, "no line is a " + side + " of the training data",
                "give one id a line");
  if (known.size() < asked.size())
    report(fmt::format("{}: {} of {} ids are not in the training data", *text, asked.size() - known.size(),
                       asked.size()));
  return known;
}

std::vector<Index> all_seen(const Ids& ids) {
  std::vector<Index> all;
  for (Index k = 0; k < ids.count; ++k)
    if (ids.entries.empty() || ids.seen(k)) all.push_back(k);
  return all;
}

/// The columns of --only, and not those of --never; empty without both.
std::vector<bool> allowed_columns(const Arguments& arguments, const Ids& cols) {
  const auto only = asked_by(arguments, "only", cols, "column"),
             never = asked_by(arguments, "never", cols, "column");
  std::vector<bool> allowed;
  if (only || never) allowed.assign(static_cast<std::size_t>(cols.count), !only);
  const auto set = [&](const std::optional<std::vector<Index>>& columns, bool to) {
    for (const Index j : columns.value_or(std::vector<Index>())) allowed[static_cast<std::size_t>(j)] = to;
  };
  set(only, true);
  set(never, false);
  if (!allowed.empty() && std::ranges::find(allowed, true) == allowed.end())
    throw Error(ErrorKind::usage, "--never",
                only ? "leaves none of the columns of --only" : "leaves no column", "name fewer columns");
  return allowed;
}

/// Lists of ids, one for each id that was asked for, and the names of what a table of them holds.
struct Table {
  const Ids &heads, &members;
  std::string head, list, member, score;
  std::vector<Index> asked;
  std::vector<std::vector<Recommended>> lists;

  std::string csv() const {
    std::string text = head + ",rank," + (list == "similar" ? list : member) + ',' + score + '\n';
    const auto field = [](const std::string& name) { return field_text(name, ',', "the table"); };
    for (std::size_t n = 0; n < asked.size(); ++n)
      for (std::size_t k = 0; k < lists[n].size(); ++k)
        text += field(heads.name(asked[n])) + ',' + std::to_string(k + 1) + ',' +
                field(members.name(lists[n][k].col)) + ',' + print_real(lists[n][k].score) + '\n';
    return text;
  }

  std::string json() const {
    Json all = Json::array();
    for (std::size_t n = 0; n < asked.size(); ++n) {
      Json some = Json::array();
      for (const Recommended& one : lists[n])
        some.push_back({{member, members.name(one.col)}, {score, one.score}});
      all.push_back({{head, heads.name(asked[n])}, {list, std::move(some)}});
    }
    return json_text({{head + "s", std::move(all)}});
  }

  void put(const Arguments& arguments) const {
    put_predictions(arguments, arguments.has("json") ? json() : csv());
  }
};

std::filesystem::path folder_of(const Arguments& arguments) {
  reserve_linear_algebra(1);
  if (!arguments.unfit().empty()) throw Error(ErrorKind::usage, arguments.unfit());
  const std::filesystem::path folder = arguments.words()[0];
  if (has_linear_training(folder / "solution"))
    throw Error(ErrorKind::usage, folder.string(), "holds a linear model, which has no columns to recommend",
                "give the folder of a run of matrix-completion");
  return folder;
}

}  // namespace

int recommend_command(const Arguments& arguments) {
  const std::filesystem::path folder = folder_of(arguments);
  Solution solution = Solution::read(folder);
  const std::vector<Index> new_rows = add_new_sides(arguments, folder, solution);
  const Training& training = solution.training();
  const Index count = list_length(arguments, "top", 10);
  const auto otherwise = [&] { return arguments.get("new-rows") ? new_rows : all_seen(training.rows); };
  Table table{training.rows, training.cols, "row", "columns", "column", "score", {}, {}};
  const auto asked = asked_by(arguments, "rows", training.rows, "row");
  table.asked = asked ? *asked : otherwise();
  table.lists = recommend(solution, table.asked, count, seen_of(arguments, training),
                          allowed_columns(arguments, training.cols));
  table.put(arguments);
  if (std::ranges::all_of(table.lists, &std::vector<Recommended>::empty))
    report("no column is left to recommend: the rows have all that are allowed");
  if (!arguments.has("without"))
    report("columns that a row has already are recommended too (--without FILE leaves them out)");
  return kDone;
}

int similar_command(const Arguments& arguments) {
  Solution solution = Solution::read(folder_of(arguments));
  if (arguments.has("rows") && arguments.has("columns"))
    throw Error(ErrorKind::usage, "--columns", "is beside --rows, and a list is of one side",
                "ask twice, for each by itself");
  const bool of_rows = arguments.has("rows");
  const std::string side = of_rows ? "row" : "column";
  const Ids& ids = of_rows ? solution.training().rows : solution.training().cols;
  const auto asked = asked_by(arguments, side + "s", ids, side);
  Table table{ids, ids, side, "similar", side, "cosine", asked ? *asked : all_seen(ids), {}};
  table.lists =
      similar(solution, of_rows ? Side::rows : Side::cols, table.asked, list_length(arguments, "top", 10));
  table.put(arguments);
  return kDone;
}

}  // namespace claros::cli
