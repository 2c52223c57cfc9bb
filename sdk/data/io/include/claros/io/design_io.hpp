// SPDX-License-Identifier: BSD-3-Clause
/// @file design_io.hpp  Files of designs (design.hpp): tables, Matrix Market, LIBSVM, Vowpal Wabbit, HDF5,
/// NumPy, raw binary.
#pragma once

#include <claros/context.hpp>
#include <claros/io/csv.hpp>
#include <claros/io/table_encoding.hpp>
#include <claros/map/design.hpp>
#include <claros/parameters.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace claros {

/// The treatment of a row of a table with a missing value.
enum class Missing { refuse, drop, mean, median, indicator };
/// The levels of a column of categories that have a column of the design: all but the first, or all.
enum class Levels { reference, all };
enum class Decimal { automatic, point, comma };
/// The treatment of a column of dates.
enum class Dates { refuse, days, day_first, month_first };

/// A column of a table that is read beside its design, one number a row.
struct ColumnBeside {
  std::string key;     ///< the name of the option in errors
  std::string column;  ///< the name or the number of the column
  bool names = false;  ///< true if its fields are names; they are numbered by their first appearance
  std::vector<double> numbers = {};
};

/// How a design is read.
struct DesignOptions {
  std::string format = "auto";
  std::string response = "auto";
  std::string dataset = "X";
  std::string precision = "double";
  std::string storage = "auto";
  std::string memory = "auto";
  Index features = 0;
  Index bits = 0;
  bool unit_rows = false;
  TableOptions table;
  std::string columns, without, categorical;
  Missing missing = Missing::refuse;
  Levels levels = Levels::reference;
  Decimal decimal = Decimal::automatic;
  Dates dates = Dates::refuse;
  std::string weights, offset, groups;
  std::string hdf5 = "own";
  double patience = 60;
  Index bare_columns = 0;  ///< no option of a user: of rows to predict, the number of columns beside a
                           ///< response; 0: one is needed
  /// Not an option of a user: for rows to predict, the encoding of the training's columns; may be null.
  std::shared_ptr<const TableEncoding> encoding = nullptr;
  /// Not an option of a user: columns that are read into here with the rows of a table; may be null.
  std::shared_ptr<std::vector<ColumnBeside>> beside = nullptr;
  bool ignores_responses = false;  ///< not an option of a user: responses are not read
};

/// The rows of a parameter table, for a plugin to include.
CLAROS_API std::vector<ParameterRow<DesignOptions>> design_rows();

/// The design of context.data, with the groups of options.groups; null if it has none. Throws Error(usage)
/// for a `file` beside it, and for every option about the columns or the form of a file.
CLAROS_API std::shared_ptr<const Design> design_of_data(const std::string& file, const DesignOptions& options,
                                                        const Context& context);

