// SPDX-License-Identifier: BSD-3-Clause
#include "report/read_report.hpp"

#include <claros/paths/path_record.hpp>
#include <claros/results/run_identity.hpp>
#include <claros/results/trace_table.hpp>

#include <claros/grids/comparison.hpp>
#include <claros/grids/quartiles.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cli/terminal.hpp"
#include "report/convergence.hpp"
#include "report/rerun_text.hpp"
#include "report/run_words.hpp"
#include "report/solution_figures.hpp"

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kAgain = "run it again";
constexpr std::size_t kCellsOfOneFigure = 10;

Json result_in(const fs::path& folder) {
  return from_json_file(folder / "result.json", kAgain, [](const Json& json) {
    (void)json.at("versions"), (void)json.at("status");
    return json;
  });
}

ReportColumns trace_in(const fs::path& folder) {
  std::error_code code;
  if (!fs::exists(folder / "trace.csv", code)) return {};
  RunIdentity::read(folder).require(folder, "trace.csv");
  return drawn_columns(read_trace(folder / "trace.csv"));
}

void add_convergence(Report& report, const std::string& title, std::vector<ReportCurve> curves,
                     std::size_t figures = 1) {
  ReportFigure figure = convergence(title, std::move(curves), kReportNumbers / figures);
  if (!figure.y.empty()) report.figures.push_back(std::move(figure));
}

/// The groups of curves of one folder.
std::vector<FolderGroup> groups_in(const fs::path& folder, const std::string& label, bool several) {
  std::error_code code;
  if (!fs::exists(folder / "comparison.json", code)) return {{label, {folder}}};
  std::vector<FolderGroup> groups = read_comparison(folder);
  for (FolderGroup& group : groups)
    if (several) group.label = label + ": " + group.label;
  return groups;
}

struct GroupResults {
  std::string label;
  std::vector<Json> results;
};

std::vector<GroupResults> results_of(const std::vector<FolderGroup>& groups) {
  std::vector<GroupResults> all;
  for (const FolderGroup& group : groups) {
    GroupResults& of = all.emplace_back(GroupResults{group.label, {}});
    for (const fs::path& folder : group.folders) of.results.push_back(result_in(folder));
  }
  return all;
}

Quartiles of_results(const GroupResults& group, const std::string& name) {
  std::vector<double> numbers;
  for (const Json& result : group.results) {
    const double direct = number_in(result, name);
    numbers.push_back(std::isnan(direct) && result.contains("counts") ? number_in(result.at("counts"), name)
                                                                      : direct);
  }
  return quartiles(numbers);
}

std::string spread_text(const Quartiles& q) {
  if (std::isnan(q.median)) return "";
  const std::string median = report_number(q.median), lower = report_number(q.lower),
                    upper = report_number(q.upper);
  return lower == median && upper == median ? median : median + " [" + lower + ", " + upper + "]";
}

std::map<std::string, std::size_t> endings(const std::vector<GroupResults>& groups) {
  std::map<std::string, std::size_t> times;
  for (const GroupResults& group : groups)
    for (const Json& result : group.results) ++times[result.at("status").get<std::string>()];
  return times;
}

std::string endings_text(const std::map<std::string, std::size_t>& times) {
  std::string text;
  for (const auto& [status, count] : times)
    text += (text.empty() ? "" : ", ") + (times.size() > 1 ? std::to_string(count) + ' ' : "") + status;
  return text;
}

ReportTable runs_table(const std::vector<GroupResults>& groups) {
  static const std::vector<std::pair<std::string, std::string>> kColumns{
      {"value", "value"},
      {"gap", "gap"},
      {"residual", "residual"},
      {"rmse_truth", "rmse (truth)"},
      {"test_rmse", "rmse (test)"},
      {"iterations", "iterations"},
      {"sfo", "component gradients"},
      {"lo", "linear minimisations"},
      {"po", "proximal steps"},
      {"svd", "SVDs"},
      {"rank_or_support", "rank or nonzeros"},
      {"waited_seconds", "wall time [s]"}};
  ReportTable table{"Runs", {"setting", "runs", "status"}, {}};
  std::vector<std::string> shown;
  for (const auto& [name, words] : kColumns)
    if (std::any_of(groups.begin(), groups.end(), [&, column = name](const GroupResults& group) {
          const Quartiles q = of_results(group, column);
          return !std::isnan(q.median) && (q.upper != 0.0 || column == "gap" || column == "value");
        }))
      shown.push_back(name), table.header.push_back(words);
  for (const GroupResults& group : groups) {
    auto& row = table.rows.emplace_back(std::vector<std::string>{
        group.label, std::to_string(group.results.size()), endings_text(endings({group}))});
    for (const std::string& name : shown) row.push_back(spread_text(of_results(group, name)));
  }
  if (std::any_of(groups.begin(), groups.end(), [](const GroupResults& g) { return g.results.size() > 1; }))
    table.title = "Runs: median [lower quartile, upper quartile] over the seeds";
  return table;
}

