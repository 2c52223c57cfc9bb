// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/memory_data.hpp>

#include <claros/io/triplets.hpp>

#include <claros/error.hpp>
#include <claros/io/design_io.hpp>
#include <claros/io/matrix_market.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

namespace claros {

namespace {

constexpr const char* kWhere = "data";

class MemoryData final : public Dataset {
 public:
  explicit MemoryData(std::shared_ptr<const Design> design) : design_(std::move(design)) {}
  explicit MemoryData(std::shared_ptr<const Ratings> ratings) : ratings_(std::move(ratings)) {}
  std::shared_ptr<const Ratings> ratings() const override { return ratings_; }
  std::shared_ptr<const Design> design() const override { return design_; }
  void write(const std::filesystem::path& folder) const override {
    if (design_) write_design(folder / "design.bin", *design_);
    if (ratings_) write_matrix_market(folder / "observed.mtx", *ratings_);
  }

 private:
  std::shared_ptr<const Ratings> ratings_;
  std::shared_ptr<const Design> design_;
};

void set_responses(Design& design, std::span<const double> values) {
  const Index count = design.rows > 0 ? static_cast<Index>(values.size()) / design.rows : 0;
  design.responses = std::make_shared<const Responses>(Responses{count, {values.begin(), values.end()}});
  design.response.resize(static_cast<std::size_t>(design.rows));
  std::iota(design.response.begin(), design.response.end(), 0.0);
}

template <class Rows>
std::shared_ptr<const Dataset> design_data(Rows entries, Index rows, Index cols,
                                           std::span<const double> response, const RowFacts& facts) {
  auto design = std::make_shared<Design>();
  design->rows = rows;
  design->cols = cols;
  design->entries = std::move(entries);
  design->response.assign(response.begin(), response.end());
  if (!facts.responses.empty()) set_responses(*design, facts.responses);
  design->weights.assign(facts.weights.begin(), facts.weights.end());
  design->offset.assign(facts.offset.begin(), facts.offset.end());
  design->column_names = facts.column_names;
  design->response_name = facts.response_name;
  require_consistent(*design, kWhere);
  if (!design->weights.empty() && std::ranges::all_of(design->weights, [](double w) { return w == 0.0; }))
    throw Error(ErrorKind::data, kWhere, "all weights are 0", "give at least one row a weight above 0");
  design->checked = true;
  return std::make_shared<MemoryData>(std::shared_ptr<const Design>(std::move(design)));
}

template <class Real>
std::shared_ptr<const Dataset> dense_data(std::span<const Real> values, Index rows, Index cols,
                                          std::span<const double> response, Entries entries,
                                          const RowFacts& facts) {
  DenseRows<Real> held;
  if (entries == Entries::referenced) {
    held.outside = values;
    held.keeper = facts.keeper;
  } else
    held.values.assign(values.begin(), values.end());
  return design_data(std::move(held), rows, cols, response, facts);
}

/// Starts of 64 bits where they are, of 32 bits in a copy that lives with the design.
template <class Real, class Start>
void reference(SparseRows<Real>& rows, std::span<const Start> start, std::span<const std::int32_t> column,
               std::span<const Real> value, const std::shared_ptr<const void>& keeper) {
  if constexpr (std::is_same_v<Start, Index>) {
    rows.outside = {start, column, value};
    rows.keeper = keeper;
  } else {
    const auto copy = std::make_shared<const std::pair<std::vector<Index>, std::shared_ptr<const void>>>(
        std::vector<Index>(start.begin(), start.end()), keeper);
    rows.outside = {copy->first, column, value};
    rows.keeper = copy;
  }
}

template <class Start, class Real>
std::shared_ptr<const Dataset> sparse_data(std::span<const Start> start, std::span<const std::int32_t> column,
                                           std::span<const Real> value, Index cols,
                                           std::span<const double> response, Entries entries,
                                           const RowFacts& facts) {
  if (start.empty())
    throw Error(ErrorKind::data, kWhere, "expected one row start more than there are rows, got none",
                "give 0 and the end of every row");
  SparseRows<Real> rows;
  if (entries == Entries::referenced) {
    reference(rows, start, column, value, facts.keeper);
  } else {
    rows.start.assign(start.begin(), start.end());
    rows.column.assign(column.begin(), column.end());
    rows.value.assign(value.begin(), value.end());
  }
  const auto count = static_cast<Index>(start.size()) - 1;
  return design_data(std::move(rows), count, cols, response, facts);
}

void require_starts(std::span<const Index> start, std::size_t rows, std::size_t values) {
  if (start.empty())
    throw Error(ErrorKind::data, kWhere, "expected one column start more than there are columns, got none",
                "give 0 and the end of every column");
  if (rows != values || start.front() != 0 || start.back() != static_cast<Index>(values) ||
      !std::ranges::is_sorted(start))
    throw Error(ErrorKind::data, kWhere,
                "the column starts do not cover the " + std::to_string(values) + " values and " +
                    std::to_string(rows) + " row numbers in order",
                "fix the input data");
}

/// Row numbers are checked with the entries.
template <class Start>
std::shared_ptr<const Dataset> sparse_columns_data(std::span<const Start> start,
                                                   std::span<const std::int32_t> row,
                                                   std::span<const double> value, Index rows,
                                                   std::span<const double> response, Entries entries,
                                                   const RowFacts& facts) {
  std::vector<Index> wide(start.begin(), start.end());
  require_starts(wide, row.size(), value.size());
  const auto cols = static_cast<Index>(start.size()) - 1;
  SparseRows<double> held;
  if (entries == Entries::copied) {
    held.by_columns = std::make_shared<const ColumnEntries>(
        Columns::sparse(rows, std::move(wide), {row.begin(), row.end()}, {value.begin(), value.end()}));
  } else if constexpr (std::is_same_v<Start, Index>) {
    held.by_columns =
        std::make_shared<const ColumnEntries>(Columns::sparse(rows, start, row, value, facts.keeper));
  } else {
    const auto kept = std::make_shared<const std::pair<std::vector<Index>, std::shared_ptr<const void>>>(
        std::move(wide), facts.keeper);
    held.by_columns =
        std::make_shared<const ColumnEntries>(Columns::sparse(rows, kept->first, row, value, kept));
  }
  return design_data(std::move(held), rows, cols, response, facts);
}

void require_size(const std::string& what, std::size_t found, std::size_t expected) {
  if (found != expected)
    throw Error(ErrorKind::data, kWhere,
                std::to_string(found) + " " + what + "; expected " + std::to_string(expected),
                "fix the input data");
}

std::string position(std::int32_t row, std::int32_t col) {
  return "(" + std::to_string(row) + ", " + std::to_string(col) + ")";
}

void require_entry(std::size_t k, std::int32_t row, std::int32_t col, double value, Index rows, Index cols) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorKind::data, kWhere, "triplet " + std::to_string(k + 1) + " " + what,
                "fix the input data");
  };
  if (row < 0 || col < 0 || row >= rows || col >= cols)
    refuse("is at " + position(row, col) + ", counted from 0, outside of a matrix of " +
           std::to_string(rows) + " x " + std::to_string(cols));
  if (!std::isfinite(value)) refuse("is " + print_real(value) + "; expected a finite number");
}

}  // namespace