/// Reads rows and responses. Text may be compressed (text_input.hpp). Before memory is taken, context.note
/// says how much.
///
/// - format: `auto` goes by the first bytes (HDF5, binary, NumPy, Matrix Market). It takes text whose first
///   line has a number and then a | for `vowpal-wabbit`, one whose second field holds a colon for `libsvm`,
///   and any other for a `table`. The formats are:
///   - `table`: a line a row, read as in csv.hpp. If the first value of a response is not a number, it is a
///     class name.
///   - `matrix-market`: dense or coordinate; the response is in another file.
///   - `libsvm`: "label column:value column:value ..." a line, columns from 1 and ascending. # begins a
///     comment.
///   - `vowpal-wabbit`: "label [importance] [tag]|namespace[:factor] feature[:value] ..." a line. Importances
///     become weights, and values of the same column are added.
///   - `hdf5`: a two-dimensional and a one-dimensional dataset. A group of compressed rows (data, indices,
///     indptr), with the sizes as its attribute or dataset `shape`, may take the place of the first.
///   - `binary`: a file of write_design.
///   - `npy`: an array of two dimensions by numpy.save; the response is in another file.
///   - `npz`: members X and y by numpy.savez, or a sparse matrix by scipy.sparse.save_npz.
/// - response: for a table the name or the number (from 1) of a column, `auto` being the last, or the name of
///   a file of one number a row, resolved by the context. For Matrix Market it is such a file. For HDF5 it is
///   the name of a dataset, `auto` being y, and for npz that of a member, likewise. libsvm and binary files
///   hold their own, and a file replaces it.
/// - dataset: the rows in an HDF5 or npz file.
/// - precision: `float` halves the memory. Sums are made in double all the same.
/// - storage: `auto` keeps the storage of the file: sparse text, coordinates and compressed rows are sparse,
///   all others dense.
/// - memory: for `binary` and `npy`. `read` copies the entries into memory. `map` uses them in the file; the
///   system keeps in memory what fits, so that a design may be larger than memory. `auto` maps files that do
///   not fit. A mapped file of floats stays one (the sums are the same). It must not be written while it is
///   in use: every pass checks its size and time, and throws Error(data) if they changed. If it is cut off
///   under a pass, the system sends SIGBUS (mapped_file_at).
/// - hdf5: the things that an HDF5 file may bring in beside its own numbers. `own`: nothing. `plugins`:
///   filters that the HDF5 library loads from HDF5_PLUGIN_PATH; they run as code of this user. `files`:
///   external storage, external links and virtual datasets, which read other files of this machine. `all`:
///   both.
/// - patience: an HDF5 file is read in a process of its own, so that a crash of the HDF5 library is an error
///   of the file. A process that brings no number for so many seconds is ended.
/// - features: the number of columns of a libsvm or vowpal-wabbit file, or of compressed rows in HDF5, if it
///   is larger than the largest in the file; 0: the largest.
/// - columns, without: for a table, the columns that are read, or those that are not: names or numbers from
///   1, with commas between them.
/// - categorical: for a table, columns of numbers that are names all the same (codes, ids of groups). A
///   column that holds no number is one without being named. A level is an indicator (table_encoding.hpp).
/// - levels: `reference` gives the first level, in alphabetical order, no column; `all` gives it one.
/// - missing: for a table, the treatment of a blank field, NA, N/A, NaN, null, None, ?, . or -.
///   `refuse` names the first. `drop` leaves out its row. `mean` and `median` put that of its column, and the
///   most frequent level of categories. `indicator` puts the mean and adds a column that is 1 there, or a
///   level of its own. Responses, weights and offsets are never filled in.
/// - decimal: for a table, the character before the decimals; the other one of point and comma then
///   separates thousands. `auto` takes a comma in columns that have no point, if commas do not separate
///   fields, and refuses thousands (1.234,5). One currency or percent sign is left out: 10% is 10.
/// - dates: for a table, the treatment of a column with dates (2024-03-01 or 31.12.2024, perhaps with a time
///   of day). `refuse` names the column. The others take the days since 1970-01-01, with fractions for times;
///   `day_first` and `month_first` read 12/31/2024 too. It is an error if no column has dates.
/// - weights, offset: one number a row, in the place of those of the file: name or number of a column of a
///   table, or a file, resolved by the context. Weights are >= 0; an offset is added to <a_i, x>.
/// - groups: rows with equal values belong together in a cross-validation: a column of a table (text or
///   numbers), or a file of one number a row.
/// - unit_rows: every row is divided by its Euclidean length; rows of zeros stay.
/// - bits: for vowpal-wabbit, features are hashed into 2^bits columns as vw does (feature_hash.hpp). With 0
///   they are whole numbers, in one namespace, and feature n is the column with n others before it.
///
/// Rows to predict (bare_columns) may have no response; the response of the design is then empty. A table has
/// none if its header lacks the name, or if it has so many columns.
///
/// Throws Error(data, "file:line", ...) for anything that does not fit, Error(usage) for an option out of
/// range.
CLAROS_API Design read_design(const std::filesystem::path& path, const DesignOptions& options = {},
                              const Context& context = {});

/// True if read_design reads the file as a table with a header. False for a file that cannot be read.
CLAROS_API bool is_table(const std::filesystem::path& path, const DesignOptions& options);

/// True if read_design reads the file as a table in which `word` is the name of a column, or its number
/// from 1. Such a word is that column, also where a file has the same name. False for a file that cannot be
/// read.
CLAROS_API bool is_column(const std::filesystem::path& path, const DesignOptions& options,
                          const std::string& word);

/// The place of row `row` (from 0) in that file, or of its response: "file:line" in text, else the file. For
/// messages: the file is read up to there.
CLAROS_API std::string place_of_row(const std::filesystem::path& path, const DesignOptions& options,
                                    Index row, const Context& context = {});

/// Writes a design as raw binary, whole or not at all, with its response and in its precision; sparse rows
/// are expanded. Names, labels and weights are not written. Layout, in the byte order of the machine, which
/// is marked:
///
///     8 bytes  "CLAROSDM"        4  version, 1           4  0x01020304
///     4        bytes a number (4 float, 8 double)        4  1 when responses follow, else 0
///     8        rows              8  columns              24 zero
///     rows doubles, the responses (if any); rows * columns numbers, row-major
CLAROS_API void write_design(const std::filesystem::path& path, const Design& design);

/// The path of the mapped file whose bytes stand around that address, or null. For a handler of SIGBUS: takes
/// no lock and no memory.
CLAROS_API const char* mapped_file_at(const void* address) noexcept;

/// One number for each of `rows` rows, from a file of read_numbers; `what` ("weights") says in errors what
/// they are.
CLAROS_API std::vector<double> read_row_numbers(const std::filesystem::path& path, Index rows,
                                                const std::string& what, const Context& context = {});

/// The numbers of a text table, of a dense Matrix Market file, of a .npy file, or of a .npz file of one
/// array. Text may be compressed. An array of one dimension is a column. context.note says which line was
/// taken for a header.
CLAROS_API DenseTable read_numbers(const std::filesystem::path& path, const Context& context = {});

}  // namespace claros
