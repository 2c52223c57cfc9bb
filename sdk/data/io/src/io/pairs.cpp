// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/pairs.hpp>
#include <claros/io/ratings.hpp>

#include <claros/io/fields.hpp>
#include <claros/io/id_lookup.hpp>
#include <claros/io/triplets.hpp>

#include <utility>

namespace claros {

namespace {

/// One side of the matrix: from an id to a position.
class Lookup {
 public:
  Lookup(std::string side, const Ids& ids, const Training& training, bool strict)
      : side_(std::move(side)),
        ids_(ids),
        lookup_(ids),
        strict_(strict),
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
    if (strict_ || !baseline_)
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
  bool strict_, baseline_;
};

bool is_header(const FieldReader& reader, const Lookup& rows, const Lookup& cols) {
  for (const std::string_view field : reader.fields())
    if (number_of(field)) return false;
  return rows.find(reader.fields()[0]) < 0 && cols.find(reader.fields()[1]) < 0;
}

void refuse_matrix_market(TextInput& input) {
  std::string_view first;
  if (input.next(first) && is_matrix_market(first))
    throw Error(ErrorKind::data, input.path().string(), "is a Matrix Market file",
                "give row, column and perhaps value on every line");
  input.unread();
}

std::string joined(const std::vector<std::string_view>& fields) {
  std::string text;
  for (const std::string_view field : fields) text += (text.empty() ? "" : ", ") + std::string(field);
  return text;
}

}  // namespace

Pairs read_pairs(TextInput& input, const Training& training, const PairsOptions& options) {
  expect_in_range(RatingsOptions{.delimiter = options.delimiter, .header = options.header}, ratings_rows());
  refuse_matrix_market(input);
  const std::string& header = options.header;
  FieldReader reader(input, options.delimiter, header == "yes" ? "yes" : "no", 2);
  const Lookup rows("row", training.rows, training, options.strict),
      cols("column", training.cols, training, options.strict);
  Pairs pairs;
  bool first = header == "auto";
  while (reader.next()) {
    if (std::exchange(first, false) && is_header(reader, rows, cols)) {
      pairs.header = joined(reader.fields());
      continue;
    }
    pairs.row.push_back(rows.at(reader, 0));
    pairs.col.push_back(cols.at(reader, 1));
    pairs.row_ids.emplace_back(reader.fields()[0]);
    pairs.col_ids.emplace_back(reader.fields()[1]);
    if (reader.fields().size() > 2) pairs.known.push_back(reader.number(2, "the known value"));
  }
  if (pairs.row.empty())
    throw Error(ErrorKind::data, input.path().string(), "holds a header but no pairs",
                "expected lines of row, column");
  return pairs;
}

}  // namespace claros
