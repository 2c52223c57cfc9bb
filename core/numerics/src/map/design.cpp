// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/map/design.hpp>
#include <claros/memory_limits.hpp>
#include <claros/parameters.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <variant>

namespace claros {
namespace {

template <class Rows>
const ColumnEntries* columns_in(const Rows& rows) {
  return rows.by_columns.get();
}

template <class Real>
Index stored_in(const DenseRows<Real>& rows) {
  return static_cast<Index>(rows.view().size());
}
template <class Real>
Index stored_in(const SparseRows<Real>& rows) {
  return static_cast<Index>(rows.view().value.size());
}

template <class Real>
void expand(const DenseRows<Real>& rows, Index i, std::span<double> out) {
  const Real* from = rows.view().data() + i * static_cast<Index>(out.size());
  std::copy_n(from, out.size(), out.begin());
}
template <class Real>
void expand(const SparseRows<Real>& held, Index i, std::span<double> out) {
  const auto rows = held.view();
  std::fill(out.begin(), out.end(), 0.0);
  const auto k = static_cast<std::size_t>(i);
  for (auto e = static_cast<std::size_t>(rows.start[k]); e < static_cast<std::size_t>(rows.start[k + 1]); ++e)
    out[static_cast<std::size_t>(rows.column[e])] = static_cast<double>(rows.value[e]);
}

/// A complaint about the data of `where`.
class Check {
 public:
  Check(const Design& design, const std::string& where) : design_(design), where_(where) {}

  void sizes(const std::string& what, std::size_t found, Index expected) const {
    if (static_cast<Index>(found) != expected)
      fail(std::to_string(found) + " " + what + " for a design of " + std::to_string(design_.rows) + " x " +
           std::to_string(design_.cols) + "; expected " + std::to_string(expected));
  }
  void finite(const std::string& what, const std::vector<double>& values, double low) const {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i]) || values[i] < low)
        fail("the " + what + " of row " + std::to_string(i + 1) + " is " + print(values[i]) +
             "; expected a finite number" + (low == 0.0 ? " >= 0" : ""));
  }
  void columns(const Columns& columns) const {
    for (Index j = 0; j < columns.count(); ++j) column(columns, j);
  }
  template <class Real>
  void rows(const DenseRows<Real>& rows) const {
    const auto values = rows.view();
    sizes("entries", values.size(), design_.rows * design_.cols);
    const auto bad = std::find_if(values.begin(), values.end(), [](Real v) { return !std::isfinite(v); });
    if (bad == values.end()) return;
    const auto at = static_cast<Index>(bad - values.begin());
    entry(at / design_.cols, at % design_.cols, static_cast<double>(*bad));
  }
  template <class Real>
  void rows(const SparseRows<Real>& held) const {
    const auto rows = held.view();
    sizes("row starts", rows.start.size(), design_.rows + 1);
    sizes("column numbers", rows.column.size(), static_cast<Index>(rows.value.size()));
    if (rows.start.front() != 0 || rows.start.back() != stored_in(held) ||
        !std::is_sorted(rows.start.begin(), rows.start.end()))
      fail("the row starts do not cover the " + std::to_string(rows.value.size()) + " entries in order");
    for (Index i = 0; i < design_.rows; ++i) row(rows, i);
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::data, where_, what, "fix the data");
  }

  /// Several a row, and the rows of them that `numbers` are.
  void responses(const Responses& all, const std::vector<double>& numbers) const {
    if (all.count < 1 || all.rows() * all.count != static_cast<Index>(all.values.size()))
      fail(std::to_string(all.values.size()) + " responses, expected " + std::to_string(all.count) +
           " a row");
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double row = numbers[i];
      if (!(row >= 0.0 && row < static_cast<double>(all.rows()) && row == std::floor(row)))
        fail("row " + std::to_string(i + 1) + " has the responses of row " + print(row + 1.0) + " of " +
             std::to_string(all.rows()));
      for (Index k = 0; k < all.count; ++k)
        if (const double y = all.values[static_cast<std::size_t>(static_cast<Index>(row) * all.count + k)];
            !std::isfinite(y))
          fail("response " + std::to_string(k + 1) + " of row " + std::to_string(i + 1) + " is " + print(y) +
               "; expected a finite number");
    }
  }

 private:
  static std::string print(double value) {
    return std::isnan(value) ? "nan" : std::isinf(value) ? "infinite" : print_real(value);
  }
  [[noreturn]] void entry(Index i, Index j, double value) const {
    fail("the entry in row " + std::to_string(i + 1) + ", " + design_.column_text(j) + " is " + print(value) +
         "; expected a finite number");
  }
  template <class Real>
  void row(const CompressedRows<Real>& rows, Index i) const {
    const auto k = static_cast<std::size_t>(i);
    Index previous = -1;
    for (auto e = static_cast<std::size_t>(rows.start[k]); e < static_cast<std::size_t>(rows.start[k + 1]);
         ++e) {
      const Index j = rows.column[e];
      if (j <= previous || j >= design_.cols)
        fail("row " + std::to_string(i + 1) + " has column " + std::to_string(j + 1) +
             " where an ascending number up to " + std::to_string(design_.cols) + " was expected");
      if (!std::isfinite(rows.value[e])) entry(i, j, static_cast<double>(rows.value[e]));
      previous = j;
    }
  }

  void column(const Columns& columns, Index j) const {
    const auto values = columns.values(j);
    const auto rows = columns.rows_of(j);
    Index previous = -1;
    for (std::size_t e = 0; e < values.size(); ++e) {
      const Index i = columns.are_sparse() ? rows[e] : static_cast<Index>(e);
      if (i <= previous || i >= design_.rows)
        fail(design_.column_text(j) + " has row " + std::to_string(i + 1) +
             " where an ascending number up to " + std::to_string(design_.rows) + " was expected");
      if (!std::isfinite(values[e])) entry(i, j, values[e]);
      previous = i;
    }
  }

  const Design& design_;
  const std::string& where_;
};