double median_value(const GroupResults& group) {
  const double median = of_results(group, "value").median;
  return std::isnan(median) ? std::numeric_limits<double>::infinity() : median;
}

/// Settings whose values differ in no digit that is shown.
std::vector<std::string> best_settings(const std::vector<GroupResults>& groups, double smallest) {
  std::vector<std::string> labels;
  for (const GroupResults& group : groups)
    if (report_number(median_value(group)) == report_number(smallest)) labels.push_back(group.label);
  return labels;
}

/// " of linear-model with the penalty l1", where that is the problem of all runs.
std::string common_problem(const std::vector<GroupResults>& groups) {
  std::string common;
  for (const GroupResults& group : groups)
    for (const Json& result : group.results) {
      const std::string words = " of " + problem_words(result.at("versions"), false);
      if (!common.empty() && words != common) return "";
      common = words;
    }
  return common;
}

std::string comparison_words(const std::vector<GroupResults>& groups) {
  std::size_t runs = 0;
  double smallest = std::numeric_limits<double>::infinity();
  for (const GroupResults& group : groups) {
    runs += group.results.size();
    smallest = std::min(smallest, median_value(group));
  }
  const std::map<std::string, std::size_t> times = endings(groups);
  std::string text = fmt::format("Claros compared {} settings in {} runs{}, which ended with the status {}.",
                                 groups.size(), runs, common_problem(groups), endings_text(times));
  if (!std::isfinite(smallest)) return text;
  const std::vector<std::string> best = best_settings(groups, smallest);
  text += fmt::format(" The smallest value at the end, {:.6g}, is that of ", smallest);
  if (best.size() == groups.size() && best.size() > 1) return text + "all of them.";
  for (std::size_t k = 0; k < best.size(); ++k)
    text += (k == 0 ? "" : k + 1 == best.size() ? " and " : ", ") + best[k];
  return text + '.';
}

/// Those of all runs, each once.
ReportTable versions_of(const std::vector<GroupResults>& groups) {
  ReportTable all = versions_table(Json::object());
  for (const GroupResults& group : groups)
    for (const Json& result : group.results)
      for (const auto& row : versions_table(result).rows)
        if (std::find(all.rows.begin(), all.rows.end(), row) == all.rows.end()) all.rows.push_back(row);
  return all;
}

ReportCurve curve_of_group(const FolderGroup& group) {
  ReportCurve curve{group.label, {}};
  for (const fs::path& folder : group.folders)
    if (ReportColumns columns = trace_in(folder); !columns.empty())
      curve.members.push_back(std::move(columns));
  return curve;
}

/// "panel=2, curve=saga" as {"panel=2", "curve=saga"}.
std::pair<std::string, std::string> panel_and_curve(const std::string& label) {
  const auto comma = label.rfind(", ");
  if (comma == label.npos) return {"", label};
  return {label.substr(0, comma), label.substr(comma + 2)};
}

/// All curves in one figure, or where they are many a figure for all values but the last that varies.
void add_curves(Report& report, const std::vector<FolderGroup>& groups) {
  std::vector<std::pair<std::string, std::vector<ReportCurve>>> panels;
  for (const FolderGroup& group : groups) {
    ReportCurve curve = curve_of_group(group);
    std::string panel;
    if (groups.size() > kCellsOfOneFigure) std::tie(panel, curve.label) = panel_and_curve(group.label);
    const auto found =
        std::find_if(panels.begin(), panels.end(), [&](const auto& p) { return p.first == panel; });
    auto& at = found == panels.end() ? panels.emplace_back(panel, std::vector<ReportCurve>{}) : *found;
    at.second.push_back(std::move(curve));
  }
  for (auto& [panel, curves] : panels)
    add_convergence(report, panel.empty() ? "Convergence" : "Convergence, " + panel, std::move(curves),
                    panels.size());
}

