// SPDX-License-Identifier: BSD-3-Clause
/// @file memory_data.hpp  Data that a program holds in its own arrays, as objectives read it.
///
/// Each function checks sizes, positions and that every number is finite, and throws Error(data) that names
/// the first that is wrong, counted from 1. The data that they return never change, and may serve several
/// runs at once.
#pragma once

#include <claros/api.hpp>
#include <claros/dataset.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace claros {

/// The entries of a design are copied, or read in place. In the second case the caller keeps them there,
/// unchanged, while the data or a run on it lives.
enum class Entries { copied, referenced };

/// The facts of a design beside its entries and responses.
struct RowFacts {
  std::span<const double> weights =
      {};  ///< one a row, >= 0: f = sum_i w_i psi_i / sum_i w_i; empty: 1; copied
  std::span<const double> offset =
      {};  ///< one a row: z_i = <a_i, x> + o_i, as the log of an exposure; empty: 0; copied
  std::vector<std::string> column_names = {};  ///< one a column, or empty
  std::string response_name = {};
  std::shared_ptr<const void> keeper =
      nullptr;  ///< of referenced entries: keeps their memory as long as they are used
  /// Several a row, row after row, copied; the responses of one a row are then empty. Empty: one.
  std::span<const double> responses = {};
};

/// A dense design, one row after the other, and one response a row; responses are always copied.
CLAROS_API std::shared_ptr<const Dataset> data_from_rows(std::span<const double> row_major, Index rows,
                                                         Index cols, std::span<const double> response,
                                                         Entries entries = Entries::copied,
                                                         const RowFacts& facts = {});
/// Takes floats, which halve the memory; sums are made in double.
CLAROS_API std::shared_ptr<const Dataset> data_from_rows(std::span<const float> row_major, Index rows,
                                                         Index cols, std::span<const double> response,
                                                         Entries entries = Entries::copied,
                                                         const RowFacts& facts = {});
/// A dense design, one column after the other, as matrices of Eigen and Armadillo lie: copied by rows, or
/// referenced as it is. Full passes and coordinate steps then read its columns; whatever samples rows makes a
/// copy by rows when it first does.
CLAROS_API std::shared_ptr<const Dataset> data_from_columns(std::span<const double> column_major, Index rows,
                                                            Index cols, std::span<const double> response,
                                                            Entries entries = Entries::copied,
                                                            const RowFacts& facts = {});
/// A sparse design in compressed columns. The entries of column j are [start[j], start[j+1]), with rows from
/// 0 and ascending. There is one start more than columns. Read by columns, and copied by rows as above.
/// Starts of 32 bits are copied.
CLAROS_API std::shared_ptr<const Dataset> data_from_compressed_columns(
    std::span<const Index> start, std::span<const std::int32_t> row, std::span<const double> value,
    Index rows, std::span<const double> response, Entries entries = Entries::copied,
    const RowFacts& facts = {});
CLAROS_API std::shared_ptr<const Dataset> data_from_compressed_columns(
    std::span<const std::int32_t> start, std::span<const std::int32_t> row, std::span<const double> value,
    Index rows, std::span<const double> response, Entries entries = Entries::copied,
    const RowFacts& facts = {});
/// A sparse design in compressed rows: the entries of row i are [start[i], start[i+1]), columns from 0 and
/// ascending. There is one start more than there are rows. Referenced entries are columns and values; starts
/// of 32 bits are copied, 8 bytes a row.
CLAROS_API std::shared_ptr<const Dataset> data_from_compressed_rows(std::span<const Index> start,
                                                                    std::span<const std::int32_t> column,
                                                                    std::span<const double> value, Index cols,
                                                                    std::span<const double> response,
                                                                    Entries entries = Entries::copied,
                                                                    const RowFacts& facts = {});
CLAROS_API std::shared_ptr<const Dataset> data_from_compressed_rows(std::span<const std::int32_t> start,
                                                                    std::span<const std::int32_t> column,
                                                                    std::span<const double> value, Index cols,
                                                                    std::span<const double> response,
                                                                    Entries entries = Entries::copied,
                                                                    const RowFacts& facts = {});
/// Takes floats.
CLAROS_API std::shared_ptr<const Dataset> data_from_compressed_rows(std::span<const Index> start,
                                                                    std::span<const std::int32_t> column,
                                                                    std::span<const float> value, Index cols,
                                                                    std::span<const double> response,
                                                                    Entries entries = Entries::copied,
                                                                    const RowFacts& facts = {});
CLAROS_API std::shared_ptr<const Dataset> data_from_compressed_rows(std::span<const std::int32_t> start,
                                                                    std::span<const std::int32_t> column,
                                                                    std::span<const float> value, Index cols,
                                                                    std::span<const double> response,
                                                                    Entries entries = Entries::copied,
                                                                    const RowFacts& facts = {});
/// Observed entries of a rows x cols matrix, positions from 0, in any order. Copied. If a position comes
/// twice, `duplicates` decides: "error", the "mean" of its values, or the "last". One weight an entry, or
/// none for 1.
CLAROS_API std::shared_ptr<const Dataset> data_from_triplets(
    std::span<const std::int32_t> row, std::span<const std::int32_t> col, std::span<const double> value,
    Index rows, Index cols, const std::string& duplicates = "error", std::span<const double> weight = {});

}  // namespace claros
