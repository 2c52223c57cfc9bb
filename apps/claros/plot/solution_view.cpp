// SPDX-License-Identifier: BSD-3-Clause
#include "plot/solution_view.hpp"

#include <claros/compose/spec.hpp>
#include <claros/error.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/linear_training.hpp>
#include <claros/results/coefficients.hpp>
#include <claros/results/prediction.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace claros::cli {

namespace {

namespace fs = std::filesystem;

using ViewKind = SolutionView::Kind;

constexpr Index kFewBars = 40, kMostBars = 30, kMostPairs = 60, kMostEntries = 4'000'000;

bool is_there(const fs::path& path) {
  std::error_code code;
  return fs::exists(path, code);
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
  std::vector<std::string> rows = solution.training().rows.names, cols = solution.training().cols.names;
  if (rows.empty() || cols.empty()) {
    EntryNames kept = entry_names(Spec::read(folder / "spec.ini"), solution.rows(), solution.cols());
    if (solution.cols() == 1) return kept.rows;
    rows = std::move(kept.rows);
    cols = std::move(kept.cols);
  }
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
      if (std::abs(entry_of(x, i, j)) <= kNear) continue;
      auto& mine = column[static_cast<std::size_t>(i)];
      if (std::abs(entry_of(x, i, j) - 1.0) > kNear || mine >= 0 || taken[static_cast<std::size_t>(j)])
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
    if (auto column = permutation_of(view.values)) {
      view.kind = ViewKind::pairs;
      view.column = std::move(*column);
    }
  }
  if (!named && (view.kind == ViewKind::bars || view.kind == ViewKind::pairs))
    for (Index k = 0; k < view.values.rows + (view.values.cols == 1 ? 0 : view.values.cols); ++k)
      view.labels.push_back(default_label(view.values, k));
  if (view.kind == ViewKind::bars) keep_largest(view);
  return view;
}

}  // namespace

SolutionView solution_view(const Solution& solution, const fs::path& folder,
                           const std::vector<std::string>& names, bool factors) {
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

}  // namespace claros::cli
