// SPDX-License-Identifier: BSD-3-Clause
#include <claros/paths/path_record.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "plot/plot_path.hpp"
#include "report/read_report.hpp"
#include "report/rerun_text.hpp"
#include "report/run_words.hpp"
#include "report/solution_figures.hpp"

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

std::string lambda_text(double lambda) { return fmt::format("{:.4g}", lambda); }

/// The coefficients that enter first have colours and names.
ReportFigure coefficients_figure(const KeptPath& path) {
  constexpr std::size_t kNamedCurves = 7, kDrawnCurves = 200;
  auto profiles = profiles_of(path);
  profiles.resize(std::min(profiles.size(), kDrawnCurves));
  ReportFigure figure;
  figure.title = "Coefficients along the path";
  if (!path.over.empty()) figure.title += fmt::format(", {}={:.4g}", path.over, path.values.front());
  figure.x = {{"lambda", path.parameter}};
  figure.y = {{"coefficient", effect_words(path)}};
  figure.log_x = true;
  figure.falling_x = true;
  for (std::size_t r = 0; r < profiles.size(); ++r)
    figure.curves.push_back({coefficient_name(path, profiles[r].first),
                             {{{"lambda", path.lambdas}, {"coefficient", profiles[r].second}}},
                             r >= kNamedCurves});
  return figure;
}

ReportFigure error_figure(const KeptPath& path) {
  ReportFigure figure;
  figure.title = "Mean loss on rows held back, with one standard error to both sides";
  figure.x = {{"lambda", path.parameter}};
  figure.y = {{"loss", "mean loss on rows held back"}};
  figure.log_x = true;
  figure.falling_x = true;
  figure.lower = "lower";
  figure.upper = "upper";
  for (const KeptPath& slice : path.slices()) {
    ReportColumns columns{{"lambda", slice.lambdas}, {"loss", {}}, {"lower", {}}, {"upper", {}}};
    for (const FoldMean& fold : slice.loss) {
      columns["loss"].push_back(fold.mean);
      columns["lower"].push_back(fold.mean - fold.error), columns["upper"].push_back(fold.mean + fold.error);
    }
    const std::string name =
        slice.over.empty() ? "mean loss" : fmt::format("{}={:.4g}", slice.over, slice.values.front());
    figure.curves.push_back({name, {std::move(columns)}});
  }
  return figure;
}

void drop_empty_columns(ReportTable& table) {
  for (std::size_t c = table.header.size(); c > 0; --c) {
    const auto empty = [&](const auto& row) { return row.size() < c || row[c - 1].empty(); };
    if (!std::all_of(table.rows.begin(), table.rows.end(), empty)) continue;
    table.header.erase(table.header.begin() + static_cast<std::ptrdiff_t>(c - 1));
    for (auto& row : table.rows)
      if (row.size() >= c) row.erase(row.begin() + static_cast<std::ptrdiff_t>(c - 1));
  }
}

ReportTable path_rows(const fs::path& folder, const KeptPath& path) {
  const std::string values = path.parameter.substr(path.parameter.rfind('.') + 1);
  ReportTable table{values == "radius" ? "The radii" : "The lambdas", {}, {}};
  std::ifstream stream(folder / "path.csv");
  for (std::string line; std::getline(stream, line);) {
    std::vector<std::string> cells{""};
    for (const char c : line)
      if (c == ',')
        cells.emplace_back();
      else
        cells.back() += c;
    if (table.header.empty()) {
      std::ranges::replace(cells, std::string("lambda"), values);
      if (path.coefficients.empty()) std::ranges::replace(cells, std::string("support"), std::string("rank"));
      table.header = cells;
      continue;
    }
    for (std::string& cell : cells) {
      char* end = nullptr;
      const double value = std::strtod(cell.c_str(), &end);
      if (!cell.empty() && *end == '\0') cell = report_number(value);
    }
    table.rows.push_back(std::move(cells));
  }
  drop_empty_columns(table);
  return table;
}

std::string path_words(const KeptPath& path, const Json& result) {
  const auto [least, most] = std::ranges::minmax(path.lambdas);
  std::string text = fmt::format(
      "Claros solved {} for {} values of {} from {} to {}{}.", problem_words(result.at("versions")),
      path.lambdas.size(), path.parameter, lambda_text(most), lambda_text(least),
      path.over.empty() ? "" : fmt::format(", along {} values of {}", path.slices().size(), path.over));
  for (const auto& [name, lambda, over, unfinished] : path.chosen) {
    text +=
        fmt::format(" The lambda of {} is {}{}{}.", name, lambda_text(lambda),
                    path.over.empty() ? "" : fmt::format(" at {}={:.4g}", path.over, over),
                    name == "best" && !path.loss.empty() ? ", with the smallest loss on rows held back" : "");
    if (unfinished) text += " It is unfinished: no lambda met its target in all of its fits.";
  }
  const auto said = [&](const Json& in, const char* key, const char* lead) {
    if (in.contains(key) && in.at(key).is_string()) text += lead + in.at(key).get<std::string>() + '.';
  };
  said(result.at("path"), "saturated", " The grid ended early: ");
  said(result, "edge", " Warning: ");
  if (result.at("path").value("interrupted", false)) text += " The path was interrupted.";
  return text;
}

/// " --over penalty.ratio=0.1,0.5" as the path had it.
std::string over_option(const Json& path) {
  if (!path.contains("over") || path.at("over").is_null()) return {};
  std::string values;
  for (const Json& slice : path.at("over").at("slices"))
    values += (values.empty() ? "" : ",") + print_real(slice.at("value").get<double>());
  return " --over " + path.at("over").at("parameter").get<std::string>() + '=' + values;
}

}  // namespace

Report report_of_path(const fs::path& folder, const std::string& label) {
  const KeptPath path = read_path(folder);
  if (path.lambdas.empty())
    throw Error(ErrorKind::data, folder.string(), "is a path in which no lambda is solved",
                "let claros path finish");
  const Json result =
      from_json_file(folder / "result.json", "run it again", [](const Json& json) { return json; });
  Report report;
  report.title = label;
  report.sentence = path_words(path, result);
  for (ReportFigure figure : {coefficients_figure(path.best_slice()), error_figure(path)}) {
    if (figure.curves.empty() || (!figure.lower.empty() && path.loss.empty())) continue;
    for (const auto& [name, lambda, over, unfinished] : path.chosen)
      figure.marks.emplace_back(unfinished ? name + " (unfinished)" : name, lambda);
    report.figures.push_back(std::move(figure));
  }
  report.results.push_back(path_rows(folder, path));
  std::error_code code;
  if (!path.chosen.empty() && fs::exists(folder / path.chosen.front().name / "result.json", code)) {
    add_solution(report, folder / path.chosen.front().name);
    for (ReportBars& bars : report.bars) bars.title += ", at " + path.chosen.front().name;
    for (ReportMap& map : report.maps) map.title += ", at " + path.chosen.front().name;
  }
  report.tables.push_back(versions_table(result));
  const Json& folds = result.at("cross_validation");
  const std::string with_folds = !folds.is_object() ? ""
                                 : folds.value("given", false)
                                     ? " --folds FILE"
                                     : fmt::format(" --folds {}", report_number(number_in(folds, "folds")));
  add_specification(
      report, folder,
      "claros path " + spec_word(folder) + over_option(result.at("path")) + with_folds + " --out again");
  add_remarks(report, result);
  return report;
}

}  // namespace claros::cli
