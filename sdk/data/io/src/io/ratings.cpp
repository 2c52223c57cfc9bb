// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/csv.hpp>
#include <claros/io/ratings.hpp>
#include <claros/io/text_input.hpp>

#include <claros/io/fields.hpp>
#include <claros/io/file_limits.hpp>
#include <claros/io/triplets.hpp>
#include "io/consistency.hpp"
#include "io/design_formats.hpp"
#include "io/file_kind.hpp"
#include "io/id_column.hpp"
#include "io/list_columns.hpp"
#include "io/numpy_archive.hpp"
#include "io/plain_line.hpp"
#include "io/text_output.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace claros {
namespace {

/// The memory of an entry while it is read: its ids as numbers and as positions, its value, its line and the
/// names of ids.
constexpr std::size_t kEntryBytes = 64;

bool reads_fourth(const RatingsOptions& options) {
  return options.weights == "column" || options.half_life > 0.0;
}

/// Applies weights, or times, from the fourth field.
void weigh(Triplets& triplets, const RatingsOptions& options,
           const std::function<std::string(std::size_t)>& where, const Context& context) {
  if (options.half_life > 0.0 && !triplets.weight.empty()) {
    constexpr double kNearlyNone = 1e-6;
    const auto [oldest, newest] = std::minmax_element(triplets.weight.begin(), triplets.weight.end());
    const double last = *newest, lives = (last - *oldest) / options.half_life;
    for (double& t : triplets.weight) t = std::exp2((t - last) / options.half_life);
    const auto few = std::ranges::count_if(triplets.weight, [](double w) { return w < kNearlyNone; });
    if (few > 0)
      context.warn("half_life: " + std::to_string(few) + " of " + std::to_string(triplets.weight.size()) +
                   " ratings have weights below 1e-6, since the times span " + print_real(lives) +
                   " half-lives (half_life is in the unit of the times)");
  }
  expect_weights(triplets.weight, where);
}

/// Warns of options about reading text, for a file that holds positions.
void warn_unused(const std::string& file, const RatingsOptions& options, bool has_ids,
                 const Context& context) {
  const std::pair<const char*, bool> asked[] = {{"delimiter", options.delimiter != "auto"},
                                                {"header", options.header != "auto"},
                                                {"columns", !options.columns.empty()},
                                                {"decimal", options.decimal != "auto"},
                                                {"ids", options.ids == "arbitrary" && !has_ids}};
  for (const auto& [name, given] : asked)
    if (given) context.warn(file + ": the option " + name + " has no effect on a file of this format");
  if (reads_fourth(options) && !has_ids)
    throw Error(ErrorKind::usage, options.half_life > 0.0 ? "half_life" : "weights",
                "is about a fourth field, and " + file + " has positions and values alone",
                "write lines of row, column, value and weight (or time)");
}

Ratings read_delimited(TextInput& input, const RatingsOptions& options, const Context& context) {
  const ListNeeds needs = needs_of(options);
  FieldReader reader(input, options.delimiter, list_header(options.header, options.columns), needs.fields(),
                     list_header_rule(options.columns));
  const ListColumns columns(reader, options.columns, needs);
  columns.note(reader, context);
  Decimals values(options.decimal, reader.delimiter()), fourths(options.decimal, reader.delimiter());
  IdColumn rows("row", options.ids, options.rows), cols("column", options.ids, options.cols);
  Triplets triplets;
  GrowthWatch memory("the table of entries");
  const std::string file = input.path().string();
  std::optional<PlainLine> plain;
  if (columns.in_order() && options.decimal != "comma")
    plain.emplace(reader.delimiter(), reader.width(), needs.fields());
  // The reader may hold the first record, so it takes that one.
  std::string_view line;
  for (bool first = true; first ? reader.next() : input.next_filled(line); first = false) {
    memory.grown(kEntryBytes * triplets.value.size(), file);
    const bool is_plain = !first && plain && plain->scan(line) && rows.accepts(plain->row) &&
                          cols.accepts(plain->col) && !(plain->point && values.comma) &&
                          !(plain->fourth_point && fourths.comma);
    if (is_plain) {
      values.point = plain->point;
      fourths.point = plain->fourth_point;
      rows.add(plain->row);
      cols.add(plain->col);
      triplets.value.push_back(plain->value);
      if (columns.fourth) triplets.weight.push_back(plain->fourth);
    } else {
      if (!first) {
        input.unread();
        (void)reader.next();
      }
      rows.add(reader, columns.row);
      cols.add(reader, columns.col);
      triplets.value.push_back(values.number(reader, *columns.value, "the value"));
      if (columns.fourth)
        triplets.weight.push_back(
            fourths.number(reader, *columns.fourth, options.half_life > 0.0 ? "the time" : "the weight"));
    }
    triplets.line.push_back(static_cast<std::uint32_t>(input.line()));
  }
  if (triplets.value.empty())
    throw Error(ErrorKind::data, input.path().string(), "the file holds a header but no ratings",
                "expected lines of row, column, value");
  for (const Decimals& column : {values, fourths}) column.expect_one(file);
  const auto where = [&](std::size_t k) { return input.where(triplets.line[k]); };
  weigh(triplets, options, where, context);
  rows.finish(input.path().string(), where, context);
  cols.finish(input.path().string(), where, context);
  if (const auto guess = columns.guess(reader); guess && (rows.holds(guess->row) || cols.holds(guess->col)))
    guess->refuse();
  triplets.row = std::move(rows.positions);
  triplets.col = std::move(cols.positions);
  triplets.rows = rows.count;
  triplets.cols = cols.count;
  Ratings result = sorted(input, std::move(triplets), options.duplicates);
  result.row_ids = std::move(rows.ids);
  result.col_ids = std::move(cols.ids);
  return result;
}

/// The size of the matrix: that of the file, or a larger one that was declared.
Index larger(const std::string& file, const char* side, Index in_file, Index declared) {
  if (declared > 0 && declared < in_file)
    throw Error(ErrorKind::data, file,
                "the file has " + std::to_string(in_file) + " " + side + ", but " + std::to_string(declared) +
                    " were declared",
                std::string("leave ") + side + " at 0 or declare at least as many");
  return std::max(in_file, declared);
}

void fit_to_declared(Triplets& triplets, const std::string& file, const RatingsOptions& options) {
  expect_plausible_sizes(triplets, file, "if the size is meant, declare it (rows, cols)", options.rows,
                         options.cols);
  triplets.rows = larger(file, "rows", triplets.rows, options.rows);
  triplets.cols = larger(file, "cols", triplets.cols, options.cols);
}

Ratings read_coordinate_ratings(TextInput& input, const RatingsOptions& options, const Context& context) {
  warn_unused(input.path().string(), options, false, context);
  Triplets triplets = read_coordinates(input);
  if (triplets.value.empty())
    throw Error(ErrorKind::data, input.path().string(), "the file holds no entries");
  fit_to_declared(triplets, input.path().string(), options);
  return sorted(input, std::move(triplets), options.duplicates);
}

/// Lines of row id, column id, value, as in a text file.
Ratings read_npy_ratings(const std::filesystem::path& path, const RatingsOptions& options,
                         const Context& context) {
  warn_unused(path.string(), options, true, context);
  const DenseTable table = table_of(open_npy(path));
  if (table.cols > 3 && !reads_fourth(options))
    context.note(path.string() + ": of " + std::to_string(table.cols) +
                 " columns the first three are read: row, column and value (weights = column and half_life "
                 "read the fourth)");
  if (table.cols < (reads_fourth(options) ? 4 : 3))
    throw Error(ErrorKind::data, path.string(),
                "an array of " + std::to_string(table.rows) + " x " + std::to_string(table.cols) +
                    "; expected rows of row, column, value" +
                    (reads_fourth(options) ? ", weight or time" : ""),
                "save such an array, or a sparse matrix by scipy.sparse.save_npz");
  const auto where = [&](std::size_t k) { return path.string() + ", row " + std::to_string(k + 1); };
  const auto ids = [&](const std::string& side, Index declared, const double* from) {
    IdColumn column(side, options.ids, declared);
    for (std::size_t k = 0; k < static_cast<std::size_t>(table.rows); ++k) {
      if (from[k] != std::floor(from[k]) || std::abs(from[k]) > 0x1p53)
        throw Error(ErrorKind::data, where(k),
                    "the " + side + " id " + print_real(from[k]) + " is not an integer",
                    "save integers in the first two columns");
      column.add(static_cast<Index>(from[k]), where(k));
    }
    column.finish(path.string(), where, context);
    return column;
  };
  const double* values = table.values.data();
  IdColumn rows = ids("row", options.rows, values), cols = ids("column", options.cols, values + table.rows);
  const double* value = values + 2 * table.rows;
  Triplets triplets{rows.count,
                    cols.count,
                    std::move(rows.positions),
                    std::move(cols.positions),
                    {value, value + table.rows},
                    {}};
  if (reads_fourth(options)) triplets.weight.assign(value + table.rows, value + 2 * table.rows);
  weigh(triplets, options, where, context);
  Ratings result = sorted(std::move(triplets), options.duplicates, same_position(path.string()));
  result.row_ids = std::move(rows.ids);
  result.col_ids = std::move(cols.ids);
  return result;
}

Ratings read_npz_ratings(const std::filesystem::path& path, const RatingsOptions& options,
                         const Context& context) {
  warn_unused(path.string(), options, false, context);
  const NumpyArchive archive(path);
  if (!archive.is_sparse())
    archive.fail_missing("a sparse matrix: data, shape and row, col or indices, indptr, format");
  Triplets triplets = archive.sparse();
  if (triplets.value.empty()) throw Error(ErrorKind::data, path.string(), "the file holds no entries");
  fit_to_declared(triplets, path.string(), options);
  return sorted(std::move(triplets), options.duplicates, same_position(path.string()));
}

/// The stored entries of a group of compressed rows or columns.
Ratings read_hdf5_ratings(const std::filesystem::path& path, const RatingsOptions& options,
                          const Context& context) {
  warn_unused(path.string(), options, false, context);
  DesignOptions how;
  how.dataset = options.dataset;
  how.bare_columns = 1;  // there is no response
  bool turned = false;
  const Design design = design_formats::read_hdf5(path, how, context, &turned);
  const auto* held = std::get_if<SparseRows<double>>(&design.entries);
  if (!held)
    throw Error(ErrorKind::data, path.string(),
                "'" + options.dataset + "' is a dense array, which does not say what is observed",
                "store a sparse matrix (AnnData), or write it as .npy with NaN for what is not observed");
  require_consistent(design, path.string(), false);  // every number is finite
  const CompressedRows<double> rows = held->view();
  if (rows.value.empty()) throw Error(ErrorKind::data, path.string(), "the group holds no entries");
  Triplets triplets{design.rows, design.cols, {}, {}, {rows.value.begin(), rows.value.end()}, {}};
  triplets.col.assign(rows.column.begin(), rows.column.end());
  for (Index i = 0; i < design.rows; ++i)
    triplets.row.insert(triplets.row.end(),
                        static_cast<std::size_t>(rows.start[static_cast<std::size_t>(i) + 1] -
                                                 rows.start[static_cast<std::size_t>(i)]),
                        static_cast<std::int32_t>(i));
  if (turned) std::swap(triplets.row, triplets.col), std::swap(triplets.rows, triplets.cols);
  fit_to_declared(triplets, path.string(), options);
  return sorted(std::move(triplets), options.duplicates, same_position(path.string()));
}

/// The fields that stand for rows (columns) with ids; none for indices.
std::vector<std::string> id_fields(const std::vector<std::string>& ids, const std::string& where) {
  std::vector<std::string> fields;
  for (const std::string& id : ids) {
    if (id.empty())
      throw Error(ErrorKind::data, where, "cannot be written: an id is empty",
                  "give every row and column an id");
    fields.push_back(field_text(id, '\t', where));
  }
  return fields;
}

void put_id(TextOutput& out, const std::vector<std::string>& fields, std::int32_t position) {
  if (fields.empty()) {
    out << position + Index{1};
  } else {
    out << fields[static_cast<std::size_t>(position)];
  }
}

}  // namespace

