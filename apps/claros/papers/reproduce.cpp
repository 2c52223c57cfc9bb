// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/atomic_file.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/results/prediction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "cli/installed_files.hpp"
#include "cli/messages.hpp"
#include "cli/out_folder.hpp"
#include "cli/session.hpp"
#include "cli/terminal.hpp"
#include "grid/grid_run.hpp"
#include "papers/commands.hpp"
#include "papers/experiment_grids.hpp"
#include "papers/figure_numbers.hpp"
#include "papers/figure_record.hpp"
#include "papers/findings_page.hpp"
#include "papers/verdict.hpp"
#include "plot/axis_labels.hpp"
#include "plot/gnuplot.hpp"
#include "plot/plot_script.hpp"
#include "report/page.hpp"
#include "report/read_report.hpp"

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

/// A label as wide as a panel: the words in brackets in the label of a column are left out.
std::string x_label(const Experiment& e, const FigureRow& row) {
  if (!row.x_label.empty()) return row.x_label;
  const std::string label = axis_label(e.x_of(row));
  return label.substr(0, label.find(" ("));
}

/// Its place among the paper's methods: one method, one colour, in every figure.
std::size_t look_of(const Experiment& e, std::size_t curve) {
  const std::string label = e.curves[curve].label.substr(0, e.curves[curve].label.find(" but "));
  const auto at = std::find(e.methods.begin(), e.methods.end(), label);
  return at == e.methods.end() ? curve : static_cast<std::size_t>(at - e.methods.begin());
}

/// The curve of one cell in one row.
Curve curve_of(const Measured& measured, std::size_t cell, const FigureRow& row) {
  std::vector<Series> series;
  for (const ComparisonRun& run : measured.grid().runs)
    if (run.cell == cell) series.push_back(measured.series(run, row));
  constexpr std::size_t kPoints = 60;  // enough for a small panel
  const Experiment& e = measured.experiment();
  return {measured.grid().cells[cell].values.back(), band(series, row.log, kPoints),
          look_of(e, cell % e.curves.size())};
}

