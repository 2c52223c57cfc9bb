// SPDX-License-Identifier: BSD-3-Clause
#include "plot/solution_view.hpp"

#include <claros/compose/spec.hpp>
#include <claros/error.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/io/matrix_file.hpp>
#include <claros/parameters.hpp>
#include <claros/results/prediction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <sstream>
#include <utility>

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

using ViewKind = SolutionView::Kind;

constexpr Index kFewBars = 40, kMostBars = 30, kMostPairs = 60, kMostEntries = 4'000'000;

double at(const DenseTable& table, Index i, Index j) {
  return table.values[static_cast<std::size_t>(j * table.rows + i)];
}

bool is_there(const fs::path& path) {
  std::error_code code;
  return fs::exists(path, code);
}

std::string arc(double from, double to) { return fmt::format("{:g} -> {:g}", from, to); }

/// The arcs of "1 2; 1 3", or of the rows of a file.
std::vector<std::string> arcs_written(const std::string& graph, const fs::path& base) {
  std::vector<std::string> names;
  if (graph.find(';') == graph.npos) {
    Context context;
    context.base = base;
    const DenseTable table = read_numbers(context.resolve(graph), context);
    for (Index i = 0; table.cols >= 2 && i < table.rows; ++i)
      names.push_back(arc(at(table, i, 0), at(table, i, 1)));
    return names;
  }
  std::istringstream arcs(graph);
  for (std::string text; std::getline(arcs, text, ';');) {
    std::ranges::replace(text, ',', ' ');
    std::istringstream ends(text);
    std::string from, to;
    if (ends >> from >> to) names.push_back(arc(parse_real(from), parse_real(to)));
  }
  return names;
}

/// "a -> b" of each arc, where the set of the run is a flow.
std::vector<std::string> arcs_of(const fs::path& folder) {
  const Spec spec = Spec::read(folder / "spec.ini");
  const auto use = spec.get("set", "use"), graph = spec.get("set", "graph");
  if (!use || use->value != "flow" || !graph) return {};
  try {
    return arcs_written(graph->value, folder);
  } catch (const Error&) {  // the file of the graph is gone: its arcs have numbers
    return {};
  }
}

/// The names of the entries of a vector, or of the rows of a matrix and then its columns; empty if there are
/// none.
std::vector<std::string> kept_names(const fs::path& folder, const Solution& solution) {
  if (has_linear_training(folder / "solution")) {
    const LinearTraining training = read_linear_training(folder / "solution");
    std::vector<std::string> names = training.columns;
    if (solution.cols() != 1 || names.empty()) return {};
    if (training.intercept) names.emplace_back("intercept");
    return names;
  }
  if (solution.cols() == 1) return arcs_of(folder);
  std::vector<std::string> rows = solution.training().rows.names, cols = solution.training().cols.names;
  if (rows.empty() || cols.empty()) return {};
  rows.insert(rows.end(), cols.begin(), cols.end());
  return rows;
}

DenseTable matrix_of(const Solution& solution) {
  DenseTable x{solution.rows(), solution.cols(), {}};
  x.values.reserve(static_cast<std::size_t>(x.rows * x.cols));
  for (Index j = 0; j < x.cols; ++j)
    for (Index i = 0; i < x.rows; ++i) x.values.push_back(solution.at(i, j));
  return x;
}

/// The column of the one in each row; nothing unless every row and column has one 1 and zeros.
std::optional<std::vector<Index>> permutation_of(const DenseTable& x) {
  constexpr double kNear = 1e-6;
  if (x.rows != x.cols || x.rows > kMostPairs) return std::nullopt;
  std::vector<Index> column(static_cast<std::size_t>(x.rows), -1);
  std::vector<bool> taken(column.size(), false);
  for (Index i = 0; i < x.rows; ++i)
    for (Index j = 0; j < x.cols; ++j) {
      if (std::abs(at(x, i, j)) <= kNear) continue;
      auto& mine = column[static_cast<std::size_t>(i)];
      if (std::abs(at(x, i, j) - 1.0) > kNear || mine >= 0 || taken[static_cast<std::size_t>(j)])
        return std::nullopt;
      mine = j;
      taken[static_cast<std::size_t>(j)] = true;
    }
  if (std::ranges::count(column, Index{-1}) > 0) return std::nullopt;
  return column;
}

