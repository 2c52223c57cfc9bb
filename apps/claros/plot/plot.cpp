// SPDX-License-Identifier: BSD-3-Clause
#include <claros/grids/comparison.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/results/run_identity.hpp>
#include <claros/results/trace_table.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <sstream>

#include "cli/messages.hpp"
#include "cli/terminal.hpp"
#include "plot/axis_labels.hpp"
#include "plot/commands.hpp"
#include "plot/gnuplot.hpp"
#include "plot/plot_path.hpp"
#include "plot/plot_script.hpp"
#include "plot/plot_solution.hpp"

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

struct Drawing {
  std::string x, y;
  std::optional<fs::path> file;
  Picture picture = Picture::terminal;
  bool terminal = false;
  Figure figure;
};

Drawing drawing_of(const Arguments& arguments) {
  std::vector<Complaint> complaints = arguments.unfit();
  Drawing drawing;
  drawing.x = arguments.get("x").value_or("passes");
  drawing.y = arguments.get("y").value_or("gap");
  const std::string log =
      arguments.get("log").value_or(drawing.y == "gap" || drawing.y == "residual" ? "y" : "none");
  if (const auto file = arguments.get("out")) {
    drawing.file = *file;
    const std::string ending = drawing.file->extension().string();
    if (ending != ".svg" && ending != ".png" && ending != ".pdf")
      complaints.push_back({"--out " + *file, "expected a name that ends in .svg, .png or .pdf",
                            "the ending chooses the format"});
    drawing.picture = ending == ".svg" ? Picture::svg : ending == ".pdf" ? Picture::pdf : Picture::png;
  }
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
  drawing.terminal = arguments.has("terminal") || !drawing.file;
  drawing.figure.log_x = log.starts_with('x');
  drawing.figure.log_y = log.ends_with('y');
  drawing.figure.title = arguments.get("title").value_or("");
  drawing.figure.x_label = axis_label(drawing.x);
  drawing.figure.y_label = axis_label(drawing.y);
  return drawing;
}

/// Each cell of a comparison, and each single run, is one curve.
std::vector<FolderGroup> curves_of(const fs::path& folder, const std::string& label, bool several) {
  std::error_code code;
  if (fs::exists(folder / "comparison.json", code)) {
    std::vector<FolderGroup> groups = read_comparison(folder);
    for (FolderGroup& group : groups)
      if (several) group.label = label + ": " + group.label;
    if (groups.empty())
      throw Error(ErrorKind::data, folder.string(), "is a comparison in which no run has ended",
                  "let claros compare finish");
    return groups;
  }
  if (!fs::exists(folder / "trace.csv", code) && !fs::exists(folder / "spec.ini", code))
    throw Error(ErrorKind::data, folder.string(), "holds neither trace.csv nor comparison.json",
                "name a folder that claros run --out or claros compare --out wrote");
  return {{label, {folder}}};
}

const std::vector<double>& column(const TraceTable& trace, const std::string& name, const std::string& option,
                                  const fs::path& file) {
  if (const auto* found = trace.find(name)) return *found;
  std::string remedy = did_you_mean(name, trace.names);
  if (remedy.empty()) {
    remedy = "its columns are";
    for (const std::string& known : trace.names) remedy += ' ' + known;
  }
  throw Error(ErrorKind::usage, option, "'" + name + "' is not a column of " + file.string(), remedy);
}

Curve read_curve(const FolderGroup& group, const Drawing& drawing) {
  std::vector<Series> series;
  for (const fs::path& folder : group.folders) {
    const fs::path file = folder / "trace.csv";
    RunIdentity::read(folder).require(folder, "trace.csv");
    const TraceTable trace = read_trace(file);
    series.push_back({column(trace, drawing.x, "--x", file), column(trace, drawing.y, "--y", file)});
  }
  return {group.label, band(series, drawing.figure.log_y)};
}

void collect(Drawing& drawing, const std::vector<std::string>& folders) {
  const std::vector<std::string> labels = folder_labels(folders);
  for (std::size_t k = 0; k < folders.size(); ++k)
    for (const FolderGroup& group : curves_of(folders[k], labels[k], folders.size() > 1))
      drawing.figure.curves.push_back(read_curve(group, drawing));
  const std::size_t dropped = keep_drawable(drawing.figure);
  if (dropped > 0)
    report("note: " + std::to_string(dropped) +
           " points are infinite, or not positive on a logarithmic axis, and not drawn");
  for (const Curve& curve : drawing.figure.curves)
    if (curve.band.x.empty())
      report("note: " + curve.label + " holds no " + drawing.y + " to draw over " + drawing.x +
             (curve.band.members > 1 ? ", in the range that all of its runs cover" : ""));
  std::erase_if(drawing.figure.curves, [](const Curve& curve) { return curve.band.x.empty(); });
  if (drawing.figure.curves.empty())
    throw Error(ErrorKind::data, "plot", "no point has both " + drawing.x + " and " + drawing.y,
                drawing.y == "gap" ? "draw --y residual or --y value" : "draw another column, or --log none");
}

/// gnuplot leads its characters with a form feed and fills lines with blanks.
std::string trimmed_page(const std::string& page) {
  std::istringstream lines(page);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    std::erase(line, '\f');
    line.erase(line.find_last_not_of(' ') + 1);
    if (!line.empty() || !result.empty()) result += line + '\n';
  }
  return result;
}

}  // namespace

namespace {

/// Writes and shows what `script` draws.
void show(const Drawing& drawing, const fs::path& gnuplot,
          const std::function<std::string(Picture, std::size_t width)>& script) {
  if (drawing.file) write_atomically(*drawing.file, draw(gnuplot, script(drawing.picture, 0)));
  if (drawing.terminal) out().write(trimmed_page(draw(gnuplot, script(Picture::terminal, out().width()))));
}

int plot_path(const Drawing& drawing, const fs::path& gnuplot, const Arguments& arguments) {
  if (arguments.words().size() > 1)
    throw Error(ErrorKind::usage, arguments.words()[1], "is a second folder, after that of a path",
                "draw one path at a time");
  for (const char* of_traces : {"x", "log"})
    if (arguments.has(of_traces))
      throw Error(ErrorKind::usage, std::string("--") + of_traces,
                  "applies to traces of runs; a path is drawn over its lambdas, on a logarithmic axis",
                  "remove it");
  const KeptPath path = read_path(arguments.words().front());
  show(drawing, gnuplot, [&](Picture picture, std::size_t width) {
    return path_script(path, arguments.get("y").value_or("coefficients"), drawing.figure.title, picture,
                       width);
  });
  return kDone;
}

}  // namespace

int plot_command(const Arguments& arguments) {
  if (draws_solution(arguments)) return plot_solution(arguments);
  Drawing drawing = drawing_of(arguments);
  const fs::path gnuplot = find_gnuplot();
  const auto is_path = [](const std::string& folder) { return holds_path(folder); };
  if (const auto& words = arguments.words(); std::any_of(words.begin(), words.end(), is_path))
    return plot_path(drawing, gnuplot, arguments);
  collect(drawing, arguments.words());
  show(drawing, gnuplot,
       [&](Picture picture, std::size_t width) { return plot_script(drawing.figure, picture, width); });
  return kDone;
}

}  // namespace claros::cli
