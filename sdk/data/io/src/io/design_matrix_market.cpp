// SPDX-License-Identifier: BSD-3-Clause
// Designs in Matrix Market files.
#include <claros/io/fields.hpp>
#include <claros/io/triplets.hpp>
#include "io/design_formats.hpp"

#include <claros/error.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/io/text_input.hpp>

#include <algorithm>

namespace claros::design_formats {
namespace {

/// The numbers of the line of sizes (two in a dense file, three in a coordinate file). Empty if they cannot
/// be told; the reader proper then complains.
std::vector<Index> sizes_of(const Path& path) {
  TextInput input(path);
  std::string_view line;
  while (input.next_filled(line) && line.starts_with('%')) continue;
  std::vector<Index> sizes;
  FieldSplitter splitter(input, "space");
  for (const auto field : splitter.split(line)) {
    const auto number = integer_of(field);
    if (!number) return {};
    sizes.push_back(*number);
  }
  return sizes;
}

template <class Real>
DenseRows<Real> by_rows(const DenseTable& table) {
  DenseRows<Real> rows;
  rows.values.resize(table.values.size());
  for (Index j = 0, k = 0; j < table.cols; ++j)
    for (Index i = 0; i < table.rows; ++i, ++k)
      rows.values[static_cast<std::size_t>(i * table.cols + j)] =
          static_cast<Real>(table.values[static_cast<std::size_t>(k)]);
  return rows;
}

template <class Real>
SparseRows<Real> by_rows(const Ratings& entries) {
  SparseRows<Real> rows;
  rows.start.assign(static_cast<std::size_t>(entries.rows + 1), 0);
  for (const std::int32_t i : entries.row) ++rows.start[static_cast<std::size_t>(i) + 1];
  for (std::size_t i = 1; i < rows.start.size(); ++i) rows.start[i] += rows.start[i - 1];
  rows.column = entries.col;
  rows.value.assign(entries.value.begin(), entries.value.end());
  return rows;
}

}  // namespace

Design compressed_design(const Ratings& entries, bool single) {
  Design design;
  design.rows = entries.rows;
  design.cols = entries.cols;
  if (single)
    design.entries = by_rows<float>(entries);
  else
    design.entries = by_rows<double>(entries);
  return design;
}

Design read_matrix_market(const Path& path, const DesignOptions& options, const Context& context) {
  const std::vector<Index> sizes = sizes_of(path);
  const bool single = is_single(options);
  if (sizes.size() == 3) {
    const auto entries = static_cast<std::size_t>(std::max<Index>(sizes[2], 0));
    expect_plausible_size("rows", sizes[0], entries, path.string(), "");
    expect_plausible_size("columns", sizes[1], entries, path.string(), "");
    announce_sparse(path, sizes[0], sizes[1], sizes[2], single, 2, context);
    TextInput input(path);
    Triplets triplets = read_coordinates(input);
    expect_plausible_sizes(triplets, path.string(), "");
    return compressed_design(sorted(input, std::move(triplets), "error"), single);
  }
  if (sizes.size() == 2) announce_dense(path, sizes[0], sizes[1], single, single ? 3 : 2, context);
  Design design;
  const DenseTable table = read_matrix_market_array(path);
  design.rows = table.rows;
  design.cols = table.cols;
  if (single)
    design.entries = by_rows<float>(table);
  else
    design.entries = by_rows<double>(table);
  return design;
}

}  // namespace claros::design_formats
