// SPDX-License-Identifier: BSD-3-Clause
/// @file matrix_file.hpp  A matrix from a file of any format that holds one, with its holes.
#pragma once

#include <claros/context.hpp>
#include <claros/io/csv.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/matrix_market.hpp>

#include <filesystem>

namespace claros {

/// Reads what read_numbers (design_io.hpp) reads, a Matrix Market file of coordinates, whose other entries
/// are 0, and pictures (picture.hpp). Missing entries are NaN. They are the NaN of a .npy or .npz file. In a
/// table they are fields that are blank, NA, N/A, NaN, nan, null, None, ? or a dot. An array of one dimension
/// is a column. Infinite numbers throw Error(data), as does everything that read_numbers refuses.
CLAROS_API DenseTable read_matrix(const std::filesystem::path& path, const Context& context = {});

/// The options of a matrix in a text table, of design_rows: without, decimal, dates, delimiter and header. If
/// missing entries are no part of the problem, missing is one of them.
CLAROS_API std::vector<ParameterRow<DesignOptions>> matrix_rows(bool holes = false);
/// Throws Error(usage) if one of them is set; `what` is the data that they are not about.
CLAROS_API void expect_no_options(const DesignOptions& options, const std::string& what);
/// read_matrix by these options and those of `table`, with the names of rows and columns. Columns named by
/// `without` are left out. Numbers are read by `decimal` and days by `dates`, as read_design does. `missing`
/// treats missing entries; `refuse` keeps them as NaN. Throws Error(usage) for `indicator`, and for options
/// if the file is not a table.
CLAROS_API NamedTable read_matrix(const std::filesystem::path& path, const DesignOptions& options,
                                  const Context& context);

/// The names of the rows and columns of a table of read_matrix, and its sizes, without its numbers. Empty for
/// a file that has none or cannot be read.
CLAROS_API NamedTable names_in_table(const std::filesystem::path& path, const DesignOptions& options = {});

/// The number of missing entries.
CLAROS_API Index missing_entries(const DenseTable& table) noexcept;

/// True if the file lists the nonzero entries of a sparse matrix: Matrix Market of coordinates, or the .npz
/// of scipy.sparse.save_npz. read_ratings (ratings.hpp) reads it as such.
CLAROS_API bool holds_coordinates(const std::filesystem::path& path);

/// True if the file is surely a matrix entry by entry and not a list of (row, column, value, ...). Such a
/// file is a picture or a dense Matrix Market file. A table, .npy or .npz array is one if it has more than
/// eight columns or fewer than three, and no header that names a row, a column and a value.
CLAROS_API bool holds_matrix(const std::filesystem::path& path, std::string_view delimiter = "auto");

}  // namespace claros
