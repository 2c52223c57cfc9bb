// SPDX-License-Identifier: BSD-3-Clause
/// @file numpy_array.hpp  One array as NumPy writes it: a .npy file, or a member of a .npz archive.
///
/// NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays": "\x93NUMPY", the version, the
/// length of the header, the header (a Python dictionary of descr, fortran_order and shape), and the numbers.
#pragma once

#include <claros/io/matrix_market.hpp>

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace claros {

/// Reads versions 1 to 3, floats of 4 and 8 bytes, integers and booleans, of either byte order and either
/// order of storage, from front to back. Throws Error(data) at `where` for other types (complex numbers,
/// structures, and objects, which are pickles and run code when they are read). It also throws for every size
/// that does not fit the file.
class NumpyArray {
 public:
  /// Fills the buffer and returns how many bytes it got, fewer only at the end.
  using Source = std::function<std::size_t(char* to, std::size_t size)>;
  /// `bytes` is the size of the whole source.
  NumpyArray(Source source, std::uint64_t bytes, std::string where);

  const std::vector<Index>& sizes() const noexcept { return sizes_; }
  Index count() const noexcept { return count_; }
  /// "3 x 4", "3", "a single number"
  std::string sizes_text() const;
  const std::string& where() const noexcept { return where_; }
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const;

  /// Bytes before the numbers.
  std::uint64_t start() const noexcept { return start_; }
  /// Why its numbers are no rows of floats of this machine, one after the other; empty if they are.
  std::string obstacle() const;
  bool is_single() const noexcept { return width_ == 4; }

  /// Error(data) when its numbers, as doubles, need more memory than is left (limits.hpp).
  void expect_room() const;

  /// Hands all numbers over, as doubles, in pieces: `place(row, col, value)` for a table of `rows` rows. An
  /// array with a single dimension is a column of that table. Error for more dimensions.
  template <class Place>
  void each(const Place& place) {
    expect_table();
    const Index along = column_major_ ? sizes_[0] : sizes_.size() == 2 ? sizes_[1] : 1;
    Index outer = 0, inner = 0;
    each_piece([&](std::span<const double> piece) {
      for (const double value : piece) {
        column_major_ ? place(inner, outer, value) : place(outer, inner, value);
        if (++inner == along) ++outer, inner = 0;
      }
    });
  }
  /// All numbers of an array with one dimension.
  std::vector<double> numbers();
  /// The numbers, if every one is an integer from `low` to `high`.
  std::vector<Index> integers(Index low, Index high);
  /// The text of an array that is a single string.
  std::string text();

 private:
  void read_header(std::uint64_t bytes);
  void read_type(const std::string& descr);
  void read_sizes(const std::string& shape);
  void expect_table() const;
  void read(char* to, std::size_t size);
  void finish();
  void expect_numbers() const;
  /// Pieces of doubles in the order of the file.
  void each_piece(const std::function<void(std::span<const double>)>& take);

  Source source_;
  std::string where_;
  char kind_ = 'f';  ///< the kind of the number: f, i, u, b; S and U are strings
  std::size_t width_ = 8;
  std::uint64_t start_ = 0;
  bool swapped_ = false, column_major_ = false;
  std::vector<Index> sizes_;
  Index count_ = 1;
};

/// The array of a .npy file.
NumpyArray open_npy(const std::filesystem::path& path);

/// An array of at most two dimensions whose numbers are finite; one dimension is a column.
DenseTable table_of(NumpyArray array);

}  // namespace claros
