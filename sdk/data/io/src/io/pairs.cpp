// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/pairs.hpp>
#include <claros/io/ratings.hpp>

#include <claros/io/fields.hpp>
#include <claros/io/id_lookup.hpp>
#include <claros/io/triplets.hpp>

#include "io/list_columns.hpp"

#include <algorithm>
#include <utility>

namespace claros {

namespace {

/// One side of the matrix: from an id to a position.
class Lookup {
 public:
  Lookup(std::string side, const Ids& ids, const Training& training, const PairsOptions& options)
      : side_(std::move(side)),
        ids_(ids),
        lookup_(ids),
        strict_(options.strict),
        skips_(options.skips_unknown),
        baseline_(!training.baseline.is_none()) {}

  Index find(std::string_view id) const { return lookup_.find(id); }

  /// The index of a field; -1 is refused unless something is known of ids that the data does not have.
  Index at(const FieldReader& reader, std::size_t field) const {
    const std::string_view id = reader.fields()[field];
    const Index position = find(id);
    if (strict_ ? ids_.seen(position) : position >= 0) return position;
    const std::string is = "the " + side_ + " is " + shown(id) + ", which ";
    if (position >= 0)
      reader.fail(is + "has no entry in the training data; expected one that has",
                  "remove the line, or do not be strict");
    if (lookup_.numbers() && !integer_of(id))
      reader.fail(is + "is not an integer, as all ids are; expected " + expected(), remedy());
    if (strict_ || !(baseline_ || skips_))
      reader.fail(is + "is not in the training data; expected " + expected(), remedy());
    return -1;
  }

 private:
  std::string expected() const {
    if (!ids_.names.empty()) return "one of its " + std::to_string(ids_.count) + " " + side_ + " ids";
    return "an index from " + std::to_string(ids_.first) + " to " +
           std::to_string(ids_.first + ids_.count - 1);
  }
  std::string remedy() const {
    return "remove the line, or train on data that holds this " + side_ +
           (baseline_ ? "" : ", or with a baseline (objective.center = biases)");
  }

  std::string side_;
  const Ids& ids_;
  IdLookup lookup_;
  bool strict_, skips_, baseline_;
};

void refuse_matrix_market(TextInput& input) {
  std::string_view first;
  if (input.next(first) && is_matrix_market(first))
    throw Error(ErrorKind::data, input.path().string(), "is a Matrix Market file",
                "give row, column and perhaps value on every line");
  input.unread();
}

}  // namespace

Pairs read_pairs(TextInput& input, const Training& training, const PairsOptions& options) {
  expect_in_range(RatingsOptions{.delimiter = options.delimiter, .header = options.header}, ratings_rows());
  refuse_matrix_market(input);
  const ListNeeds needs{.value = false};
  const Lookup rows("row", training.rows, training, options),
      cols("column", training.cols, training, options);
  HeaderRule rule = list_header_rule(options.columns);
  rule.is_alike = nullptr;  // ids are known here
  const std::size_t row_at = numbered_field(options.columns, 0), col_at = numbered_field(options.columns, 1);
  rule.is_header = [&, may_be = rule.is_header](const std::vector<std::string_view>& fields) {
    return may_be(fields) && (fields.size() <= std::max(row_at, col_at) ||
                              (rows.find(fields[row_at]) < 0 && cols.find(fields[col_at]) < 0));
  };
  FieldReader reader(input, options.delimiter, list_header(options.header, options.columns), needs.fields(),
                     rule);
  const ListColumns at(reader, options.columns, needs);
  Decimals values(options.decimal, reader.delimiter());
  Pairs pairs;
  if (reader.header_is_guess()) pairs.header = joined(reader.names(), ", ");
  while (reader.next()) {
    const Index row = rows.at(reader, at.row), col = cols.at(reader, at.col);
    if (options.skips_unknown && training.baseline.is_none() && (row < 0 || col < 0)) {
      ++pairs.skipped;
      continue;
    }
    pairs.row.push_back(row), pairs.col.push_back(col);
    pairs.row_ids.emplace_back(reader.fields()[at.row]);
    pairs.col_ids.emplace_back(reader.fields()[at.col]);
    if (at.value) pairs.known.push_back(values.number(reader, *at.value, "the known value"));
  }
  values.expect_one(input.path().string());
  if (pairs.row.empty() && pairs.skipped > 0)
    throw Error(
        ErrorKind::data, input.path().string(),
        "none of its " + std::to_string(pairs.skipped) + " pairs has a row and a column of the training data",
        "give pairs of its ids, or say which columns hold them");
  if (pairs.row.empty())
    throw Error(ErrorKind::data, input.path().string(), "holds a header but no pairs",
                "expected lines of row, column");
  return pairs;
}

}  // namespace claros
