// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/csv.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/json_text.hpp>
#include <claros/parameters.hpp>
#include <claros/results/recommendation.hpp>

#include <fmt/format.h>

#include "cli/linear_algebra.hpp"
#include "cli/messages.hpp"
#include "cli/terminal.hpp"
#include "data/commands.hpp"
#include "data/new_sides.hpp"
#include "data/predict_rows.hpp"
#include "data/ranking.hpp"

namespace claros::cli {

namespace {

Index position_of(const Ids& ids, const std::string& id, const std::string& where) {
  for (Index k = 0; k < ids.count; ++k)
    if (ids.name(k) == id) return k;
  throw Error(ErrorKind::data, where, "the row '" + id + "' is not in the training data",
              "give ids of its rows, separated by commas");
}

/// Those that are asked for, else the new ones, else all with an entry in the training data.
std::vector<Index> rows_asked(const Arguments& arguments, const Training& training,
                              const std::vector<Index>& new_rows) {
  std::vector<Index> rows;
  const auto asked = arguments.get("rows");
  if (!asked && arguments.get("new-rows")) return new_rows;
  if (!asked) {
    for (Index i = 0; i < training.rows.count; ++i)
      if (training.rows.entries.empty() || training.rows.seen(i)) rows.push_back(i);
    return rows;
  }
  for (std::size_t from = 0; from <= asked->size();) {
    const std::size_t to = std::min(asked->find(',', from), asked->size());
    rows.push_back(position_of(training.rows, asked->substr(from, to - from), "--rows"));
    from = to + 1;
  }
  return rows;
}

std::string lists_csv(const Training& training, const std::vector<Index>& rows,
                      const std::vector<std::vector<Recommended>>& lists) {
  std::string text = "row,rank,column,score\n";
  for (std::size_t n = 0; n < rows.size(); ++n)
    for (std::size_t k = 0; k < lists[n].size(); ++k)
      text += field_text(training.rows.name(rows[n]), ',', "recommendations") + ',' + std::to_string(k + 1) +
              ',' + field_text(training.cols.name(lists[n][k].col), ',', "recommendations") + ',' +
              print_real(lists[n][k].score) + '\n';
  return text;
}

std::string lists_json(const Training& training, const std::vector<Index>& rows,
                       const std::vector<std::vector<Recommended>>& lists) {
  Json all = Json::array();
  for (std::size_t n = 0; n < rows.size(); ++n) {
    Json columns = Json::array();
    for (const Recommended& one : lists[n])
      columns.push_back({{"column", training.cols.name(one.col)}, {"score", one.score}});
    all.push_back({{"row", training.rows.name(rows[n])}, {"columns", std::move(columns)}});
  }
  return json_text({{"rows", std::move(all)}});
}

}  // namespace

int recommend_command(const Arguments& arguments) {
  reserve_linear_algebra(1);
  if (!arguments.unfit().empty()) throw Error(ErrorKind::usage, arguments.unfit());
  const std::filesystem::path folder = arguments.words()[0];
  Solution solution = Solution::read(folder);
  if (has_linear_training(folder / "solution"))
    throw Error(ErrorKind::usage, folder.string(), "holds a linear model, which has no columns to recommend",
                "give the folder of a run of matrix-completion");
  const std::vector<Index> new_rows = add_new_sides(arguments, folder, solution);
  const Training& training = solution.training();
  const Index count = list_length(arguments, "top", 10);
  const std::vector<Index> rows = rows_asked(arguments, training, new_rows);
  const auto lists = recommend(solution, rows, count, seen_of(arguments, training));
  put_predictions(arguments, arguments.has("json") ? lists_json(training, rows, lists)
                                                   : lists_csv(training, rows, lists));
  if (!arguments.has("without"))
    report("columns that a row has already are recommended too (--without FILE leaves them out)");
  return kDone;
}

}  // namespace claros::cli
