// SPDX-License-Identifier: BSD-3-Clause
/// @file matrix_market.hpp  Matrix Market files, dense and sparse.
///
/// R. F. Boisvert, R. Pozo, K. A. Remington, "The Matrix Market Exchange Formats: Initial Design", NISTIR
/// 5935, 1996.
#pragma once

#include <claros/api.hpp>
#include <claros/io/ratings.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace claros {

/// A dense matrix as it stands in a file.
struct DenseTable {
  Index rows = 0, cols = 0;
  std::vector<double> values;  ///< rows * cols, column-major
};

/// The description of the values in the first line of a file, after "%%MatrixMarket matrix array|coordinate".
struct MatrixMarketFormat {
  std::string field = "real";  ///< real, integer; pattern (coordinate only: no values in the file, all are 1)
  std::string symmetry =
      "general";  ///< general, symmetric, skew-symmetric: only the lower triangle is in the file
};

/// Reads an `array` file; a symmetric one is filled up to a full matrix. Throws Error(data, "file:line", ...)
/// unless banner, sizes, count and every value are as the format demands; complex values are not read.
CLAROS_API DenseTable read_matrix_market_array(const std::filesystem::path& path);

/// Reads a `coordinate` file as entries sorted by (row, col); for a symmetric one it gives both triangles.
/// Throws as above, and for an entry outside the sizes, in the wrong triangle, or given twice.
CLAROS_API Ratings read_matrix_market_coordinate(const std::filesystem::path& path);

/// Writes the matrix or the entries (ids are not written), whole or not at all. Values read back to the same
/// bits. Throws Error(data) if the format cannot hold the values (a fraction as integer, an asymmetric matrix
/// as symmetric, a value that is not finite). Throws Error(usage) for a format that does not exist.
CLAROS_API void write_matrix_market(const std::filesystem::path& path, const DenseTable& table,
                                    const MatrixMarketFormat& format = {});
CLAROS_API void write_matrix_market(const std::filesystem::path& path, const Ratings& entries,
                                    const MatrixMarketFormat& format = {});

}  // namespace claros