std::shared_ptr<const Dataset> data_from_rows(std::span<const double> row_major, Index rows, Index cols,
                                              std::span<const double> response, Entries entries,
                                              const RowFacts& facts) {
  return dense_data(row_major, rows, cols, response, entries, facts);
}

std::shared_ptr<const Dataset> data_from_rows(std::span<const float> row_major, Index rows, Index cols,
                                              std::span<const double> response, Entries entries,
                                              const RowFacts& facts) {
  return dense_data(row_major, rows, cols, response, entries, facts);
}

std::shared_ptr<const Dataset> data_from_columns(std::span<const double> column_major, Index rows, Index cols,
                                                 std::span<const double> response, Entries entries,
                                                 const RowFacts& facts) {
  require_size("entries", column_major.size(), static_cast<std::size_t>(std::max<Index>(0, rows * cols)));
  const auto by_columns =
      std::make_shared<const ColumnEntries>(Columns::dense(rows, column_major, facts.keeper));
  DenseRows<double> held;
  if (entries == Entries::referenced)
    held.by_columns = by_columns;
  else if (!column_major.empty()) {
    held.outside = by_columns->dense_rows();
    held.keeper = by_columns;
  }
  return design_data(std::move(held), rows, cols, response, facts);
}

std::shared_ptr<const Dataset> data_from_compressed_columns(std::span<const Index> start,
                                                            std::span<const std::int32_t> row,
                                                            std::span<const double> value, Index rows,
                                                            std::span<const double> response, Entries entries,
                                                            const RowFacts& facts) {
  return sparse_columns_data(start, row, value, rows, response, entries, facts);
}