FigureGrid figure_of(const Measured& measured) {
  const Experiment& e = measured.experiment();
  const Index seeds = measured.grid().repeats;
  FigureGrid figure{fmt::format("{} ({} seed{})", e.title, seeds, seeds == 1 ? "" : "s"), {}};
  std::vector<FigureRow> rows;
  std::copy_if(e.rows.begin(), e.rows.end(), std::back_inserter(rows),
               [](const FigureRow& row) { return row.drawn; });
  for (const FigureRow& row : rows) {
    auto& panels = figure.rows.emplace_back();
    for (std::size_t p = 0; p < e.panels.size(); ++p) {
      Figure& panel = panels.emplace_back();
      panel.log_x = row.log_x;
      panel.log_y = row.log;
      if (&row == &rows.front()) panel.title = e.panels[p].label;
      const bool last = &row == &rows.back();
      if (last || x_label(e, row) != x_label(e, *(&row + 1))) panel.x_label = x_label(e, row);
      if (p == 0) panel.y_label = row.label;
      for (std::size_t c = 0; c < e.curves.size(); ++c)
        if (e.curves[c].drawn) panel.curves.push_back(curve_of(measured, p * e.curves.size() + c, row));
      if (!row.level.empty()) panel.level = {row.level, row.in(e.panels[p]).floor};
      if (const Quartiles level = quartiles(measured.of_references(p, &ReferencePoint::precision));
          row.precision && level.median > 0.0)
        panel.level = {"||x^ - x*||^2", level.median};
      (void)keep_drawable(panel);
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
  const std::vector<std::string> names = experiment_names(papers);
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size() + 2);
  for (const std::string& name : names) {
    Experiment experiment = read_experiment(papers, name);
    label_by_settings(experiment, {});
    text += fmt::format("{:<{}}{}\n", name, width, experiment.title);
  }
  return text;
}

/// The words behind the name; with --all there is none.
std::vector<std::string> assignments_of(const Arguments& arguments) {
  const auto& words = arguments.words();
  return {words.begin() + (arguments.has("all") ? 0 : 1), words.end()};
}

std::string command_line(const std::string& name, const Arguments& arguments) {
  std::string text = "claros reproduce " + name;
  for (const std::string& word : assignments_of(arguments)) text += ' ' + word;
  if (const auto seeds = arguments.get("seeds")) text += " --seeds " + *seeds;
  return text + (arguments.has("small") ? " --small" : "");
}

/// The three grids of a figure, each in a folder of its own: what is tuned, the references, the curves.
class Reproduction {
 public:
  Reproduction(const Experiment& experiment, const Arguments& arguments, const Catalog& catalog)
      : experiment_(experiment),
        arguments_(arguments),
        catalog_(catalog),
        place_(fs::path(arguments.get("out").value_or("reproduced")) / experiment.name),
        assignments_(arguments.has("small") ? experiment.small.set : std::vector<std::string>{}) {
    if (arguments.has("small")) experiment_.seeds = experiment.small.seeds;
    for (std::string& word : assignments_of(arguments)) assignments_.push_back(std::move(word));
    if (const auto seed = arguments.get("seed")) assignments_.push_back("run.seed=" + *seed);
    if (arguments.has("seeds")) experiment_.seeds = count_option(arguments, "seeds", complaints_);
    label_by_settings(experiment_, assignments_);
    if (arguments.has("small")) experiment_.title += " (small version)", experiment_.findings.clear();
  }

  /// Exit code kDone, kVerdict or kInterrupted. `alone`: the page is printed, not a line.
  int operator()(const std::string& command, bool alone) {
    Comparison tuning = tuning_grid(experiment_, assignments_);
    if (!run(tuning, "runs that tune", place_.string() + "-tuning")) return kInterrupted;
    TunedCurves tuned(experiment_, tuning, place_.string() + "-tuning",
                      place_.string() + "-tuning/unsound.json");
    Minima minima;
    if (experiment_.reference) {
      Comparison grid = reference_grid(experiment_, assignments_, tuned.choices());
      if (!run(grid, "reference runs", place_.string() + "-reference")) return kInterrupted;
      minima = minima_of(grid, place_.string() + "-reference");
      if (experiment_.asks_distance()) write_points(grid);
    }
    Comparison curves;
    do {
      curves = curve_grid(experiment_, assignments_, tuned.choices());
      if (experiment_.asks_distance()) measure_from_points(curves);
      if (!run(curves, "curves", place_)) return kInterrupted;
    } while (!arguments_.has("redraw") && tuned.replaced(curves, place_));
    return write({experiment_, curves, place_, std::move(minima)}, tuned.choices(), command, alone);
  }

 private:
  /// False when the user interrupted it.
  bool run(Comparison& grid, const char* what, const fs::path& path) {
    if (grid.cells.empty()) return true;
    if (!arguments_.has("quiet")) report(fmt::format("{}: {}", experiment_.name, what));
    OutFolder folder(path, complaints_, Keeps::comparison);
    KeptRuns kept(catalog_, arguments_.has("redraw"));
    const GridOutcome outcome = run_grid(catalog_, grid, &folder, arguments_, std::move(complaints_), &kept);
    record_.add(grid, path, kept.parts());
    complaints_.clear();
    if (outcome.unwritten) std::rethrow_exception(outcome.unwritten);
    return !outcome.interrupted;
  }

  /// The points of a panel: POINTS/panel1/0.mtx for seed 0.
  fs::path points(std::size_t panel) const {
    return fs::absolute(place_.string() + "-reference") / "points" / ("panel" + std::to_string(panel + 1));
  }

  /// The solutions of the references as arrays, which a trace can be measured from.
  void write_points(const Comparison& references) const {
    for (const ComparisonRun& run : references.runs) {
      if (run.folder.empty()) continue;
      const Solution solution = Solution::read(place_.string() + "-reference/" + run.folder);
      DenseTable table{solution.rows(), solution.cols(), {}};
      for (Index j = 0; j < solution.cols(); ++j)
        for (Index i = 0; i < solution.rows(); ++i) table.values.push_back(solution.at(i, j));
      fs::create_directories(points(run.cell));
      write_matrix_market(points(run.cell) / (std::to_string(run.seed) + ".mtx"), table);
    }
  }
  void measure_from_points(Comparison& curves) const {
    for (std::size_t k = 0; k < curves.cells.size(); ++k)
      for (Index repeat = 0; repeat < curves.repeats; ++repeat)
        curves.cells[k].by_seed["trace.truth"].push_back(
            points(k / experiment_.curves.size()) / (std::to_string(curves.cells[k].seed + repeat) + ".mtx"));
  }

  int write(const Measured& measured, const Choices& choices, const std::string& command, bool alone) {
    const Statistics statistics = statistics_of(measured);
    const std::vector<Verdict> verdicts = verdicts_of(measured, statistics);
    const std::string page = findings_page(measured, statistics, choices, verdicts, command);
    write_atomically(place_ / "findings.md", page);
    write_atomically(place_ / "numbers.json", figure_numbers(measured, statistics, choices, verdicts));
    write_atomically(place_ / "figure.json", record_.text(experiment_.name, command));
    write_atomically(place_ / "figure.svg",
                     draw(find_gnuplot(), grid_script(figure_of(measured), Picture::svg)));
    Report told = report_of_comparison(place_, experiment_.name + ": " + experiment_.title);
    write_atomically(place_ / "report.html", cli::page(told));
    const auto fails = std::ranges::count_if(verdicts, &Verdict::fails);
    if (!arguments_.has("quiet")) {
      const std::string counts =
          verdicts.empty()
              ? std::string()
              : fmt::format("{} of {} findings hold, {} fail: ",
                            std::ranges::count_if(verdicts, &Verdict::holds), verdicts.size(), fails);
      out().write(alone ? page : experiment_.name + ": " + counts + (place_ / "findings.md").string() + '\n');
      if (alone) report("wrote " + (place_ / "figure.svg").string() + ", findings.md and report.html");
    }
    return fails > 0 ? kVerdict : kDone;
  }

  Experiment experiment_;
  const Arguments& arguments_;
  const Catalog& catalog_;
  fs::path place_;
  std::vector<std::string> assignments_;
  std::vector<Complaint> complaints_;
  FigureRecord record_;
};

/// Tells whether the user has not given the data of a figure; among several figures such a one is left out.
bool lacks_data(const Experiment& e, const Arguments& arguments) {
  const std::vector<std::string> words = assignments_of(arguments);
  if (e.needs.empty() || std::any_of(words.begin(), words.end(), [](const std::string& word) {
        return word.starts_with("objective.data=");
      }))
    return false;
  report(fmt::format("{}: left out: it needs {}. Make it by `claros reproduce {} objective.data=FILE`",
                     e.name, e.needs, e.name));
  return true;
}

}  // namespace

int reproduce_command(const Arguments& arguments) {
  const fs::path papers = arguments.has("papers") ? fs::path(*arguments.get("papers")) : papers_folder();
  const bool all = arguments.has("all");
  if (!all && arguments.words().empty()) return out().write(list_of(papers)), kDone;
  const Catalog catalog = open_catalog(arguments);
  (void)find_gnuplot();  // before hours of work
  int code = kDone;
  std::vector<std::string> missed;
  const std::vector<std::string> names =
      all ? experiment_names(papers) : named(arguments.words().front(), papers);
  for (const std::string& name : names) try {
      const Experiment experiment = read_experiment(papers, name);
      if (names.size() > 1 && lacks_data(experiment, arguments)) continue;
      Reproduction reproduction(experiment, arguments, catalog);
      code = std::max(code, reproduction(command_line(name, arguments), names.size() == 1));
      if (code == kInterrupted) break;
    } catch (const Error& error) {
      if (names.size() == 1) throw;
      report(error);  // a figure whose data is missing does not keep the others from being made
      code = std::max(code, exit_code(error.kind()));
      missed.push_back(name);
    }
  if (!missed.empty()) report("not made, for the errors above: " + joined(missed, ", "));
  return code;
}

}  // namespace claros::cli