std::vector<ParameterRow<RatingsOptions>> ratings_rows() {
  using O = RatingsOptions;
  const auto size = between(0, std::numeric_limits<std::int32_t>::max());
  return {
      row("delimiter", &O::delimiter, delimiter_range(), "what separates the fields of a line"),
      row("header", &O::header, header_range(), "whether the first line names the columns"),
      row("ids", &O::ids, one_of({"auto", "one-based", "zero-based", "arbitrary"}),
          "what row and column ids are"),
      row("duplicates", &O::duplicates, one_of({"error", "mean", "last"}),
          "what becomes of a position given twice"),
      row("dataset", &O::dataset, any(), "the group of compressed rows or columns in an HDF5 file"),
      row("rows", &O::rows, size, "number of rows; 0: from the data", "m"),
      row("cols", &O::cols, size, "number of columns; 0: from the data", "n"),
      row("weights", &O::weights, one_of({"none", "column"}),
          "column: the fourth field of a line is the weight of the rating; f is the weighted mean", "w"),
      row("half_life", &O::half_life, at_least(0),
          "the fourth field is a time, and a rating so much older than the newest has half its weight; 0: "
          "times are not read"),
      row("columns", &O::columns, any(),
          "the fields of row, column, value and perhaps weight or time, with commas between them: names of "
          "the header or numbers from 1; empty: by the header, else the first ones"),
      row("decimal", &O::decimal, one_of({"auto", "point", "comma"}),
          "what stands before the decimals; auto: a comma where no number of the column has a point"),
  };
}

