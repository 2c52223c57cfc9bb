// SPDX-License-Identifier: BSD-3-Clause
#include "sparse_list.hpp"

#include <claros/error.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace matrix_sensing {

using namespace claros;

namespace {

struct Entry {
  Index i, row, col;
  double value;
  auto position() const { return std::tuple(row, col); }
  auto key() const { return std::tuple(i, row, col); }
};

/// The numbers of a list, checked one by one.
class List {
 public:
  List(const DenseTable& table, const Options& options, Index count, std::string where)
      : table_(table), first_(options.first_index), where_(std::move(where)) {
    if (table.cols != 4)
      fail("the list has " + std::to_string(table.cols) + " columns", "give lines i, row, column, value");
    for (Index k = 0; k < table.rows; ++k) {
      const double value = at(k, 3);
      if (!std::isfinite(value))
        fail("the value of entry " + std::to_string(k + 1) + " is not finite", "fix the data");
      entries_.push_back({index(k, 0, count, "measurement"), index(k, 1, options.rows, "row"),
                          index(k, 2, options.cols, "column"), value});
    }
    std::sort(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.key() < b.key(); });
    const auto twice = std::adjacent_find(entries_.begin(), entries_.end(),
                                          [](const Entry& a, const Entry& b) { return a.key() == b.key(); });
    if (twice != entries_.end())
      fail("measurement " + number(twice->i) + " has row " + number(twice->row) + ", column " +
               number(twice->col) + " twice",
           "add the values up");
  }

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  double at(Index k, Index column) const {
    return table_.values[static_cast<std::size_t>(column * table_.rows + k)];
  }
  std::string number(Index k) const { return std::to_string(k + first_); }
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw Error(ErrorKind::data, where_, what, remedy);
  }

  Index index(Index k, Index column, Index count, const std::string& what) const {
    const double value = at(k, column) - static_cast<double>(first_);
    if (value == std::floor(value) && value >= 0.0 && value < static_cast<double>(count))
      return static_cast<Index>(value);
    fail("entry " + std::to_string(k + 1) + " of the list is of " + what + " " + print_real(at(k, column)) +
             "; expected a whole number from " + std::to_string(first_) + " to " + number(count - 1),
         "count as first_index says, and give rows and cols of the matrices, "
         "one response a measurement");
  }

  const DenseTable& table_;
  Index first_;
  std::string where_;
  std::vector<Entry> entries_;
};

std::shared_ptr<const Pattern> pattern_of(std::vector<Entry> entries, Index rows, Index cols) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.position() < b.position(); });
  const auto end = std::unique(entries.begin(), entries.end(),
                               [](const Entry& a, const Entry& b) { return a.position() == b.position(); });
  std::vector<std::int32_t> row, col;
  for (auto e = entries.begin(); e != end; ++e)
    row.push_back(static_cast<std::int32_t>(e->row)), col.push_back(static_cast<std::int32_t>(e->col));
  return std::make_shared<Pattern>(rows, cols, std::move(row), std::move(col));
}

SparseRows<double> rows_of(const std::vector<Entry>& entries, const Pattern& pattern, Index count) {
  SparseRows<double> rows;
  rows.start.assign(static_cast<std::size_t>(count) + 1, 0);
  for (const Entry& entry : entries) {  // by rows, then columns: in the order of the pattern
    ++rows.start[static_cast<std::size_t>(entry.i) + 1];
    rows.column.push_back(static_cast<std::int32_t>(pattern.find(entry.row, entry.col)));
    rows.value.push_back(entry.value);
  }
  for (std::size_t i = 1; i < rows.start.size(); ++i) rows.start[i] += rows.start[i - 1];
  return rows;
}

std::vector<double> responses_of(const Options& options, const Context& context) {
  if (options.design.response == "auto" || options.design.response.empty())
    throw Error(ErrorKind::usage, "response", "a list of entries holds no responses",
                "give response = FILE, one number a measurement");
  const auto path = context.resolve(options.design.response);
  DenseTable table = read_numbers(path, context);
  if (table.values.empty() || (table.rows != 1 && table.cols != 1))
    throw Error(ErrorKind::data, path.string(),
                "holds " + std::to_string(table.rows) + " x " + std::to_string(table.cols) + " numbers",
                "give one response a measurement");
  return std::move(table.values);
}

}  // namespace

Measurements read_sparse_list(const Options& options, const Context& context) {
  auto design = std::make_shared<Design>();
  design->response = responses_of(options, context);
  design->rows = static_cast<Index>(design->response.size());
  const auto path = context.resolve(options.data);
  const DenseTable table = read_numbers(path, context);
  const List list(table, options, design->rows, path.string());
  Measurements made{Measurements::Kind::sparse, options.rows, options.cols, nullptr};
  made.pattern = pattern_of(list.entries(), options.rows, options.cols);
  design->cols = made.pattern->entries();
  design->entries = rows_of(list.entries(), *made.pattern, design->rows);
  require_consistent(*design, path.string());
  made.left = std::move(design);
  return made;
}

}  // namespace matrix_sensing
