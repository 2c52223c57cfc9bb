// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/atomic_file.hpp>
#include <claros/io/csv.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/io/training.hpp>

#include <claros/io/fields.hpp>

#include <limits>
#include <system_error>
#include <utility>

namespace claros {

namespace {

constexpr const char *kRows = "rows.csv", *kCols = "columns.csv", *kRange = "range.mtx", *kMean = "mean.mtx",
                     *kRowBiases = "row_biases.mtx", *kColBiases = "column_biases.mtx";

void write_ids(const std::filesystem::path& file, const Ids& ids) {
  std::string text = "id,entries\n";
  for (Index k = 0; k < ids.count; ++k)
    text += field_text(ids.name(k), ',', file.string()) + ',' +
            std::to_string(ids.entries[static_cast<std::size_t>(k)]) + '\n';
  write_atomically(file, text);
}

void write_vector(const std::filesystem::path& file, std::vector<double> values) {
  const auto size = static_cast<Index>(values.size());
  write_matrix_market(file, DenseTable{size, 1, std::move(values)});
}

/// Names that are the integers from 0 or 1 on are indices.
void recognise_indices(Ids& ids) {
  const std::string& first = ids.names.front();
  if (first != "0" && first != "1") return;
  const Index start = first == "1";
  for (std::size_t k = 0; k < ids.names.size(); ++k)
    if (ids.names[k] != std::to_string(start + static_cast<Index>(k))) return;
  ids.names.clear();
  ids.first = start;
}

[[noreturn]] void misfit(const std::filesystem::path& file, Index found, Index expected) {
  throw Error(ErrorKind::data, file.string(),
              "holds " + std::to_string(found) + " where the solution has " + std::to_string(expected),
              "run again");
}

Ids read_ids(const std::filesystem::path& file, Index count) {
  TextInput input(file);
  FieldReader reader(input, "comma", "yes", 2);
  Ids ids;
  while (reader.next()) {
    ids.names.emplace_back(reader.fields()[0]);
    const auto entries = integer_of(reader.fields()[1]);
    if (!entries || *entries < 0)
      reader.fail("the number of entries is " + shown(reader.fields()[1]), "run again");
    ids.entries.push_back(*entries);
  }
  ids.count = static_cast<Index>(ids.names.size());
  if (ids.count != count) misfit(file, ids.count, count);
  recognise_indices(ids);
  return ids;
}

std::vector<double> read_vector(const std::filesystem::path& file, Index size) {
  DenseTable table = read_matrix_market_array(file);
  if (table.rows * table.cols != size) misfit(file, table.rows * table.cols, size);
  return std::move(table.values);
}

bool present(const std::filesystem::path& file) {
  std::error_code code;
  return std::filesystem::exists(file, code);
}

}  // namespace

const std::vector<std::string>& training_files() {
  static const std::vector<std::string> files{kRows, kCols, kRange, kMean, kRowBiases, kColBiases};
  return files;
}

void write_training(const std::filesystem::path& folder, const Training& training) {
  write_ids(folder / kRows, training.rows);
  write_ids(folder / kCols, training.cols);
  write_vector(folder / kRange, {training.low, training.high});
  const Baseline& baseline = training.baseline;
  if (baseline.is_none()) return;
  write_vector(folder / kMean, {baseline.mean});
  if (baseline.row.empty()) return;
  write_vector(folder / kRowBiases, baseline.row);
  write_vector(folder / kColBiases, baseline.col);
}

Training read_training(const std::filesystem::path& folder, Index rows, Index cols) {
  Training training;
  training.rows.count = rows;
  training.cols.count = cols;
  training.low = training.high = std::numeric_limits<double>::quiet_NaN();
  if (!present(folder / kRows)) return training;
  training.rows = read_ids(folder / kRows, rows);
  training.cols = read_ids(folder / kCols, cols);
  const std::vector<double> range = read_vector(folder / kRange, 2);
  training.low = range[0];
  training.high = range[1];
  Baseline& baseline = training.baseline;
  const bool of_rows = present(folder / kRowBiases), of_cols = present(folder / kColBiases);
  if (of_rows != of_cols || (of_rows && !present(folder / kMean)))
    throw Error(ErrorKind::data, folder.string(),
                std::string("holds a part of a baseline; expected all of ") + kMean + ", " + kRowBiases +
                    " and " + kColBiases,
                "copy the whole folder, or run again");
  if (!present(folder / kMean)) return training;
  baseline.center = "mean";
  baseline.mean = read_vector(folder / kMean, 1).front();
  if (!of_rows) return training;
  baseline.center = "biases";
  baseline.row = read_vector(folder / kRowBiases, rows);
  baseline.col = read_vector(folder / kColBiases, cols);
  return training;
}

}  // namespace claros
