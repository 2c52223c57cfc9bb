// SPDX-License-Identifier: BSD-3-Clause
#include "data/ranking.hpp"

#include <claros/error.hpp>
#include <claros/io/text_input.hpp>
#include <claros/parameters.hpp>

#include <fmt/format.h>

#include "cli/messages.hpp"

namespace claros::cli {

Index list_length(const Arguments& arguments, const std::string& option, Index otherwise) {
  const auto text = arguments.get(option);
  if (!text) return otherwise;
  Index count = 0;
  try {
    count = parse_integer(*text);
  } catch (const Error&) {  // no number: refused below
  }
  if (count >= 1) return count;
  throw Error(ErrorKind::usage, "--" + option, "expected a number of columns from 1 on, got '" + *text + "'",
              "write --" + option + " 10");
}

PairsOptions pairs_options(const Arguments& arguments) {
  return {.delimiter = arguments.get("delimiter").value_or("auto"),
          .header = arguments.get("header").value_or("auto"),
          .columns = arguments.get("columns").value_or("")};
}

void report_header(const std::string& file, const Pairs& pairs, const Arguments& arguments) {
  if (!pairs.header.empty() && !arguments.has("header"))
    report(file + ":1: '" + pairs.header + "' is taken for a header (--header no if it is a pair)");
}

SeenColumns seen_of(const Arguments& arguments, const Training& training) {
  const auto file = arguments.get("without");
  if (!file) return {};
  TextInput input(*file);
  PairsOptions options = pairs_options(arguments);
  options.skips_unknown = true;
  const Pairs pairs = read_pairs(input, training, options);
  report_header(*file, pairs, arguments);
  Index unknown = pairs.skipped;
  for (std::size_t k = 0; k < pairs.row.size(); ++k) unknown += pairs.row[k] < 0 || pairs.col[k] < 0;
  const Index all = pairs.skipped + std::ssize(pairs.row);
  if (unknown == all)
    throw Error(ErrorKind::data, *file,
                fmt::format("none of its {} pairs has a row and a column of the training data", all),
                "give pairs of its ids, or say by --columns which fields hold them");
  if (unknown > 0)
    report(fmt::format("{}: {} of {} pairs have a row or a column that is not in the training data", *file,
                       unknown, all));
  return seen_columns(pairs, training);
}

RankingQuality ranking_of(const Arguments& arguments, const Solution& solution, const Pairs& held) {
  double least = -std::numeric_limits<double>::infinity();
  if (const auto text = arguments.get("relevant")) least = parse_real(*text);
  if (arguments.has("relevant") && held.known.empty())
    throw Error(ErrorKind::usage, "--relevant", "is about known values, and the pairs have none",
                "leave it out: all pairs are relevant then");
  return ranking_quality(solution, held, least, list_length(arguments, "ranking", 10),
                         seen_of(arguments, solution.training()));
}

Json ranking_json(const RankingQuality& q) {
  return {{"rows", q.rows},        {"precision", q.precision}, {"recall", q.recall},
          {"map", q.map},          {"ndcg", q.ndcg},           {"auc", q.auc},
          {"coverage", q.coverage}};
}

std::string ranking_text(const RankingQuality& q, Index count) {
  if (q.rows == 0) return "no pair is relevant: nothing is ranked";
  return fmt::format(
      "lists of {} for {} rows: precision {:.4g}, recall {:.4g}, MAP {:.4g}, "
      "NDCG {:.4g}, AUC {:.4g}, coverage {:.4g}",
      count, q.rows, q.precision, q.recall, q.map, q.ndcg, q.auc, q.coverage);
}

}  // namespace claros::cli