void add_picture(Report& report, const fs::path& file, const std::string& type) {
  if (std::string bytes = whole_file(file); !bytes.empty())
    report.pictures.push_back({file.filename().string(), type, std::move(bytes)});
}

/// The command that made a figure, if it was reproduced.
std::string made_by_command(const fs::path& folder) {
  const Json json = json_or_null(folder / "figure.json");
  const bool known = json.is_object() && json.contains("command") && json.at("command").is_string();
  return known ? json.at("command").get<std::string>() : std::string();
}

}  // namespace

Report report_of_run(const fs::path& folder, const std::string& label) {
  const Json result = result_in(folder);
  Report report;
  report.title = label;
  report.sentence = "Claros solved " + problem_words(result.at("versions")) + ". " + ending_words(result);
  add_convergence(report, "Convergence", {{label, {trace_in(folder)}}});
  add_solution(report, folder);
  report.bars.push_back(time_bars(result));
  if (result.contains("counts")) report.tables.push_back(counts_table(result.at("counts")));
  report.tables.push_back(versions_table(result));
  add_specification(report, folder, "claros run " + spec_word(folder) + " --out again");
  add_remarks(report, result);
  return report;
}

Report report_of_several(const std::vector<fs::path>& folders, const std::vector<std::string>& labels) {
  Report report;
  std::vector<FolderGroup> groups;
  for (std::size_t k = 0; k < folders.size(); ++k) {
    report.title += (k > 0 ? ", " : "") + labels[k];
    for (FolderGroup& group : groups_in(folders[k], labels[k], folders.size() > 1))
      groups.push_back(std::move(group));
  }
  if (groups.empty())
    throw Error(ErrorKind::data, folders.front().string(), "is a comparison in which no run has ended",
                "let claros compare finish");
  const std::vector<GroupResults> results = results_of(groups);
  report.sentence = comparison_words(results);
  add_curves(report, groups);
  report.results.push_back(runs_table(results));
  report.tables.push_back(versions_of(results));
  return report;
}

Report report_of_comparison(const fs::path& folder, const std::string& label) {
  Report report = report_of_several({folder}, {label});
  add_picture(report, folder / "figure.svg", "image/svg+xml");
  if (const std::string findings = whole_file(folder / "findings.md"); !findings.empty())
    report.texts.push_back({"Findings", findings});
  const std::string made_by = made_by_command(folder);
  const Json comparison =
      from_json_file(folder / "comparison.json", kAgain, [](const Json& json) { return json; });
  std::string command = "claros compare " + spec_word(folder);
  for (const Json& axis : comparison.at("varies")) {
    std::string values;
    for (const Json& value : axis.at("values"))
      values += (values.empty() ? "" : ",") + value.get<std::string>();
    command += " --vary " + shell_word(axis.at("name").get<std::string>() + "=" + values);
  }
  if (!made_by.empty()) return add_specification(report, folder, made_by), report;
  add_specification(report, folder,
                    command + fmt::format(" --repeat {} --out again", comparison.at("repeats").get<int>()));
  return report;
}

Report report_of(const std::vector<fs::path>& folders, const std::vector<std::string>& labels) {
  std::error_code code;
  std::vector<Complaint> complaints;
  for (const fs::path& folder : folders) {
    const bool path = holds_path(folder);
    if (path && folders.size() > 1)
      complaints.push_back(
          {folder.string(), "is the folder of a path, among others", "report one path at a time"});
    if (!path && !fs::exists(folder / "result.json", code) && !fs::exists(folder / "comparison.json", code))
      complaints.push_back({folder.string(), "holds neither result.json nor comparison.json",
                            "name a folder that claros run, compare, tune, path or reproduce wrote"});
  }
  if (!complaints.empty()) throw Error(ErrorKind::data, std::move(complaints));
  if (folders.size() > 1) return report_of_several(folders, labels);
  if (holds_path(folders.front())) return report_of_path(folders.front(), labels.front());
  if (fs::exists(folders.front() / "comparison.json", code))
    return report_of_comparison(folders.front(), labels.front());
  return report_of_run(folders.front(), labels.front());
}

}  // namespace claros::cli
