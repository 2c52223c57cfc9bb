// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/ratings.hpp>
#include <claros/text_input.hpp>

#include "consistency.hpp"
#include "fields.hpp"
#include "id_column.hpp"
#include "text_output.hpp"
#include "triplets.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace claros {
namespace {

Ratings read_delimited(TextInput& input, const RatingsOptions& options) {
  FieldReader reader(input, options.delimiter, options.header, 3);
  IdColumn rows("row", options.ids, options.rows), cols("column", options.ids, options.cols);
  Triplets triplets;
  while (reader.next()) {
    rows.add(reader, 0);
    cols.add(reader, 1);
    triplets.value.push_back(reader.number(2, "the value"));
    triplets.line.push_back(static_cast<std::uint32_t>(input.line()));
  }
  if (triplets.value.empty())
    throw Error(ErrorKind::data, input.path().string(), "the file holds a header but no ratings",
                "expected lines of row, column, value");
  rows.finish(input, triplets.line);
  cols.finish(input, triplets.line);
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
Index larger(const TextInput& input, const char* side, Index in_file, Index declared) {
  if (declared > 0 && declared < in_file)
    throw Error(ErrorKind::data, input.path().string(),
                "the file has " + std::to_string(in_file) + " " + side + ", but " + std::to_string(declared) +
                    " were declared",
                std::string("leave ") + side + " at 0 or declare at least as many");
  return std::max(in_file, declared);
}

Ratings read_coordinate_ratings(TextInput& input, const RatingsOptions& options) {
  Triplets triplets = read_coordinates(input);
  if (triplets.value.empty())
    throw Error(ErrorKind::data, input.path().string(), "the file holds no entries");
  triplets.rows = larger(input, "rows", triplets.rows, options.rows);
  triplets.cols = larger(input, "cols", triplets.cols, options.cols);
  return sorted(input, std::move(triplets), options.duplicates);
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
      row("rows", &O::rows, size, "number of rows; 0: from the data", "m"),
      row("cols", &O::cols, size, "number of columns; 0: from the data", "n"),
  };
}

Ratings read_ratings(const std::filesystem::path& path, const RatingsOptions& options) {
  expect_in_range(options, ratings_rows());
  TextInput input(path);
  std::string_view first;
  const bool matrix_market = input.next(first) && is_matrix_market(first);
  input.unread();
  return matrix_market ? read_coordinate_ratings(input, options) : read_delimited(input, options);
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
    out << '\t' << ratings.value[i] << '\n';
  }
  out.commit();
}

}  // namespace claros
