// SPDX-License-Identifier: BSD-3-Clause
#include "observed_entries.hpp"

#include <claros/dataset.hpp>
#include <claros/error.hpp>
#include <claros/io/matrix_file.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace matrix_completion {

namespace {

Ids ids_of(Index count, Index first, const std::vector<std::string>& names,
           const std::vector<std::int32_t>& positions) {
  Ids ids{count, first, names, std::vector<Index>(at(count), 0)};
  for (const std::int32_t k : positions) ++ids.entries[at(k)];
  return ids;
}

void require_size(const DenseTable& table, const RatingsOptions& ratings, const std::filesystem::path& file) {
  if ((ratings.rows == 0 || ratings.rows == table.rows) && (ratings.cols == 0 || ratings.cols == table.cols))
    return;
  throw Error(ErrorKind::data, file.string(),
              "is " + Shape::matrix(table.rows, table.cols).text() + ", which rows and cols are not",
              "leave rows and cols out: a matrix tells its size");
}

/// A matrix of 3 to 8 columns looks like a list: what is wrong with the list says how it is read as a
/// matrix.
Ratings read_list(const std::filesystem::path& file, const Options& options, const Context& context) {
  try {
    return read_ratings(file, options.ratings, context);
  } catch (const Error& error) {
    if (options.layout != Layout::automatic || error.kind() != ErrorKind::data) throw;
    std::vector<Complaint> complaints = error.complaints();
    for (Complaint& complaint : complaints)
      complaint.remedy +=
          std::string(complaint.remedy.empty() ? "" : "; ") +
          "lines are row, column, value (write 1 as the value of pairs); layout = matrix reads a matrix with "
          "a line a row";
    throw Error(error.kind(), std::move(complaints));
  }
}

/// The name of an option that is set and that a matrix does not have; empty if there is none.
std::string option_of_list(const RatingsOptions& options) {
  return !options.columns.empty()        ? "columns"
         : options.weights != "none"     ? "weights"
         : options.half_life > 0.0       ? "half_life"
         : options.ids != "auto"         ? "ids"
         : options.duplicates != "error" ? "duplicates"
                                         : "";
}

DenseTable read_whole(const std::filesystem::path& file, const RatingsOptions& options,
                      const Context& context) {
  DesignOptions how;
  how.table = {options.delimiter, options.header};
  how.decimal = options.decimal == "comma"   ? Decimal::comma
                : options.decimal == "point" ? Decimal::point
                                             : Decimal::automatic;
  const bool plain = options.delimiter == "auto" && options.header == "auto" && options.decimal == "auto";
  return plain ? read_matrix(file, context) : read_matrix(file, how, context).table;
}

Ratings read_observations(const std::filesystem::path& file, const Options& options, const Context& context) {
  const std::string of_list = option_of_list(options.ratings);
  const bool counted = of_list == "ids" && options.ratings.ids != "arbitrary";  // from 0 or 1
  if (options.layout == Layout::matrix && !of_list.empty() && !counted)
    throw Error(ErrorKind::usage, of_list, "is about lists of row, column, value, and layout = matrix",
                "leave it out, or set layout = list");
  const bool whole =
      options.layout == Layout::matrix || (options.layout == Layout::automatic && of_list.empty() &&
                                           holds_matrix(file, options.ratings.delimiter));
  if (!whole) return read_list(file, options, context);
  const DenseTable table = read_whole(file, options.ratings, context);
  require_size(table, options.ratings, file);
  const auto is_count = [](double value) { return value >= 0.0 && value == std::floor(value); };
  if (options.implicit && options.layout == Layout::automatic && table.cols == 2 &&
      std::ranges::all_of(table.values, is_count))
    throw Error(ErrorKind::data, file.string(),
                "has two whole numbers a line, which may be a row and a column",
                "add a third column with the value 1, or set layout = matrix for a matrix of counts");
  Ratings entries{table.rows, table.cols, {}, {}, {}, {}, {}};
  for (Index i = 0; i < table.rows; ++i)
    for (Index j = 0; j < table.cols; ++j) {
      const double value = table.values[at(j * table.rows + i)];
      if (std::isnan(value)) continue;
      entries.row.push_back(static_cast<std::int32_t>(i));
      entries.col.push_back(static_cast<std::int32_t>(j));
      entries.value.push_back(value);
    }
  if (entries.value.empty())
    throw Error(ErrorKind::data, file.string(), "expected at least one entry, found none but missing ones",
                "give a matrix with numbers");
  context.note(file.string() + " is read as a " + Shape::matrix(table.rows, table.cols).text() +
               " matrix of which " + std::to_string(entries.value.size()) +
               " entries are observed (objective.layout = list reads row, column, value)");
  return entries;
}

/// Options about a file say nothing of entries in memory.
void expect_no_file_options(const RatingsOptions& given, const Ratings& entries) {
  RatingsOptions none;
  if (given.rows == entries.rows) none.rows = given.rows;
  if (given.cols == entries.cols) none.cols = given.cols;
  std::vector<Complaint> complaints;
  for (const auto& row : ratings_rows()) {
    const std::string name(row.info.name);
    if (name != "ids" && name != "duplicates" && row.print(given) != row.print(none))
      complaints.push_back({name, "is about a file, and the entries are not read from one",
                            "leave it out, and give the entries and the weights that are meant"});
  }
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

std::string name(const std::vector<std::string>& ids, std::int32_t k) {
  return ids.empty() ? std::to_string(k + 1) : ids[at(k)];
}

}  // namespace

Ratings observations(const Options& options, const Context& context) {
  if (!options.data.empty() && context.data)
    throw Error(ErrorKind::usage, "", "names '" + options.data + "', and the [data] section makes data too",
                "keep one of them");
  if (!options.data.empty()) return read_observations(context.resolve(options.data), options, context);
  const auto made = context.data ? context.data->ratings() : nullptr;
  if (made && made->value.empty())
    throw Error(ErrorKind::data, "[data]", "expected at least one observed entry, found none",
                "give data with entries");
  if (made) {
    expect_no_file_options(options.ratings, *made);
    return *made;
  }
  throw Error(ErrorKind::usage, "",
              "matrix-completion needs observed entries" +
                  std::string(context.data ? ", which the data of [data] does not have" : ""),
              "give data = FILE, or a [data] section that makes some");
}

void drop_weightless(Ratings& ratings) {
  if (std::ranges::find(ratings.weight, 0.0) == ratings.weight.end()) return;
  const auto keep = [&, weight = ratings.weight](auto& numbers) {
    std::size_t e = 0;
    std::erase_if(numbers, [&](const auto&) { return weight[e++] == 0.0; });
  };
  keep(ratings.row);
  keep(ratings.col);
  keep(ratings.value);
  keep(ratings.weight);
}

Training training_of(const Ratings& ratings, const RatingsOptions& options) {
  const Index first = options.ids == "zero-based" || (options.ids == "auto" && ratings.from_zero) ? 0 : 1;
  Training training;
  training.rows = ids_of(ratings.rows, first, ratings.row_ids, ratings.row);
  training.cols = ids_of(ratings.cols, first, ratings.col_ids, ratings.col);
  const auto [low, high] = std::minmax_element(ratings.value.begin(), ratings.value.end());
  training.low = *low;
  training.high = *high;
  return training;
}

Training training_of(const RatingParts& parts, const RatingsOptions& options) {
  const Index first = options.ids == "zero-based" ? 0 : 1;
  const Ratings& head = parts.head();
  Training training;
  training.rows = {head.rows, first, head.row_ids, parts.row_entries()};
  training.cols = {head.cols, first, head.col_ids, parts.col_entries()};
  return training;
}

void require_accepted(const Ratings& ratings, const Loss& loss, const std::string& file) {
  for (std::size_t e = 0; e < ratings.value.size(); ++e)
    if (!loss.accepts(ratings.value[e]))
      throw Error(ErrorKind::data, file,
                  "the value in row " + name(ratings.row_ids, ratings.row[e]) + ", column " +
                      name(ratings.col_ids, ratings.col[e]) +
                      (ratings.row_ids.empty() ? " (counted from 1) is " : " is ") +
                      print_real(ratings.value[e]) + "; the loss needs " + loss.targets(),
                  "change the values, or take another loss");
}

}  // namespace matrix_completion
