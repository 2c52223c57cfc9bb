// SPDX-License-Identifier: BSD-3-Clause
#include <claros/atomic_file.hpp>
#include <claros/trace_table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "axis_labels.hpp"
#include "command.hpp"
#include "experiment.hpp"
#include "gnuplot.hpp"
#include "grid_run.hpp"
#include "out_folder.hpp"
#include "plot_script.hpp"
#include "report.hpp"
#include "session.hpp"
#include "terminal.hpp"
#include "verdict.hpp"

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

/// The curve of one cell in one row.
Curve curve_of(const Experiment& e, const Comparison& grid, const fs::path& folder, std::size_t cell,
               const FigureRow& row) {
  std::vector<Series> series;
  for (const ComparisonRun& run : grid.runs) {
    if (run.cell != cell || run.folder.empty()) continue;
    const TraceTable trace = read_trace(folder / run.folder / "trace.csv");
    const auto *x = trace.find(e.x), *y = trace.find(row.column);
    if (x && y) series.push_back({*x, *y});
  }
  constexpr std::size_t kPoints = 60;  // enough for a small panel
  return {grid.cells[cell].values.back(), band(series, row.log, kPoints)};
}

FigureGrid figure_of(const Experiment& e, const Comparison& grid, const fs::path& folder) {
  FigureGrid figure{fmt::format("{} ({} seeds)", e.title, grid.repeats), {}};
  for (const FigureRow& row : e.rows) {
    auto& panels = figure.rows.emplace_back();
    for (std::size_t p = 0; p < e.panels.size(); ++p) {
      Figure& panel = panels.emplace_back();
      panel.log_y = row.log;
      if (&row == &e.rows.front()) panel.title = e.panels[p].label;
      if (&row == &e.rows.back()) panel.x_label = axis_label(e.x);
      if (p == 0) panel.y_label = row.label;
      for (std::size_t c = 0; c < e.curves.size(); ++c)
        panel.curves.push_back(curve_of(e, grid, folder, p * e.curves.size() + c, row));
      (void)keep_drawable(panel);
      std::erase_if(panel.curves, [](const Curve& curve) { return curve.band.x.empty(); });
    }
  }
  return figure;
}

/// The figures of a paper, or the one that was named.
std::vector<std::string> named(const std::string& word, const fs::path& papers) {
  std::vector<std::string> names;
  for (const std::string& name : experiment_names(papers))
    if (name == word || name.starts_with(word + '/')) names.push_back(name);
  return names.empty() ? std::vector<std::string>{word} : names;
}

std::string list_of(const fs::path& papers) {
  std::string text;
  for (const std::string& name : experiment_names(papers))
    text += fmt::format("{:<16}{}\n", name, read_experiment(papers, name).title);
  return text;
}

std::string command_line(const std::string& name, const Arguments& arguments) {
  std::string text = "claros reproduce " + name;
  for (std::size_t k = 1; k < arguments.words().size(); ++k) text += ' ' + arguments.words()[k];
  if (const auto seeds = arguments.get("seeds")) text += " --seeds " + *seeds;
  return text;
}

/// Runs one figure and says whether every finding of it stands or is open.
int reproduce_one(const std::string& name, const Arguments& arguments, const fs::path& papers,
                  const Catalog& catalog) {
  const Experiment e = read_experiment(papers, name);
  std::vector<Complaint> complaints;
  std::vector<std::string> assignments(arguments.words().begin() + 1, arguments.words().end());
  if (const auto seed = arguments.get("seed")) assignments.push_back("run.seed=" + *seed);
  Comparison grid = grid_of(e, assignments);
  if (arguments.has("seeds")) grid.repeats = count_option(arguments, "seeds", complaints);
  OutFolder folder(fs::path(arguments.get("out").value_or("reproduced")) / name, complaints,
                   Keeps::comparison);
  const GridOutcome outcome = run_grid(catalog, grid, &folder, arguments, std::move(complaints));
  if (outcome.unwritten) std::rethrow_exception(outcome.unwritten);
  if (outcome.interrupted) return kInterrupted;
  const Statistics statistics = statistics_of(e, grid, folder.path());
  const std::vector<Verdict> verdicts = verdicts_of(e, statistics);
  const std::string page = findings_page(e, grid, statistics, verdicts, command_line(name, arguments));
  write_atomically(folder.path() / "findings.md", page);
  write_atomically(folder.path() / "figure.svg",
                   draw(find_gnuplot(), grid_script(figure_of(e, grid, folder.path()), Picture::svg)));
  out().write(page);
  report("wrote " + (folder.path() / "figure.svg").string() + " and findings.md");
  const bool failed =
      std::any_of(verdicts.begin(), verdicts.end(), [](const Verdict& v) { return v.fails(); });
  return failed ? kVerdict : kDone;
}

}  // namespace

int reproduce(const Arguments& arguments) {
  const fs::path papers = arguments.has("papers") ? fs::path(*arguments.get("papers")) : papers_folder();
  if (arguments.words().empty()) return out().write(list_of(papers)), kDone;
  const Catalog catalog = open_catalog(arguments);
  (void)find_gnuplot();  // before hours of work
  int code = kDone;
  for (const std::string& name : named(arguments.words().front(), papers)) {
    code = std::max(code, reproduce_one(name, arguments, papers, catalog));
    if (code == kInterrupted) break;
  }
  return code;
}

}  // namespace claros::cli