/// out <- row i, read from the columns.
void expand(const Columns& columns, Index i, std::span<double> out) {
  for (Index j = 0; j < columns.count(); ++j) {
    const auto values = columns.values(j);
    const auto rows = columns.rows_of(j);
    const auto found = std::lower_bound(rows.begin(), rows.end(), i);
    auto& number = out[static_cast<std::size_t>(j)];
    if (!columns.are_sparse())
      number = values[static_cast<std::size_t>(i)];
    else
      number =
          found != rows.end() && *found == i ? values[static_cast<std::size_t>(found - rows.begin())] : 0;
  }
}

}  // namespace

DesignSource::~DesignSource() = default;

const ColumnEntries* Design::by_columns() const noexcept {
  return std::visit([](const auto& all) { return columns_in(all); }, entries);
}

Index Design::stored() const noexcept {
  if (const ColumnEntries* held = by_columns()) return held->columns().stored();
  return std::visit([](const auto& all) { return stored_in(all); }, entries);
}

void Design::row(Index i, std::span<double> out) const {
  if (i < 0 || i >= rows || static_cast<Index>(out.size()) != cols)
    throw Error(ErrorKind::usage, "design",
                "row " + std::to_string(i) + " into " + std::to_string(out.size()) +
                    " numbers of a design of " + std::to_string(rows) + " x " + std::to_string(cols));
  if (const ColumnEntries* held = by_columns()) return expand(held->columns(), i, out);
  std::visit([&](const auto& all) { expand(all, i, out); }, entries);
}

std::string Design::column_text(Index j) const {
  const std::string number = "column " + std::to_string(j + 1);
  return column_names.empty() ? number : number + " (" + column_names[static_cast<std::size_t>(j)] + ")";
}

