// SPDX-License-Identifier: BSD-3-Clause
#include <claros/composition.hpp>
#include <claros/prediction.hpp>
#include <claros/spec.hpp>

#include "fields.hpp"
#include "triplets.hpp"

#include <cmath>
#include <unordered_map>
#include <utility>

namespace claros {

namespace {

std::string size_text(Index rows, Index cols) { return std::to_string(rows) + " x " + std::to_string(cols); }

/// One side of the matrix: from an id to a position.
class Lookup {
 public:
  Lookup(std::string side, Index count, Index first, const std::vector<std::string>& ids)
      : side_(std::move(side)), count_(count), first_(first), indices_(ids.empty()) {
    for (std::size_t k = 0; k < ids.size(); ++k) {
      known_.emplace(ids[k], static_cast<Index>(k));
      numbers_ = numbers_ && integer_of(ids[k]);
    }
  }

  /// The position, or -1.
  Index find(std::string_view id) const {
    if (indices_) {
      const auto number = integer_of(id);
      return number && *number >= first_ && *number - first_ < count_ ? *number - first_ : -1;
    }
    const auto at = known_.find(std::string(id));
    return at == known_.end() ? find_number(id) : at->second;
  }

  Index at(const FieldReader& reader, std::size_t field) const {
    const std::string_view id = reader.fields()[field];
    const Index position = find(id);
    if (position < 0)
      reader.fail(
          "the " + side_ + " is " + shown(id) + ", which is not in the training data; expected " + expected(),
          remedy());
    return position;
  }

 private:
  /// Where all ids are integers they were read as numbers, and "007" and "+7" are the same one.
  Index find_number(std::string_view id) const {
    const auto number = numbers_ ? integer_of(id) : std::nullopt;
    const auto at = number ? known_.find(std::to_string(*number)) : known_.end();
    return at == known_.end() ? -1 : at->second;
  }
  std::string expected() const {
    if (!indices_) return "one of its " + std::to_string(count_) + " " + side_ + " ids";
    return "an index from " + std::to_string(first_) + " to " + std::to_string(first_ + count_ - 1);
  }
  std::string remedy() const { return "remove the line, or train on data that holds this " + side_; }

  std::string side_;
  Index count_, first_;
  bool indices_, numbers_ = true;
  std::unordered_map<std::string, Index> known_;
};

bool is_header(const FieldReader& reader, const Lookup& rows, const Lookup& cols) {
  for (const std::string_view field : reader.fields())
    if (number_of(field)) return false;
  return rows.find(reader.fields()[0]) < 0 && cols.find(reader.fields()[1]) < 0;
}

void refuse_matrix_market(const std::filesystem::path& file) {
  TextInput input(file);
  std::string_view first;
  if (input.next(first) && is_matrix_market(first))
    throw Error(ErrorKind::data, file.string(), "is a Matrix Market file",
                "give row, column and perhaps value on every line");
}

std::string joined(const std::vector<std::string_view>& fields) {
  std::string text;
  for (const std::string_view field : fields) text += (text.empty() ? "" : ", ") + std::string(field);
  return text;
}

/// The options of ratings_rows among the settings of an objective.
RatingsOptions ratings_options(const Spec& spec) {
  RatingsOptions options;
  for (const ParameterRow<RatingsOptions>& row : ratings_rows())
    if (const auto setting = spec.get("objective", row.info.name)) row.assign(options, setting->value);
  return options;
}

bool takes_ratings(const ParameterList& parameters) {
  for (const ParameterRow<RatingsOptions>& row : ratings_rows())
    if (!parameters.find(row.info.name)) return false;
  return parameters.find("data") != nullptr;
}

}  // namespace

MatrixIds training_ids(const Catalog& catalog, const std::filesystem::path& folder,
                       const Solution& solution) {
  const Spec spec = Spec::read(folder / "spec.ini");
  MatrixIds ids{solution.rows(), solution.cols(), 1, {}, {}};
  const auto use = spec.get("objective", std::string(kUse));
  const auto data = spec.get("objective", "data");
  if (!use || !data || !takes_ratings(*catalog.at(Kind::objective, use->value, use->label()).parameters))
    return ids;
  const RatingsOptions options = ratings_options(spec);
  ids.first = options.ids == "zero-based" ? 0 : 1;
  if (data->value.empty()) return ids;  // it came from a [data] section, whose ids are indices
  Context context;
  context.base = spec.base();
  const std::filesystem::path file = context.resolve(data->value);
  Ratings ratings = read_ratings(file, options);
  if (ratings.rows != solution.rows() || ratings.cols != solution.cols())
    throw Error(ErrorKind::data, file.string(),
                "is " + size_text(ratings.rows, ratings.cols) + ", but the solution in " + folder.string() +
                    " is " + size_text(solution.rows(), solution.cols()) +
                    "; expected the data that it was trained on",
                "restore the data, or run again");
  ids.row_ids = std::move(ratings.row_ids);
  ids.col_ids = std::move(ratings.col_ids);
  return ids;
}

Pairs read_pairs(const std::filesystem::path& file, const MatrixIds& ids, const std::string& delimiter,
                 const std::string& header) {
  expect_in_range(RatingsOptions{delimiter, header, "auto", "error", 0, 0}, ratings_rows());
  refuse_matrix_market(file);
  TextInput input(file);
  FieldReader reader(input, delimiter, header == "yes" ? "yes" : "no", 2);
  const Lookup rows("row", ids.rows, ids.first, ids.row_ids),
      cols("column", ids.cols, ids.first, ids.col_ids);
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
    throw Error(ErrorKind::data, file.string(), "holds a header but no pairs",
                "expected lines of row, column");
  return pairs;
}

std::vector<double> predict(const Solution& solution, const Pairs& pairs) {
  std::vector<double> result;
  for (std::size_t k = 0; k < pairs.row.size(); ++k)
    result.push_back(solution.at(pairs.row[k], pairs.col[k]));
  return result;
}

std::string predictions_csv(const Pairs& pairs, const std::vector<double>& predictions) {
  const bool known = !pairs.known.empty();
  std::string text = known ? "row,column,prediction,known\n" : "row,column,prediction\n";
  for (std::size_t k = 0; k < predictions.size(); ++k) {
    text += field_text(pairs.row_ids[k], ',', "predictions") + ',' +
            field_text(pairs.col_ids[k], ',', "predictions") + ',' + print_real(predictions[k]);
    text += known ? ',' + print_real(pairs.known[k]) + '\n' : "\n";
  }
  return text;
}

PredictionErrors prediction_errors(const std::vector<double>& predictions, const std::vector<double>& known) {
  PredictionErrors errors;
  for (std::size_t k = 0; k < known.size(); ++k) {
    const double difference = predictions[k] - known[k];
    errors.rmse += difference * difference;
    errors.mae += std::abs(difference);
  }
  const double n = static_cast<double>(known.size());
  return {std::sqrt(errors.rmse / n), errors.mae / n};
}

}  // namespace claros
