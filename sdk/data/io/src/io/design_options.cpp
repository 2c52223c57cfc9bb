// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/design_io.hpp>

#include "io/design_formats.hpp"

#include <cstdint>
#include <limits>

namespace claros {

std::vector<ParameterRow<DesignOptions>> design_rows() {
  using O = DesignOptions;
  std::vector<ParameterRow<O>> rows{
      row("format", &O::format, one_of(design_formats::names_of_formats()),
          "how the file of the design is written"),
      row("response", &O::response, any(),
          "name or number (from 1) of the response's column, a file of one number a row, an "
          "HDF5 dataset or a member of a .npz; auto: the last column, or y",
          "y"),
      row("dataset", &O::dataset, any(),
          "HDF5 and .npz: the dataset, group of compressed rows, or member that holds the rows"),
      row("precision", &O::precision, one_of({"double", "float"}),
          "of the stored entries; sums are made in double. float: an entry below 1e-45 becomes 0, one beyond "
          "3.4e38 is refused"),
      row("storage", &O::storage, one_of({"auto", "dense", "sparse"}), "auto: as the file is written"),
      row("memory", &O::memory, one_of({"auto", "read", "map"}),
          "binary and .npy: read: the entries are copied into memory; map: they are used where they stand in "
          "the file, of which the "
          "system keeps what fits; auto: mapped where they do not fit"),
      row("hdf5", &O::hdf5, one_of({"own", "plugins", "files", "all"}),
          "what an HDF5 file may bring in: own: nothing; plugins: filters from HDF5_PLUGIN_PATH, which run "
          "as code; files: "
          "external storage, external links and virtual datasets, which read other files; all"),
      row("patience", &O::patience, between(0.1, 1e6),
          "HDF5: seconds without a number after which reading is given up"),
      row("features", &O::features, between(0, std::numeric_limits<std::int32_t>::max()),
          "sparse text and sparse HDF5: number of columns; 0: the largest in the file", "p"),
      row("columns", &O::columns, any(),
          "table: the columns to read: names or numbers from 1, with commas; empty: all"),
      row("without", &O::without, any(), "table: columns to leave out, likewise"),
      row("categorical", &O::categorical, any(),
          "table: columns of numbers that are names of categories; columns of text are without being named"),
      row("missing", &O::missing,
          one_of<Missing>({{Missing::refuse, "refuse"},
                           {Missing::drop, "drop"},
                           {Missing::mean, "mean"},
                           {Missing::median, "median"},
                           {Missing::indicator, "indicator"}}),
          "table: what is done about a blank, NA, NaN, null, None, ?, . or -: refuse; drop: the row is left "
          "out; mean, median: that of the column, and the most frequent category; indicator: the mean, and a "
          "column that says where"),
      row("levels", &O::levels, one_of<Levels>({{Levels::reference, "reference"}, {Levels::all, "all"}}),
          "table: the columns of a category: reference: one a level but the first; all: one a level"),
      row("decimal", &O::decimal,
          one_of<Decimal>(
              {{Decimal::automatic, "auto"}, {Decimal::point, "point"}, {Decimal::comma, "comma"}}),
          "table: what stands before the decimals; the other of point and comma then separates thousands. "
          "auto: a comma where no number of the column has a point, and no thousands"),
      row("dates", &O::dates,
          one_of<Dates>({{Dates::refuse, "refuse"},
                         {Dates::days, "days"},
                         {Dates::day_first, "day-first"},
                         {Dates::month_first, "month-first"}}),
          "table: columns of dates such as 2024-03-01, 2024-03-01T12:30 or 31.12.2024: refuse; days: the "
          "days since 1970-01-01; day-first, month-first: likewise, also of 31/12/2024 or 12/31/2024"),
      row("weights", &O::weights, any(),
          "one number >= 0 a row: a column of a table (name or number), "
          "or a file; empty: those of the data, else 1",
          "w"),
      row("offset", &O::offset, any(),
          "one number a row that is added to <a_i, x>, as the log of an exposure: a column of a table, or a "
          "file; empty: those of the data, else 0",
          "o"),
      row("groups", &O::groups, any(),
          "rows with the same value stay in one fold of a cross-validation: a "
          "column of a table, or a file of one number a row"),
      row("unit_rows", &O::unit_rows, "whether every row is divided by its Euclidean length"),
      row("bits", &O::bits, between(0, 30),
          "vowpal-wabbit: features are hashed into 2^bits columns, as vw does (18 there); 0: they are whole "
          "numbers, those of their columns from 0")};
  for (auto& r : include(&O::table, table_rows())) rows.push_back(std::move(r));
  return rows;
}

}  // namespace claros
