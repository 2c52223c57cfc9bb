// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/features.hpp>

#include <claros/error.hpp>
#include <claros/io/fields.hpp>
#include <claros/io/id_lookup.hpp>
#include <claros/io/matrix_file.hpp>
#include <claros/io/ratings.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace claros {

namespace {

Features of_entries(const Ratings& entries) {
  Features made{.width = entries.cols,
                .start = std::vector<Index>(at(entries.rows) + 1, 0),
                .column = entries.col,
                .value = entries.value,
                .ids = entries.row_ids,
                .names = entries.col_ids};
  for (const std::int32_t i : entries.row) ++made.start[at(i) + 1];
  std::partial_sum(made.start.begin(), made.start.end(), made.start.begin());
  return made;
}

Features of_table(const DenseTable& table, const std::string& file) {
  Features made{.width = table.cols};
  for (Index i = 0; i < table.rows; ++i) {
    for (Index j = 0; j < table.cols; ++j) {
      const double value = table.values[at(j * table.rows + i)];
      if (std::isnan(value))
        throw Error(ErrorKind::data, file,
                    "expected a number for every feature, and found none in row " + std::to_string(i + 1) +
                        ", column " + std::to_string(j + 1),
                    "fill it in, for example with the mean of its column");
      made.column.push_back(static_cast<std::int32_t>(j)), made.value.push_back(value);
    }
    made.start.push_back(std::ssize(made.column));
  }
  return made;
}

/// A text file of three fields a line.
bool is_list(const std::filesystem::path& file) {
  if (file.extension() == ".npy" || holds_matrix(file)) return false;
  TextInput input(file);
  std::string_view line;
  if (!input.next(line)) return false;
  const std::string word = FieldSplitter::guess(line);
  return !word.empty() && FieldSplitter(input, word).split(line).size() == 3;
}

Features read_any(const std::filesystem::path& file, const Context& context) {
  if (holds_coordinates(file)) return of_entries(read_ratings(file, {}, context));
  if (is_list(file)) return of_entries(read_ratings(file, {.ids = "arbitrary", .columns = "1,2,3"}, context));
  return of_table(read_matrix(file, context), file.string());
}

}  // namespace

Features read_features(const std::filesystem::path& file, const std::string& key, const Context& context) {
  Features made = read_any(file, context);
  if (made.width == 0 || made.value.empty())
    throw Error(ErrorKind::data, file.string(), key + " expected at least one feature, found none",
                "give lines of id, feature, value, or a matrix");
  return made;
}

Features in_order_of(Ids& ids, Features features, const std::string& side, const std::string& file) {
  const bool lines = features.ids.empty();
  if (lines && !ids.names.empty())
    throw Error(ErrorKind::data, file,
                "is a matrix, whose lines have no ids, and the " + side + "s of the data have labels",
                "give lines of id, feature, value");
  std::vector<Index> line_of(at(ids.count), -1);  // the line of the features of each
  if (!lines && ids.names.empty()) {
    for (Index k = 0; k < features.rows(); ++k) {
      const auto id = integer_of(features.ids[at(k)]);
      if (!id || *id < ids.first || *id - ids.first >= (Index{1} << 31))
        throw Error(ErrorKind::data, file,
                    "the id " + shown(features.ids[at(k)]) + " is not an index from " +
                        std::to_string(ids.first) + ", as the " + side + "s of the data are",
                    "correct the id");
      const Index row = *id - ids.first;
      if (row >= std::ssize(line_of)) line_of.resize(at(row) + 1, -1);
      line_of[at(row)] = k;
    }
  } else if (!lines) {
    const IdLookup lookup(ids);
    for (Index k = 0; k < features.rows(); ++k) {
      const Index row = lookup.find(features.ids[at(k)]);
      if (row < 0)
        ids.names.push_back(features.ids[at(k)]), line_of.push_back(k);
      else
        line_of[at(row)] = k;
    }
  } else {
    line_of.resize(at(std::max(ids.count, features.rows())), -1);
    std::iota(line_of.begin(), line_of.begin() + features.rows(), Index{0});
  }
  ids.count = std::ssize(line_of), ids.entries.resize(line_of.size(), 0);
  Features ordered{.width = features.width, .names = std::move(features.names)};
  for (std::size_t row = 0; row < line_of.size(); ++row) {
    const Index k = line_of[row];
    if (k < 0 && ids.entries[row] > 0)
      throw Error(ErrorKind::data, file,
                  "expected features of every " + side + " with entries, and found none of " + side + " " +
                      ids.name(static_cast<Index>(row)),
                  "add them, or remove its entries");
    for (Index e = k < 0 ? 0 : features.start[at(k)]; k >= 0 && e < features.start[at(k) + 1]; ++e)
      ordered.column.push_back(features.column[at(e)]), ordered.value.push_back(features.value[at(e)]);
    ordered.start.push_back(std::ssize(ordered.column));
  }
  return ordered;
}

}  // namespace claros