namespace {

Ratings ratings_of(const std::filesystem::path& path, const RatingsOptions& options, const Context& context) {
  const std::string bytes = first_bytes(path);
  if (is_npy(bytes)) return read_npy_ratings(path, options, context);
  if (is_zip(bytes)) return read_npz_ratings(path, options, context);
  if (is_hdf5(bytes)) return read_hdf5_ratings(path, options, context);
  TextInput input(path);
  std::string_view first;
  const bool matrix_market = input.next(first) && is_matrix_market(first);
  input.unread();
  return matrix_market ? read_coordinate_ratings(input, options, context)
                       : read_delimited(input, options, context);
}

}  // namespace

Ratings read_ratings(const std::filesystem::path& path, const RatingsOptions& options,
                     const Context& context) {
  static const auto rows = ratings_rows();
  expect_in_range(options, rows);
  (void)needs_of(options);
  return within_memory(path.string(), [&] { return ratings_of(path, options, context); });
}

void write_ratings(const std::filesystem::path& path, const Ratings& ratings) {
  expect_consistent(ratings, path.string());
  const auto rows = id_fields(ratings.row_ids, path.string()),
             cols = id_fields(ratings.col_ids, path.string());
  TextOutput out(path);
  for (std::size_t i = 0; i < ratings.value.size(); ++i) {
    put_id(out, rows, ratings.row[i]);
    out << '\t';
    put_id(out, cols, ratings.col[i]);
    out << '\t' << ratings.value[i];
    if (!ratings.weight.empty()) out << '\t' << ratings.weight[i];
    out << '\n';
  }
  out.commit();
}

}  // namespace claros
