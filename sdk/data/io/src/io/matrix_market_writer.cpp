// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/matrix_market.hpp>

#include "io/consistency.hpp"
#include "io/matrix_market_banner.hpp"
#include "io/text_output.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace claros {
namespace {

Banner banner_for(const std::string& layout, const MatrixMarketFormat& format, Index rows, Index cols,
                  const std::string& where) {
  Banner banner{layout, format};
  const std::string fault = fault_of(banner);
  if (!fault.empty()) throw Error(ErrorKind::usage, "write_matrix_market", fault, "choose another format");
  if (format.symmetry != "general" && rows != cols)
    fail_writing(where, std::to_string(rows) + " x " + std::to_string(cols) +
                            " is not square; expected so of a " + format.symmetry + " matrix");
  return banner;
}

void put_banner(TextOutput& out, const Banner& banner) {
  out << "%%MatrixMarket matrix " << banner.layout << ' ' << banner.format.field << ' '
      << banner.format.symmetry << '\n';
}

/// The value expected in the place of `value` beside `opposite`, its mirror image; null if it fits.
const char* misfit(const Banner& banner, double value, double opposite) {
  if (banner.is_integer() && (value != std::trunc(value) || std::abs(value) > 0x1p62)) return "an integer";
  if (banner.is_pattern() && value != 1.0) return "1 in a pattern";
  if (banner.is_symmetric() && value != opposite) return "the value of its mirror image";
  if (banner.is_skew() && value != -opposite) return "minus the value of its mirror image";
  return nullptr;
}

void expect_fit(const Banner& banner, Index row, Index col, double value, double opposite,
                const std::string& where) {
  if (const char* expected = misfit(banner, value, opposite))
    fail_writing(where, entry_name(row, col) + " is " + print_real(value) + "; expected " + expected);
}

/// The value at (row, col), zero if there is none.
double value_at(const Ratings& r, std::int32_t row, std::int32_t col) {
  const auto [first, last] = std::equal_range(r.row.begin(), r.row.end(), row);
  const auto from = r.col.begin() + (first - r.row.begin()), to = r.col.begin() + (last - r.row.begin());
  const auto found = std::lower_bound(from, to, col);
  return found != to && *found == col ? r.value[static_cast<std::size_t>(found - r.col.begin())] : 0.0;
}

void put_value(TextOutput& out, const Banner& banner, double value) {
  if (banner.is_integer()) {
    out << static_cast<Index>(value);
  } else {
    out << value;
  }
  out << '\n';
}

}  // namespace

void write_matrix_market(const std::filesystem::path& path, const DenseTable& table,
                         const MatrixMarketFormat& format) {
  const std::string where = path.string();
  expect_consistent(table, where);
  const Banner banner = banner_for("array", format, table.rows, table.cols, where);
  const auto at = [&table](Index i, Index j) {
    return table.values[static_cast<std::size_t>(i + j * table.rows)];
  };
  TextOutput out(path);
  put_banner(out, banner);
  out << table.rows << ' ' << table.cols << '\n';
  for (Index j = 0; j < table.cols; ++j)
    for (Index i = 0; i < table.rows; ++i) {
      const double opposite = format.symmetry == "general" ? 0.0 : at(j, i);
      expect_fit(banner, i, j, at(i, j), opposite, where);
      if (banner.holds(i, j)) put_value(out, banner, at(i, j));
    }
  out.commit();
}

void write_matrix_market(const std::filesystem::path& path, const Ratings& entries,
                         const MatrixMarketFormat& format) {
  const std::string where = path.string();
  expect_consistent(entries, where);
  const Banner banner = banner_for("coordinate", format, entries.rows, entries.cols, where);
  std::vector<std::size_t> stored;
  for (std::size_t k = 0; k < entries.value.size(); ++k) {
    const std::int32_t i = entries.row[k], j = entries.col[k];
    const double opposite = format.symmetry == "general" ? 0.0 : value_at(entries, j, i);
    expect_fit(banner, i, j, entries.value[k], opposite, where);
    if (banner.holds(i, j)) stored.push_back(k);
  }
  TextOutput out(path);
  put_banner(out, banner);
  out << entries.rows << ' ' << entries.cols << ' ' << stored.size() << '\n';
  for (const std::size_t k : stored) {
    out << entries.row[k] + Index{1} << ' ' << entries.col[k] + Index{1}
        << (banner.is_pattern() ? '\n' : ' ');
    if (!banner.is_pattern()) put_value(out, banner, entries.value[k]);
  }
  out.commit();
}

}  // namespace claros
