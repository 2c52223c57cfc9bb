// SPDX-License-Identifier: BSD-3-Clause
#include "report/solution_figures.hpp"

#include <claros/io/linear_training.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/results/prediction.hpp>
#include <claros/results/run_identity.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plot/solution_view.hpp"

namespace claros::cli {

namespace {

constexpr std::size_t kShownBars = 40, kMapCells = 120;
constexpr double kLargestMap = 1e7;  // entries that are read for their means

/// Block b of `blocks` equal ones of `size`.
std::pair<std::size_t, std::size_t> block_of(std::size_t b, std::size_t blocks, std::size_t size) {
  return {b * size / blocks, (b + 1) * size / blocks};
}

ReportMap empty_map(std::size_t rows, std::size_t cols) {
  ReportMap map{
      "The solution as a map", std::min(rows, kMapCells), std::min(cols, kMapCells), rows, cols, {}};
  map.values.assign(map.rows * map.cols, 0.0);
  return map;
}

/// The means of every column of `factor` over `blocks` blocks of rows.
std::vector<double> factor_means(const DenseTable& factor, std::size_t blocks) {
  const auto rows = static_cast<std::size_t>(factor.rows), cols = static_cast<std::size_t>(factor.cols);
  std::vector<double> means(blocks * cols, 0.0);
  for (std::size_t k = 0; k < cols; ++k)
    for (std::size_t b = 0; b < blocks; ++b) {
      const auto [from, to] = block_of(b, blocks, rows);
      for (std::size_t i = from; i < to; ++i) means[b * cols + k] += factor.values[k * rows + i];
      means[b * cols + k] /= static_cast<double>(to - from);
    }
  return means;
}

/// The mean of U diag(s) V' over a block is the product of means of the factors.
ReportMap map_of_factors(const DenseTable& left, const DenseTable& weights, const DenseTable& right) {
  ReportMap map = empty_map(static_cast<std::size_t>(left.rows), static_cast<std::size_t>(right.rows));
  const std::vector<double> u = factor_means(left, map.rows), v = factor_means(right, map.cols);
  const auto rank = weights.values.size();
  for (std::size_t i = 0; i < map.rows; ++i)
    for (std::size_t j = 0; j < map.cols; ++j)
      for (std::size_t k = 0; k < rank; ++k)
        map.values[i * map.cols + j] += u[i * rank + k] * weights.values[k] * v[j * rank + k];
  return map;
}

ReportMap map_of_entries(const Solution& x) {
  ReportMap map = empty_map(static_cast<std::size_t>(x.rows()), static_cast<std::size_t>(x.cols()));
  for (std::size_t a = 0; a < map.rows; ++a)
    for (std::size_t b = 0; b < map.cols; ++b) {
      const auto [i0, i1] = block_of(a, map.rows, map.whole_rows);
      const auto [j0, j1] = block_of(b, map.cols, map.whole_cols);
      double sum = 0.0;
      for (std::size_t i = i0; i < i1; ++i)
        for (std::size_t j = j0; j < j1; ++j) sum += x.at(static_cast<Index>(i), static_cast<Index>(j));
      map.values[a * map.cols + b] = sum / static_cast<double>((i1 - i0) * (j1 - j0));
    }
  return map;
}

/// The largest coefficients with their names. Intercepts have another unit: one is named beside the bars.
ReportBars coefficient_bars(const Solution& x, const std::vector<std::string>& names, Index intercepts) {
  const auto size = static_cast<std::size_t>(x.rows() - intercepts);
  std::vector<std::size_t> order(size);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto value = [&](std::size_t k) { return x.at(static_cast<Index>(k), 0); };
  std::erase_if(order, [&](std::size_t k) { return value(k) == 0.0; });
  const std::size_t support = order.size();
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(value(a)) > std::abs(value(b)); });
  order.resize(std::min(order.size(), kShownBars));
  ReportBars bars{
      "The solution: its coefficients",
      "",
      fmt::format("{} of {} are not 0{}{}", support, size,
                  support > kShownBars ? fmt::format("; the {} largest are shown", kShownBars) : "",
                  intercepts == 1 ? fmt::format("; the intercept is {:.4g}", value(size)) : ""),
      {}};
  for (const std::size_t k : order)
    bars.bars.push_back({k < names.size() ? names[k] : fmt::format("column {}", k + 1), value(k)});
  return bars;
}

ReportBars singular_values(const std::vector<double>& weights) {
  ReportBars bars{"The solution: its singular values", "", fmt::format("rank {}", weights.size()), {}};
  for (std::size_t k = 0; k < std::min(weights.size(), kShownBars); ++k)
    bars.bars.push_back({fmt::format("singular value {}", k + 1), weights[k]});
  return bars;
}