std::shared_ptr<const Dataset> data_from_compressed_columns(std::span<const std::int32_t> start,
                                                            std::span<const std::int32_t> row,
                                                            std::span<const double> value, Index rows,
                                                            std::span<const double> response, Entries entries,
                                                            const RowFacts& facts) {
  return sparse_columns_data(start, row, value, rows, response, entries, facts);
}

std::shared_ptr<const Dataset> data_from_compressed_rows(std::span<const Index> start,
                                                         std::span<const std::int32_t> column,
                                                         std::span<const double> value, Index cols,
                                                         std::span<const double> response, Entries entries,
                                                         const RowFacts& facts) {
  return sparse_data(start, column, value, cols, response, entries, facts);
}

std::shared_ptr<const Dataset> data_from_compressed_rows(std::span<const std::int32_t> start,
                                                         std::span<const std::int32_t> column,
                                                         std::span<const double> value, Index cols,
                                                         std::span<const double> response, Entries entries,
                                                         const RowFacts& facts) {
  return sparse_data(start, column, value, cols, response, entries, facts);
}

std::shared_ptr<const Dataset> data_from_compressed_rows(std::span<const Index> start,
                                                         std::span<const std::int32_t> column,
                                                         std::span<const float> value, Index cols,
                                                         std::span<const double> response, Entries entries,
                                                         const RowFacts& facts) {
  return sparse_data(start, column, value, cols, response, entries, facts);
}

std::shared_ptr<const Dataset> data_from_compressed_rows(std::span<const std::int32_t> start,
                                                         std::span<const std::int32_t> column,
                                                         std::span<const float> value, Index cols,
                                                         std::span<const double> response, Entries entries,
                                                         const RowFacts& facts) {
  return sparse_data(start, column, value, cols, response, entries, facts);
}

std::shared_ptr<const Dataset> data_from_triplets(std::span<const std::int32_t> row,
                                                  std::span<const std::int32_t> col,
                                                  std::span<const double> value, Index rows, Index cols,
                                                  const std::string& duplicates,
                                                  std::span<const double> weight) {
  require_size("rows of triplets", row.size(), value.size());
  require_size("columns of triplets", col.size(), value.size());
  if (duplicates != "error" && duplicates != "mean" && duplicates != "last")
    throw Error(ErrorKind::usage, kWhere,
                "duplicates is '" + duplicates + "'; expected one of error, mean, last",
                did_you_mean(duplicates, {"error", "mean", "last"}));
  if (!weight.empty()) require_size("weights of triplets", weight.size(), value.size());
  if (value.empty())
    throw Error(ErrorKind::data, kWhere, "expected at least one triplet, found none",
                "give the row, the column and the value of each observed entry");
  for (std::size_t k = 0; k < value.size(); ++k) require_entry(k, row[k], col[k], value[k], rows, cols);
  Triplets triplets{rows,
                    cols,
                    {row.begin(), row.end()},
                    {col.begin(), col.end()},
                    {value.begin(), value.end()},
                    {},
                    {weight.begin(), weight.end()}};
  const auto place = [](std::size_t k) { return "triplet " + std::to_string(k + 1); };
  expect_weights(weight, place);
  auto ratings =
      sorted(std::move(triplets), duplicates, [&](const Triplets& t, std::size_t first, std::size_t second) {
        return Error(ErrorKind::data, kWhere,
                     place(second) + " is at " + position(t.row[second], t.col[second]) + ", as " +
                         place(first) + " is",
                     "give each once, or say mean or last");
      });
  ratings.from_zero = true;
  return std::make_shared<MemoryData>(std::make_shared<const Ratings>(std::move(ratings)));
}

}  // namespace claros
