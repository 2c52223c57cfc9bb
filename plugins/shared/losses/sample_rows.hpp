// SPDX-License-Identifier: BSD-3-Clause
/// @file sample_rows.hpp  Rows without responses, from a file of numbers.
#pragma once

#include <claros/io/design_io.hpp>
#include <claros/map/design.hpp>
#include <shared/losses/matrix_data.hpp>

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace claros::sdk {

inline std::shared_ptr<const Design> dense_rows(Index rows, Index cols, std::vector<double> row_major) {
  auto design = std::make_shared<Design>();
  design->rows = rows;
  design->cols = cols;
  design->entries = DenseRows<double>{std::move(row_major)};
  return design;
}

/// The rows of a file that `read_numbers` takes, with every column of it, or of `read_matrix` by options.
/// Throws Error(data) for a missing entry and for a number that is not finite.
inline std::shared_ptr<const Design> read_sample_rows(const std::filesystem::path& path,
                                                      const Context& context,
                                                      const DesignOptions* options = nullptr) {
  const DenseTable table = options ? read_matrix(path, *options, context).table : read_numbers(path, context);
  require_all(table, path.string(), kFill);
  std::vector<double> values(table.values.size());
  for (Index i = 0; i < table.rows; ++i)
    for (Index j = 0; j < table.cols; ++j)
      values[static_cast<std::size_t>(i * table.cols + j)] =
          table.values[static_cast<std::size_t>(j * table.rows + i)];
  auto rows = dense_rows(table.rows, table.cols, std::move(values));
  require_consistent(*rows, path.string(), false);
  return rows;
}

}  // namespace claros::sdk