/// The names that fit: as many as a vector has entries, or a matrix rows and columns together, or rows alone
/// if it is square.
std::vector<std::string> fitted(std::vector<std::string> names, const DenseTable& x, bool given) {
  const auto count = static_cast<Index>(names.size());
  if (x.cols == 1 ? count == x.rows : count == x.rows + x.cols) return names;
  if (x.cols != 1 && x.rows == x.cols && count == x.rows) {
    const std::vector<std::string> rows = names;
    names.insert(names.end(), rows.begin(), rows.end());
    return names;
  }
  if (given)
    throw Error(ErrorKind::data, "--names",
                fmt::format("expected {}, found {}",
                            x.cols == 1 ? fmt::format("{} names, one an entry", x.rows)
                                        : fmt::format("{} names, of the rows and then of the columns",
                                                      x.rows + x.cols),
                            count),
                "give a file with a name a line, or a table whose first line has the names");
  return {};
}

std::string default_label(const DenseTable& x, Index k) {
  return x.cols == 1  ? std::to_string(k + 1)
         : k < x.rows ? fmt::format("row {}", k + 1)
                      : fmt::format("column {}", k - x.rows + 1);
}

void keep_largest(SolutionView& view) {
  std::vector<std::size_t> order(view.values.values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (static_cast<Index>(order.size()) > kMostBars) {
    std::ranges::stable_sort(order, std::greater{},
                             [&](std::size_t k) { return std::abs(view.values.values[k]); });
    order.resize(static_cast<std::size_t>(kMostBars));
    while (order.size() > 1 && view.values.values[order.back()] == 0.0) order.pop_back();
    view.title += fmt::format(", the {} largest", order.size());
  }
  SolutionView kept{view.kind, view.title, {static_cast<Index>(order.size()), 1, {}}, {}};
  for (const std::size_t k : order)
    kept.values.values.push_back(view.values.values[k]), kept.labels.push_back(view.labels[k]);
  view = std::move(kept);
}

SolutionView view_of(DenseTable x, const std::string& name, std::vector<std::string> names) {
  const bool named = !names.empty();
  SolutionView view{ViewKind::map, {}, std::move(x), std::move(names)};
  const auto nonzero = std::ranges::count_if(view.values.values, [](double value) { return value != 0.0; });
  if (view.values.cols == 1) {
    view.title = fmt::format("{}, {} entries, {} of them not 0", name, view.values.rows, nonzero);
    view.kind = named || view.values.rows <= kFewBars ? ViewKind::bars : ViewKind::line;
  } else {
    view.title = fmt::format("{}, {} x {}", name, view.values.rows, view.values.cols);
    if (permutation_of(view.values)) view.kind = ViewKind::pairs;
  }
  if (!named && (view.kind == ViewKind::bars || view.kind == ViewKind::pairs))
    for (Index k = 0; k < view.values.rows + (view.values.cols == 1 ? 0 : view.values.cols); ++k)
      view.labels.push_back(default_label(view.values, k));
  if (view.kind == ViewKind::bars) keep_largest(view);
  return view;
}

std::string block(const SolutionView& view) {
  std::string text = "$x << EOD\n";
  for (Index i = 0; i < view.values.rows; ++i)
    for (Index j = 0; j < view.values.cols; ++j)
      text += fmt::format("{:.9g}{}", at(view.values, i, j), j + 1 < view.values.cols ? ' ' : '\n');
  return text + "EOD\n";
}

std::pair<double, double> range_of(const DenseTable& x) {
  const auto [low, high] = std::ranges::minmax(x.values);
  return {low, high > low ? high : low + 1.0};
}

std::string bar_tics(const SolutionView& view) {
  std::string tics;
  for (std::size_t k = 0; k < view.labels.size(); ++k)
    tics += fmt::format("{}{} {}", k ? ", " : "", gnuplot_text(view.labels[k]), k);
  return fmt::format("set ytics ({}) noenhanced\nset yrange [{}.5:-0.5]\n", tics,
                     static_cast<Index>(view.labels.size()) - 1);
}

/// Grey from 0 on; for both signs blue, white and red.
std::string map_look(const SolutionView& view) {
  const auto [low, high] = range_of(view.values);
  const double most = std::max(std::abs(low), std::abs(high));
  const bool signs = low < -1e-3 * most && high > 1e-3 * most && low < -0.1 * high;
  return signs ? fmt::format(
                     "set palette defined (-1 '#0072B2', 0 '#ffffff', 1 '#D55E00')\nset cbrange "
                     "[{:.9g}:{:.9g}]\n",
                     -most, most)
               : fmt::format("set palette gray\nset cbrange [{:.9g}:{:.9g}]\n", low, high);
}

/// A picture within SVG is smoothed by browsers; rectangles are not, and are few enough in a small map.
std::string map_lines(const SolutionView& view) {
  constexpr std::size_t kMostRectangles = 20'000;
  return map_look(view) +
         fmt::format(
             "set xrange [0.5:{0}.5] noextend\nset yrange [{1}.5:0.5] noextend\nset size ratio {2:.9g}\n"
             "plot $x matrix using ($1+1):($2+1):3 with image {3}notitle\n",
             view.values.cols, view.values.rows,
             std::clamp(static_cast<double>(view.values.rows) / static_cast<double>(view.values.cols), 0.1,
                        10.0),
             view.values.values.size() <= kMostRectangles ? "pixels " : "");
}

/// The columns of a picture of `width` characters, each of which is about twice as high as it is wide.
std::string map_text(const DenseTable& x, std::size_t width) {
  constexpr std::string_view kLevels = " .:-=+*#%@";
  const auto [low, high] = range_of(x);
  const Index cols = std::min<Index>(x.cols, static_cast<Index>(width)),
              rows = std::max<Index>(1, x.rows * cols / (2 * x.cols));
  std::string text;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < cols; ++c) {
      double sum = 0.0;
      Index count = 0;
      for (Index i = r * x.rows / rows; i < (r + 1) * x.rows / rows; ++i)
        for (Index j = c * x.cols / cols; j < (c + 1) * x.cols / cols; ++j) sum += at(x, i, j), ++count;
      const double level = (sum / static_cast<double>(count) - low) / (high - low);
      text += kLevels[static_cast<std::size_t>(std::clamp(level * 10.0, 0.0, 9.0))];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text + fmt::format("' ' is {:.3g}, '@' is {:.3g}\n", low, high);
}

std::string numbers_text(const DenseTable& x) {
  std::string text;
  for (Index i = 0; i < x.rows; ++i) {
    for (Index j = 0; j < x.cols; ++j) text += fmt::format("{:>10.3g}", at(x, i, j));
    text += '\n';
  }
  return text;
}

std::string bars_text(const SolutionView& view, std::size_t width) {
  std::size_t label = 0;
  double most = 0.0;
  for (const std::string& text : view.labels) label = std::max(label, text.size());
  for (const double value : view.values.values) most = std::max(most, std::abs(value));
  const auto room = static_cast<double>(width > label + 30 ? width - label - 15 : 15);
  std::string text;
  for (std::size_t k = 0; k < view.labels.size(); ++k) {
    const double value = view.values.values[k];
    const auto length = most > 0.0 ? static_cast<std::size_t>(std::lround(room * std::abs(value) / most)) : 0;
    text += fmt::format("{:<{}} {:>12.5g} {}\n", view.labels[k], label, value,
                        std::string(length, value < 0.0 ? '-' : '#'));
    if (length == 0) text.replace(text.size() - 2, 2, "\n");
  }
  return text;
}

std::string pairs_text(const SolutionView& view) {
  const auto column = *permutation_of(view.values);
  std::string text;
  for (std::size_t i = 0; i < column.size(); ++i)
    text +=
        view.labels[i] + " -> " + view.labels[static_cast<std::size_t>(view.values.rows + column[i])] + '\n';
  return text;
}

/// A curve as a map of marks: rows from the largest value down.
std::string line_text(const DenseTable& x, std::size_t width) {
  constexpr Index kRows = 20;
  const auto [low, high] = range_of(x);
  const Index cols = std::min<Index>(x.rows, static_cast<Index>(width) - 12);
  std::vector<std::string> page(kRows, std::string(static_cast<std::size_t>(cols), ' '));
  for (Index k = 0; k < x.rows; ++k) {
    const double share = (x.values[static_cast<std::size_t>(k)] - low) / (high - low);
    const auto row = static_cast<std::size_t>(std::lround((1.0 - share) * (kRows - 1)));
    page[row][static_cast<std::size_t>(k * cols / x.rows)] = '*';
  }
  std::string text;
  for (std::size_t r = 0; r < page.size(); ++r) {
    text += fmt::format("{:>10} |{}",
                        r == 0                 ? fmt::format("{:.4g}", high)
                        : r + 1 == page.size() ? fmt::format("{:.4g}", low)
                                               : "",
                        page[r]);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace

SolutionView solution_view(const fs::path& folder, const std::vector<std::string>& names, bool factors) {
  const Solution solution = Solution::read(folder);
  const fs::path at = folder / "solution";
  const bool low_rank = is_there(at / "s.mtx");
  if (factors && !low_rank)
    throw Error(ErrorKind::usage, "--factors", "the solution is not held in factors", "leave it out");
  if (low_rank && (factors || solution.rows() * solution.cols() > kMostEntries)) {
    DenseTable s = read_matrix_market_array(at / "s.mtx");
    return view_of(std::move(s),
                   fmt::format("singular values of a {} x {} solution", solution.rows(), solution.cols()),
                   {});
  }
  const bool root = is_there(at / "vector.mtx");
  DenseTable x = root ? read_matrix_market_array(at / "vector.mtx") : matrix_of(solution);
  std::vector<std::string> kept = names.empty() && !root ? kept_names(folder, solution) : names;
  kept = fitted(std::move(kept), x, !names.empty());
  return view_of(std::move(x), root ? "x of the solution X = x x'" : "solution", std::move(kept));
}

std::string solution_script(const SolutionView& view, const std::string& title, Picture picture) {
  std::string script = plot_terminal(picture, 0, view.kind == ViewKind::line, 1) +
                       "set format '%g'\nunset key\n" + "set title " +
                       gnuplot_text(title.empty() ? view.title : title) + " noenhanced\n" + block(view);
  if (view.kind == ViewKind::map || view.kind == ViewKind::pairs) return script + map_lines(view);
  const std::string colour = fmt::format("lc rgb '{}'", curve_colour(0));
  if (view.kind == ViewKind::line)
    return script + "set xlabel 'index'\nset autoscale xfix\nplot $x using ($0+1):1 with lines lw 2 " +
           colour + '\n';
  return script + bar_tics(view) +
         "set style fill solid\n"
         "plot $x using ($1/2):0:(abs($1)/2):(0.4) with boxxyerror " +
         colour + '\n';
}

std::string solution_text(const SolutionView& view, const std::string& title, std::size_t width) {
  constexpr Index kMostRows = 30;
  const std::string head = (title.empty() ? view.title : title) + '\n';
  if (view.kind == ViewKind::pairs) return head + pairs_text(view);
  if (view.kind == ViewKind::bars) return head + bars_text(view, width);
  if (view.kind == ViewKind::line) return head + line_text(view.values, width);
  const bool small = view.values.rows <= kMostRows && 10 * view.values.cols <= static_cast<Index>(width);
  return head + (small ? numbers_text(view.values) : map_text(view.values, width));
}

}  // namespace claros::cli
