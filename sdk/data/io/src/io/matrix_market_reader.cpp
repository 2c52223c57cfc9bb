// SPDX-License-Identifier: BSD-3-Clause
#include <claros/io/matrix_market.hpp>
#include <claros/io/text_input.hpp>

#include <claros/io/fields.hpp>
#include <claros/io/file_limits.hpp>
#include <claros/io/triplets.hpp>
#include "io/consistency.hpp"
#include "io/matrix_market_banner.hpp"

#include <utility>

namespace claros {
namespace {

/// The body of a file: after the banner and the comments, the sizes, then one entry a line.
class Body {
 public:
  Body(TextInput& input, const Banner& banner) : input_(input), banner_(banner), splitter_(input, "space") {
    const std::size_t expected = banner.layout == "array" ? 2 : 3;
    while (next_line() && line_.starts_with('%')) continue;
    if (line_.empty() || line_.starts_with('%')) input_.fail("the file ends before its sizes");
    split(expected, "sizes (rows, columns" + std::string(expected == 3 ? ", entries)" : ")"));
    rows_ = size(0, "the number of rows", 1, kLargestIndex);
    cols_ = size(1, "the number of columns", 1, kLargestIndex);
    if (banner.format.symmetry != "general" && rows_ != cols_)
      input_.fail("a " + banner.format.symmetry + " matrix of " + std::to_string(rows_) + " x " +
                  std::to_string(cols_) + "; expected as many rows as columns");
    count_ = expected == 3 ? size(2, "the number of entries", 0, rows_ * cols_) : stored();
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index count() const { return count_; }

  /// Moves to the next entry, of `fields` fields; `read` are there already. False behind the last; Error
  /// unless there are exactly as many as the sizes say.
  bool next(Index read, std::size_t fields) {
    const bool more = next_line();
    if (more && read == count_)
      input_.fail("an entry too many: " + shown(line_) + "; expected " + std::to_string(count_) +
                  " by the sizes");
    if (!more && read < count_)
      input_.fail("the file ends after " + std::to_string(read) + " entries; expected " +
                      std::to_string(count_) + " by the sizes",
                  "is the file truncated?");
    if (more) split(fields, "an entry");
    return more;
  }

  double value(std::size_t field) const {
    const std::string_view text = (*fields_)[field];
    if (banner_.is_integer() && !integer_of(text))
      input_.fail("the value is " + shown(text) + "; expected an integer, as the banner says");
    return finite_number(input_, text, "the value");
  }

  Index size(std::size_t field, const std::string& name, Index low, Index high) const {
    const std::string_view text = (*fields_)[field];
    const auto number = integer_of(text);
    if (!number || *number < low || *number > high)
      input_.fail(name + " is " + shown(text) + "; expected an integer from " + std::to_string(low) + " to " +
                  std::to_string(high));
    return *number;
  }

 private:
  bool next_line() {
    if (input_.next_filled(line_)) return true;
    line_ = {};
    return false;
  }

  void split(std::size_t expected, const std::string& what) {
    fields_ = &splitter_.split(line_);
    if (fields_->size() != expected)
      input_.fail("expected " + what + " as " + std::to_string(expected) + " fields, found " +
                  std::to_string(fields_->size()) + ": " + shown(line_));
  }

  /// How many values an array file holds.
  Index stored() const {
    if (banner_.is_skew()) return rows_ * (rows_ - 1) / 2;
    return banner_.is_symmetric() ? rows_ * (rows_ + 1) / 2 : rows_ * cols_;
  }

  TextInput& input_;
  const Banner& banner_;
  FieldSplitter splitter_;
  const std::vector<std::string_view>* fields_ = nullptr;
  std::string_view line_;
  Index rows_ = 0, cols_ = 0, count_ = 0;
};

/// The full matrix of the lower triangle `stored`, column by column.
DenseTable filled_up(const Banner& banner, Index n, const std::vector<double>& stored) {
  DenseTable table{n, n, std::vector<double>(static_cast<std::size_t>(n * n), 0.0)};
  std::size_t k = 0;
  for (Index j = 0; j < n; ++j)
    for (Index i = banner.is_skew() ? j + 1 : j; i < n; ++i, ++k) {
      table.values[static_cast<std::size_t>(j + i * n)] = banner.is_skew() ? -stored[k] : stored[k];
      table.values[static_cast<std::size_t>(i + j * n)] = stored[k];
    }
  return table;
}

void add(Triplets& triplets, Index row, Index col, double value, Index line) {
  triplets.row.push_back(static_cast<std::int32_t>(row));
  triplets.col.push_back(static_cast<std::int32_t>(col));
  triplets.value.push_back(value);
  triplets.line.push_back(static_cast<std::uint32_t>(line));
}

}  // namespace

Triplets read_coordinates(TextInput& input) {
  const Banner banner = read_banner(input, "coordinate");
  Body body(input, banner);
  Triplets triplets{body.rows(), body.cols(), {}, {}, {}, {}};
  GrowthWatch memory("the list of entries");
  for (Index k = 0; body.next(k, banner.is_pattern() ? 2 : 3); ++k) {
    memory.grown(32 * triplets.value.size(), input.path().string());
    const Index row = body.size(0, "the row", 1, body.rows()) - 1,
                col = body.size(1, "the column", 1, body.cols()) - 1;
    const double value = banner.is_pattern() ? 1.0 : body.value(2);
    if (!banner.holds(row, col))
      input.fail(entry_name(row, col) + " is not in the lower triangle" +
                 (banner.is_skew() ? " without the diagonal" : "") + "; expected only that of a " +
                 banner.format.symmetry + " matrix");
    add(triplets, row, col, value, input.line());
    if (banner.format.symmetry != "general" && row != col)
      add(triplets, col, row, banner.is_skew() ? -value : value, input.line());
  }
  return triplets;
}

DenseTable read_matrix_market_array(const std::filesystem::path& path) {
  TextInput input(path);
  const Banner banner = read_banner(input, "array");
  Body body(input, banner);
  std::vector<double> stored;
  GrowthWatch memory("the matrix");
  while (body.next(static_cast<Index>(stored.size()), 1)) {
    stored.push_back(body.value(0));
    memory.grown(8 * stored.size(), path.string());
  }
  if (banner.format.symmetry != "general") return filled_up(banner, body.rows(), stored);
  return {body.rows(), body.cols(), std::move(stored)};
}

Ratings read_matrix_market_coordinate(const std::filesystem::path& path) {
  TextInput input(path);
  return sorted(input, read_coordinates(input), "error");
}

}  // namespace claros
