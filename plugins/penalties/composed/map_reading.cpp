// SPDX-License-Identifier: BSD-3-Clause
#include "map_reading.hpp"

#include <claros/error.hpp>
#include <claros/io/matrix_file.hpp>
#include <claros/io/ratings.hpp>
#include <shared/losses/matrix_data.hpp>
#include <shared/sets/number_rows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace composed {

using namespace claros;

namespace {

using Entry = Eigen::Triplet<double, std::ptrdiff_t>;

SparseRows rows_of(Index rows, Index cols, const std::vector<Entry>& entries) {
  SparseRows made(rows, cols);
  made.setFromTriplets(entries.begin(), entries.end());
  return made;
}

/// D_order of n entries: (D_1 x)_i = x_{i+1} - x_i, D_{k+1} = D_1 D_k.
SparseRows difference(Index order, Index n) {
  std::vector<double> stencil{1.0};
  for (Index k = 0; k < order; ++k) {
    std::vector<double> next(stencil.size() + 1, 0.0);
    for (std::size_t j = 0; j < stencil.size(); ++j) next[j] -= stencil[j], next[j + 1] += stencil[j];
    stencil = std::move(next);
  }
  const Index rows = std::max<Index>(0, n - order);
  std::vector<Entry> entries;
  for (Index i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < stencil.size(); ++j)
      entries.emplace_back(i, i + static_cast<Index>(j), stencil[j]);
  return rows_of(rows, n, entries);
}

[[noreturn]] void refuse_edge(Index row, const std::string& what) {
  throw Error(ErrorKind::data, "data", "edge " + std::to_string(row + 1) + " " + what,
              "write an edge a row: node, other node, and perhaps a weight above 0");
}

Index node(double value, Index first, Index row) {
  const double at = value - static_cast<double>(first);
  if (at == std::floor(at) && at >= 0.0 && at < static_cast<double>(std::numeric_limits<std::int32_t>::max()))
    return static_cast<Index>(at);
  refuse_edge(row, "names node " + print_real(value) + ", expected a whole number from " +
                       std::to_string(first) + " on");
}

}  // namespace

std::vector<ParameterRow<MapOptions>> map_rows() {
  using O = MapOptions;
  return {
      row("map", &O::map,
          one_of<MapKind>(
              {{MapKind::difference, "difference"}, {MapKind::graph, "graph"}, {MapKind::matrix, "matrix"}}),
          "the linear map: differences of neighbours in a vector or in each column; of the two ends of "
          "each edge of a graph; or a matrix",
          "B"),
      row("order", &O::order, between(1, 3),
          "of map = difference: how often differences are taken; solutions are piecewise polynomials of "
          "a degree less by 1 (trend filtering)"),
      row("data", &O::data, any(),
          "of map = graph: the edges, a row each: two nodes and perhaps a weight above 0, which "
          "multiplies their difference; of map = matrix: B. A file (a Matrix Market file of coordinates "
          "keeps B sparse) or numbers written out (1 2; 2 3)"),
      row("first_index", &O::first_index, between(0, 1), "the number of the first node of a graph")};
}

MapOfOptions::MapOfOptions(const MapOptions& options, const Context& context) : options_(options) {
  const bool reads = options.map != MapKind::difference;
  if (reads && options.data.empty())
    throw Error(ErrorKind::usage, "data",
                options.map == MapKind::graph ? "expected the edges of the graph, found none"
                                              : "expected the matrix B, found none",
                "give a file, or numbers written out, such as data = 1 2; 2 3");
  if (!reads && !options.data.empty())
    throw Error(ErrorKind::usage, "data", "map = difference reads no data",
                "give map = graph or map = matrix, or leave data out");
  if (options.map == MapKind::graph) read_edges(context);
  if (options.map == MapKind::matrix) read_matrix(context);
}

void MapOfOptions::read_edges(const Context& context) {
  const sdk::NumberRows table = sdk::number_rows(options_.data, "data", context);
  if (table.width != 2 && table.width != 3)
    refuse_edge(0, "has " + std::to_string(table.width) + " numbers, expected 2 or 3");
  std::vector<Entry> entries;
  Index nodes = 0;
  for (Index e = 0; e < table.count; ++e) {
    const auto row = table.row(e);
    const Index i = node(row[0], options_.first_index, e), j = node(row[1], options_.first_index, e);
    const double weight = table.width == 3 ? row[2] : 1.0;
    if (i == j) refuse_edge(e, "joins node " + print_real(row[0]) + " to itself");
    if (!(weight > 0.0 && std::isfinite(weight))) refuse_edge(e, "has the weight " + print_real(weight));
    entries.emplace_back(e, i, weight), entries.emplace_back(e, j, -weight);
    nodes = std::max({nodes, i + 1, j + 1});
  }
  rows_ = rows_of(table.count, nodes, entries);
}

void MapOfOptions::read_matrix(const Context& context) {
  std::vector<Entry> entries;
  Index rows = 0, cols = 0;
  const bool written =
      options_.data.find(';') != std::string::npos || sdk::is_row(options_.data, "data", context);
  if (!written && holds_coordinates(context.resolve(options_.data))) {
    const Ratings sparse = read_ratings(context.resolve(options_.data), {}, context);
    rows = sparse.rows;
    cols = sparse.cols;
    for (std::size_t k = 0; k < sparse.value.size(); ++k)
      entries.emplace_back(sparse.row[k], sparse.col[k], sparse.value[k]);
  } else {
    const sdk::NumberRows table = sdk::number_rows(options_.data, "data", context);
    rows = table.count;
    cols = table.width;
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < cols; ++j)
        if (const double value = table.row(i)[static_cast<std::size_t>(j)]; value != 0.0)
          entries.emplace_back(i, j, value);
  }
  for (const Entry& entry : entries)
    if (!std::isfinite(entry.value()))
      throw Error(
          ErrorKind::data, "data",
          "row " + std::to_string(entry.row() + 1) + " of the matrix holds " + print_real(entry.value()),
          "give finite numbers");
  rows_ = rows_of(rows, cols, entries);
}

std::unique_ptr<ColumnMap> MapOfOptions::for_shape(const Shape& shape) const {
  if (shape.is_product())
    throw Error(ErrorKind::usage, "map", "expected a vector or a matrix, found the variable " + shape.text(),
                "take an objective of a vector or a matrix");
  if (options_.map == MapKind::difference)
    return std::make_unique<ColumnMap>(difference(options_.order, shape.rows), shape.cols);
  if (options_.map == MapKind::graph) {
    if (rows_.cols() > shape.rows)
      throw Error(ErrorKind::usage, "data",
                  "the graph has a node " + std::to_string(rows_.cols() - 1 + options_.first_index) +
                      ", and the variable " + shape.text() + " has " + std::to_string(shape.rows) + " rows",
                  "number the nodes as the rows of the variable, from first_index on");
    SparseRows fitted = rows_;
    fitted.conservativeResize(rows_.rows(), shape.rows);
    return std::make_unique<ColumnMap>(std::move(fitted), shape.cols);
  }
  if (rows_.cols() == shape.rows) return std::make_unique<ColumnMap>(rows_, shape.cols);
  if (rows_.cols() == shape.size()) return std::make_unique<ColumnMap>(rows_, 1);
  throw Error(
      ErrorKind::usage, "data",
      "the matrix has " + std::to_string(rows_.cols()) + " columns, and the variable is " + shape.text(),
      "give a column for each row of the variable, or for each of its entries");
}

}  // namespace composed
