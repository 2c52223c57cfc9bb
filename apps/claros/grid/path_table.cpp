// SPDX-License-Identifier: BSD-3-Clause
#include "grid/path_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/terminal.hpp"

namespace claros::cli {

namespace {

using Row = std::vector<std::string>;

std::string number(double value, int digits) {
  return std::isnan(value) ? std::string("-") : fmt::format("{:.{}g}", value, digits);
}

std::string mean_text(const FoldMean& m) {
  return std::isnan(m.mean) ? "-" : fmt::format("{:.5g} +- {:.2g}", m.mean, m.error);
}

/// The numbers that are known for each row.
struct Known {
  bool gap, explained, test, trouble, low_rank, other;

  explicit Known(const PathRecord& record) {
    const auto any = [&](auto known) {
      return std::any_of(record.points.begin(), record.points.end(), known);
    };
    gap = any([](const PathPoint& p) { return std::isfinite(p.result.measurement.gap); });
    explained = any([](const PathPoint& p) { return std::isfinite(p.explained); });
    test = any([](const PathPoint& p) { return std::isfinite(p.result.measurement.test_rmse); });
    other = record.validation && !record.validation->other.empty();
    low_rank = !any([](const PathPoint& p) { return p.is_kept; });
    trouble = false;
    for (std::size_t k = 0; k < record.points.size(); ++k) trouble = trouble || record.is_unfinished(k);
  }
};

/// The end of its run; for a lambda that another fit makes unfinished, that fit.
std::string status_text(const PathRecord& record, std::size_t k) {
  const PathPoint& point = record.points[k];
  const std::string status = text(point.result.status);
  if (!record.is_unfinished(k) || (point.missed && !met_target(point.result))) return status;
  return status + (point.missed ? ", not before its refit" : ", not in every fold");
}

Row titles(const PathRecord& record, const Known& known) {
  Row row{values_of(record.parameter), known.low_rank ? "rank" : "support", "value",
          known.gap ? "gap" : "residual"};
  if (!record.over.parameter.empty()) row.insert(row.begin(), record.over.parameter);
  if (known.explained) row.emplace_back("explained");
  if (known.test) row.emplace_back("test rmse");
  if (!record.ranking.empty()) row.push_back(record.ranking);
  if (!record.information.empty()) row.emplace_back(record.criterion);
  if (record.validation) row.emplace_back("loss held back");
  if (known.other) row.push_back(record.validation->other);
  row.emplace_back("seconds");
  if (known.trouble) row.emplace_back("status");
  if (!record.chosen.empty()) row.emplace_back("");
  return row;
}

Row row_of(const PathRecord& record, const Known& known, std::size_t k) {
  const PathPoint& point = record.points[k];
  const Measurement& m = point.result.measurement;
  Row row{number(point.lambda, 5), std::to_string(point.support), number(m.value, 8),
          number(known.gap ? m.gap : m.residual, 3)};
  if (!record.over.parameter.empty()) row.insert(row.begin(), number(point.over, 5));
  if (known.explained) row.push_back(number(point.explained, 4));
  if (known.test) row.push_back(number(m.test_rmse, 5));
  if (!record.ranking.empty()) row.push_back(number(point.ranking, 5));
  if (!record.information.empty()) row.push_back(number(record.information[k], 8));
  if (record.validation) row.push_back(mean_text(record.validation->loss[k]));
  if (known.other) row.push_back(mean_text(record.validation->beside[k]));
  row.push_back(number(point.result.elapsed_seconds, 2));
  if (known.trouble) row.push_back(status_text(record, k));
  std::string marks;
  for (const auto& [name, at] : record.chosen)
    if (at == k) marks += (marks.empty() ? "<- " : ", ") + name;
  if (!marks.empty() && record.is_unfinished(k)) marks += " (unfinished)";
  if (!record.chosen.empty()) row.push_back(marks);
  return row;
}

/// The targets of every lambda.
std::string accuracy_text(const PathRecord& record) {
  const StopOptions& stop = record.stop;
  std::string text;
  const auto add = [&](bool is_set, const std::string& target) {
    if (is_set) text += (text.empty() ? "each " + values_of(record.parameter) + " to " : " or ") + target;
  };
  add(stop.relative_gap > 0.0, "a relative gap of " + print_real(stop.relative_gap));
  add(stop.gap > 0.0, "a gap of " + print_real(stop.gap));
  add(stop.residual > 0.0, "a residual of " + print_real(stop.residual) +
                               (record.scaled_residual ? " lambda/max" : std::string()));
  add(std::isfinite(stop.value), "a value of " + print_real(stop.value));
  if (record.relaxed) text += (text.empty() ? "" : ", then ") + std::string("fitted again on its support");
  return text.empty() ? text : text + "\n";
}

}  // namespace

std::string path_table(const PathRecord& record) {
  const Known known(record);
  std::vector<Row> rows{titles(record, known)};
  for (std::size_t k = 0; k < record.points.size(); ++k) rows.push_back(row_of(record, known, k));
  std::string page = aligned(rows) + accuracy_text(record);
  const std::string& over = record.over.parameter;
  for (const auto& [name, k] : record.chosen)
    page += fmt::format(
        "{}: {}{}={}{}{}\n", name, over.empty() ? "" : over + "=" + print_real(record.points[k].over) + " ",
        record.parameter, print_real(record.points[k].lambda),
        !record.by_test          ? ""
        : record.ranking.empty() ? " (the smallest RMSE on objective.test)"
                                 : " (the largest " + record.ranking + " on objective.test)",
        record.is_unfinished(k)
            ? " (unfinished: no " + values_of(record.parameter) + " met its target in every fit)"
            : "");
  return page;
}

}  // namespace claros::cli