void require_consistent(const Design& design, const std::string& where, bool response_needed) {
  const Check check(design, where);
  if (design.rows < 1 || design.cols < 1)
    check.fail("a design of " + std::to_string(design.rows) + " x " + std::to_string(design.cols) +
               "; expected at least one row and one column");
  if (design.is_sparse() && design.cols > std::numeric_limits<std::int32_t>::max())
    check.fail(std::to_string(design.cols) + " columns; a sparse design has at most 2^31 - 1");
  if (response_needed || !design.response.empty())
    check.sizes("responses", design.response.size(), design.rows);
  if (!design.column_names.empty()) check.sizes("column names", design.column_names.size(), design.cols);
  if (!design.weights.empty()) check.sizes("weights", design.weights.size(), design.rows);
  if (!design.groups.empty()) check.sizes("groups", design.groups.size(), design.rows);
  if (!design.offset.empty()) check.sizes("offsets", design.offset.size(), design.rows);
  if (const ColumnEntries* held = design.by_columns(); held && !design.checked)
    check.columns(held->columns());
  else if (!design.checked)
    std::visit([&](const auto& rows) { check.rows(rows); }, design.entries);
  check.finite("response", design.response, -std::numeric_limits<double>::infinity());
  if (design.responses) check.responses(*design.responses, design.response);
  check.finite("weight", design.weights, 0.0);
  check.finite("offset", design.offset, -std::numeric_limits<double>::infinity());
}

std::string memory_text(Index rows, Index cols, bool single) {
  const double bytes = static_cast<double>(rows) * static_cast<double>(cols) * (single ? 4.0 : 8.0);
  return "design of " + std::to_string(rows) + " x " + std::to_string(cols) + " in " +
         (single ? "float" : "double") + " takes " + size_text(bytes);
}

std::string memory_text(Index rows, Index cols, Index stored, bool single) {
  const double bytes = static_cast<double>(stored) * (single ? 8.0 : 12.0) + 8.0 * static_cast<double>(rows);
  return "sparse design of " + std::to_string(rows) + " x " + std::to_string(cols) + " with " +
         std::to_string(stored) + " entries in " + (single ? "float" : "double") + " takes " +
         size_text(bytes);
}

namespace {

template <class Real>
DenseRows<Real> entries_of(const DenseRows<Real>& all, const std::vector<Index>& rows, Index cols) {
  DenseRows<Real> some;
  const std::span<const Real> from = all.view();
  some.values.reserve(rows.size() * at(cols));
  for (const Index i : rows)
    some.values.insert(some.values.end(), from.begin() + i * cols, from.begin() + (i + 1) * cols);
  return some;
}

template <class Real>
SparseRows<Real> entries_of(const SparseRows<Real>& held, const std::vector<Index>& rows, Index) {
  const auto all = held.view();
  SparseRows<Real> some{{0}, {}, {}};
  for (const Index i : rows) {
    const Index from = all.start[at(i)], to = all.start[at(i) + 1];
    some.column.insert(some.column.end(), all.column.begin() + from, all.column.begin() + to);
    some.value.insert(some.value.end(), all.value.begin() + from, all.value.begin() + to);
    some.start.push_back(static_cast<Index>(some.column.size()));
  }
  return some;
}

template <class T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<Index>& rows) {
  std::vector<T> some;
  for (const Index i : rows)
    if (!all.empty()) some.push_back(all[at(i)]);
  return some;
}

}  // namespace

Design chosen_rows(const Design& design, const std::vector<Index>& rows) {
  Design some;
  some.rows = static_cast<Index>(rows.size());
  some.cols = design.cols;
  std::visit([&](const auto& entries) { some.entries = entries_of(entries, rows, design.cols); },
             design.entries);
  some.response = chosen(design.response, rows);
  some.responses = design.responses;
  some.weights = chosen(design.weights, rows);
  some.offset = chosen(design.offset, rows);
  some.groups = chosen(design.groups, rows);
  some.labels = design.labels;
  some.column_names = design.column_names;
  some.response_name = design.response_name;
  some.encoding = design.encoding;
  return some;
}

}  // namespace claros