/// A permutation as lines from rows to columns.
ReportGraph graph_of_pairs(const SolutionView& view) {
  const auto size = static_cast<std::size_t>(view.values.rows);
  ReportGraph graph{"The solution: which row takes which column", "", {}, {}, true};
  const auto down = [&](std::size_t k) {
    return size > 1 ? static_cast<double>(k) / static_cast<double>(size - 1) : 0.5;
  };
  for (std::size_t k = 0; k < 2 * size; ++k)
    graph.nodes.push_back({view.labels[k], k < size ? 0.0 : 1.0, down(k % size)});
  for (std::size_t i = 0; i < size; ++i)
    graph.arcs.push_back({i, size + static_cast<std::size_t>(view.column[i]), 1.0});
  return graph;
}

/// Nodes in columns by the number of arcs to them from one that no arc enters.
void place_in_columns(ReportGraph& graph) {
  std::vector<std::size_t> column(graph.nodes.size(), graph.nodes.size());
  for (std::size_t n = 0; n < column.size(); ++n)
    if (std::none_of(graph.arcs.begin(), graph.arcs.end(), [&](const auto& arc) { return arc.to == n; }))
      column[n] = 0;
  if (std::all_of(column.begin(), column.end(), [&](std::size_t c) { return c > 0; })) column[0] = 0;
  for (std::size_t round = 0; round < column.size(); ++round)
    for (const ReportGraph::Arc& arc : graph.arcs)
      column[arc.to] = std::min(column[arc.to], column[arc.from] + 1);
  std::size_t last = 1;
  for (std::size_t& c : column) c = c > column.size() ? 0 : c, last = std::max(last, c);
  for (std::size_t n = 0; n < column.size(); ++n) {
    const auto same = static_cast<std::size_t>(std::count(column.begin(), column.end(), column[n]));
    const auto before = static_cast<std::size_t>(
        std::count(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(n), column[n]));
    graph.nodes[n].x = static_cast<double>(column[n]) / static_cast<double>(last);
    graph.nodes[n].y = (static_cast<double>(before) + 0.5) / static_cast<double>(same);
  }
}

/// A flow, whose entries have the names "a -> b" of its arcs.
bool is_flow(const SolutionView& view) {
  return view.kind == SolutionView::Kind::bars && !view.labels.empty() &&
         std::all_of(view.labels.begin(), view.labels.end(),
                     [](const std::string& label) { return label.find(" -> ") != label.npos; });
}

ReportGraph graph_of_flow(const SolutionView& view) {
  ReportGraph graph{
      "The solution: its flow", "Lines are as wide as their flow; grey arcs have none.", {}, {}};
  const auto node = [&](const std::string& label) {
    for (std::size_t n = 0; n < graph.nodes.size(); ++n)
      if (graph.nodes[n].label == label) return n;
    graph.nodes.push_back({label});
    return graph.nodes.size() - 1;
  };
  for (std::size_t k = 0; k < view.labels.size(); ++k) {
    const auto arrow = view.labels[k].find(" -> ");
    const std::size_t from = node(view.labels[k].substr(0, arrow)),
                      to = node(view.labels[k].substr(arrow + 4));
    graph.arcs.push_back({from, to, view.values.values[k]});
  }
  place_in_columns(graph);
  return graph;
}

/// Adds solutions that are better seen as a graph than as numbers.
void add_graph(Report& report, const SolutionView& view) {
  constexpr std::size_t kMostArcs = 100;
  if (view.kind == SolutionView::Kind::pairs) report.graphs.push_back(graph_of_pairs(view));
  if (is_flow(view) && view.labels.size() <= kMostArcs) report.graphs.push_back(graph_of_flow(view));
}

}  // namespace

void add_solution(Report& report, const std::filesystem::path& folder) {
  std::error_code code;
  const std::filesystem::path kept = folder / "solution";
  if (!std::filesystem::exists(kept / "x.mtx", code) && !std::filesystem::exists(kept / "U.mtx", code))
    return;
  RunIdentity::read(folder).require_all(folder, "solution");
  if (std::filesystem::exists(kept / "U.mtx", code)) {
    const DenseTable s = read_matrix_market_array(kept / "s.mtx");
    report.bars.push_back(singular_values(s.values));
    report.maps.push_back(map_of_factors(read_matrix_market_array(kept / "U.mtx"), s,
                                         read_matrix_market_array(kept / "V.mtx")));
    return;
  }
  const Solution x = Solution::read(folder);
  LinearTraining training;
  if (has_linear_training(kept)) training = read_linear_training(kept);
  const bool small = static_cast<double>(x.rows()) * static_cast<double>(x.cols()) <= kLargestMap;
  const SolutionView view = small ? solution_view(x, folder, {}, false) : SolutionView{};
  if (x.cols() == 1) {
    const bool arcs = is_flow(view) && static_cast<Index>(view.labels.size()) == x.rows();
    report.bars.push_back(coefficient_bars(x, arcs ? view.labels : training.columns,
                                           training.intercept ? training.outputs : 0));
  } else if (small && view.kind != SolutionView::Kind::pairs) {
    report.maps.push_back(map_of_entries(x));
  }
  add_graph(report, view);
}

}  // namespace claros::cli
