// SPDX-License-Identifier: BSD-3-Clause
/// @file ratings.hpp  Observed entries of a matrix: (row, column, value) triplets and their text files.
#pragma once

#include <claros/api.hpp>
#include <claros/context.hpp>
#include <claros/parameters.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace claros {

/// Entries of a rows x cols matrix, sorted by (row, col), each position at most once.
struct Ratings {
  Index rows = 0, cols = 0;
  std::vector<std::int32_t> row, col;  ///< from 0; as many as values
  std::vector<double> value;           ///< finite
  std::vector<std::string> row_ids;    ///< the id of every row; empty when ids are the indices themselves
  std::vector<std::string> col_ids;    ///< the id of every column; likewise
  std::vector<double> weight = {};     ///< the weight of every entry, finite and >= 0, not all 0; empty for 1
  bool from_zero = false;  ///< true if the indices are counted from 0 where they are read and written
};

/// How a file of triplets is read.
struct RatingsOptions {
  std::string delimiter = "auto";
  std::string header = "auto";
  std::string ids = "auto";
  std::string duplicates = "error";
  std::string dataset = "X";  ///< of an HDF5 file
  Index rows = 0, cols = 0;   ///< 0: from the data
  std::string weights = "none";
  double half_life = 0.0;    ///< 0: times are not read
  std::string columns = {};  ///< empty: by the header, else the first ones
  std::string decimal = "auto";
};

/// The rows of a parameter table, for a plugin to include.
CLAROS_API std::vector<ParameterRow<RatingsOptions>> ratings_rows();

/// Reads one rating a line: row id, column id, value, and any further columns (timestamps), which are
/// ignored. The file may be compressed (text_input.hpp). Blank lines are skipped.
///
/// - delimiter: `auto` takes the first of tab, double-colon (`::`), semicolon, comma, pipe (`|`), space that
///   the first line holds outside of quotes; not commas that stand before decimals in three or more fields of
///   pipes or spaces. `space` is any run of spaces and tabs. A field may stand in double quotes, "" being a
///   quote in it.
/// - header: `auto` takes the first line for a header if none of its fields is a number and the field of the
///   value may be a name, which "None", "5/5" and a blank are not. Throws Error(data) if its ids look like
///   those of the next line, or are ids of other lines.
/// - columns: the fields of row, column, value and perhaps weight or time, with commas between them: names of
///   the header, or numbers from 1. Empty: a header that names all of them (user, item, rating, ...) is
///   used, one that contradicts the order row, column, value is an Error(data).
/// - decimal: `point`, `comma`, or `auto`, a comma in columns that have no point, if commas do not part
/// fields.
/// - ids: `one-based` and `zero-based` integers are indices. `arbitrary` ids are any text: the rows are then
/// the
///   ids in numerical order when all are integers, else in the order of first appearance. `auto` decides for
///   rows and for columns apart: one-based when all ids are positive integers and either the size is given by
///   `rows`
///   (`cols`) or the largest id is at most ten times the number of distinct ids; arbitrary otherwise.
/// - duplicates: of a position that comes twice: `error`, the `mean` of its values, or the `last` of the
/// file.
///   With weights the mean is weighted, and has the sum of the weights: of a squared loss nothing changes.
/// - weights: `column` takes the fourth field as the weight of the rating. half_life: the fourth field is a
///   time, and a rating that is so much older than the newest one has half of its weight. Both are an
///   Error(usage).
/// - rows, cols: the size, when ids are indices; the number of distinct ids, when they are not.
///
/// A file whose first line begins with `%%MatrixMarket` is read as that (matrix_market.hpp), whatever
/// delimiter, header and ids say; rows and cols may then only be larger than the sizes in the file. The same
/// holds for a .npz file, which is a sparse matrix by scipy.sparse.save_npz, counted from 0, and for an HDF5
/// file with a group of compressed rows as AnnData writes it (`dataset`). The rows of a
/// .npy array are lines of row id, column id, value. context.note says if `auto` took a line for a header,
/// and ids for labels. Throws Error(data, "file:line", ...) for anything that does not fit, Error(usage) for
/// an option out of range.
CLAROS_API Ratings read_ratings(const std::filesystem::path& path, const RatingsOptions& options = {},
                                const Context& context = {});

/// Writes one line a rating, "row TAB column TAB value" and perhaps "TAB weight". Rows and columns are ids if
/// there are some, else one-based indices. Values read back to the same bits. Written whole or not at all.
/// Ids are read back by `ids = arbitrary`; a size beyond the last rating is not in the file. Throws
/// Error(data) for ratings that do not fit their own sizes and for values that are not finite.
CLAROS_API void write_ratings(const std::filesystem::path& path, const Ratings& ratings);

/// Counts r > 0 as ones of weight 1 + confidence r; a count of 0 is left out, as a position that is not
/// observed. Throws Error(data, where) for one that is negative.
CLAROS_API void see_counts(Ratings& ratings, double confidence, const std::string& where);

}  // namespace claros
