// SPDX-License-Identifier: BSD-3-Clause
/// @file design.hpp  Rows with responses: the data of a linear model.
#pragma once

#include <claros/api.hpp>
#include <claros/map/columns.hpp>
#include <claros/once.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace claros {

struct TableEncoding;  // of the data library: claros/io/table_encoding.hpp

/// Compressed rows: entries [start[i], start[i+1]) belong to row i, their columns ascending.
template <class Real>
struct CompressedRows {
  std::span<const Index> start;          ///< rows + 1
  std::span<const std::int32_t> column;  ///< from 0
  std::span<const Real> value;
};

/// Entries that lie by columns. Their rows are copied from them when rows are first read, as samplers
/// do; full passes and coordinate steps read the columns. Throws Error(memory) if there is no room for
/// them.
class CLAROS_API ColumnEntries {
 public:
  explicit ColumnEntries(Columns columns);
  ~ColumnEntries();
  const Columns& columns() const noexcept { return columns_; }
  /// The entries row-major, for dense columns.
  std::span<const double> dense_rows() const;
  /// The rows of sparse columns.
  CompressedRows<double> compressed_rows() const;
  /// True if rows have been asked for.
  bool has_rows() const noexcept { return rows_ != nullptr; }

 private:
  struct Rows;
  const Rows& rows() const;

  Columns columns_;
  mutable Once once_;
  mutable std::unique_ptr<const Rows> rows_;
};

/// All entries, row-major: rows * cols of them. They are held here, `by_columns`, or `outside`: in memory
/// that `keeper` holds or, if it is null, that its owner keeps unchanged while the design lives.
template <class Real>
struct DenseRows {
  std::vector<Real> values;
  std::span<const Real> outside = {};
  std::shared_ptr<const void> keeper = nullptr;
  std::shared_ptr<const ColumnEntries> by_columns = nullptr;  ///< of double entries

  std::span<const Real> view() const {
    if constexpr (std::is_same_v<Real, double>)
      if (by_columns) return by_columns->dense_rows();
    return outside.empty() ? std::span<const Real>(values) : outside;
  }
  /// Makes them this object's own, to be changed.
  std::vector<Real>& own() {
    if (const auto all = view(); all.data() != values.data()) values.assign(all.begin(), all.end());
    outside = {};
    keeper = nullptr;
    by_columns = nullptr;
    return values;
  }
};

/// Compressed rows. They are held here, `by_columns` or, if `outside` has starts, elsewhere: in memory that
/// `keeper` holds or, if it is null, that its owner keeps unchanged while the design lives.
template <class Real>
struct SparseRows {
  std::vector<Index> start;
  std::vector<std::int32_t> column;
  std::vector<Real> value;
  CompressedRows<Real> outside = {};
  std::shared_ptr<const void> keeper = nullptr;
  std::shared_ptr<const ColumnEntries> by_columns = nullptr;  ///< of double entries

  CompressedRows<Real> view() const {
    if constexpr (std::is_same_v<Real, double>)
      if (by_columns) return by_columns->compressed_rows();
    return outside.start.empty() ? CompressedRows<Real>{start, column, value} : outside;
  }
  /// Makes all of it this object's own; the values, to be changed.
  std::span<Real> own_values() {
    if (const auto all = view(); all.start.data() != start.data()) {
      value.assign(all.value.begin(), all.value.end());
      start.assign(all.start.begin(), all.start.end());
      column.assign(all.column.begin(), all.column.end());
    }
    outside = {};
    keeper = nullptr;
    by_columns = nullptr;
    return value;
  }
};

/// A source of entries that are read from a file while they are used.
class CLAROS_API DesignSource {
 public:
  virtual ~DesignSource();
  /// Throws Error(data) when the file is no longer what it was.
  virtual void require_unchanged() const = 0;
  /// These bytes of it are read soon: a hint, which changes nothing.
  virtual void will_read(const void* from, std::size_t bytes) const noexcept = 0;
  /// True if memory does not hold the file, so that every pass reads it from disk, by `read`.
  virtual bool larger_than_memory() const noexcept = 0;
  /// to <- these bytes of it, which the system need not keep. Throws Error(data) if the file ends before.
  virtual void read(const void* from, std::size_t bytes, void* to) const = 0;
};

/// K responses a row, row after row, all finite.
struct Responses {
  Index count = 0;                      ///< K
  std::vector<double> values;           ///< K a row
  std::vector<std::string> names = {};  ///< one a response, or empty
  Index rows() const noexcept { return count > 0 ? static_cast<Index>(values.size()) / count : 0; }
};

/// Rows a_i in R^cols with responses y_i. Filled once, then shared as std::shared_ptr<const Design> and never
/// changed. Sums over float entries are made in double.
struct Design {
  Index rows = 0, cols = 0;
  std::variant<DenseRows<double>, DenseRows<float>, SparseRows<double>, SparseRows<float>> entries;
  std::vector<double> response;     ///< one a row; class numbers if `labels` is not empty
  std::vector<std::string> labels;  ///< the names of the classes 0, 1, ...; empty when responses are numbers
  /// If rows have several responses, `response` holds the numbers, from 0, of their rows. Null for one
  /// response a row.
  std::shared_ptr<const Responses> responses = nullptr;
  std::vector<std::string> column_names;  ///< one a column, or empty
  std::vector<double> weights;            ///< one a row, >= 0, or empty for 1
  std::vector<Index> groups;              ///< one a row: rows with the same number belong together; or empty
  std::vector<double> offset;             ///< one a row, added to <a_i, x>: an exposure; or empty for 0
  std::shared_ptr<const DesignSource> source = nullptr;  ///< null for entries in memory
  std::string response_name;                             ///< of its column in a table; empty if it has none
  std::shared_ptr<const TableEncoding> encoding = nullptr;  ///< of a table's columns; null: they are its own
  bool checked = false;  ///< true if sizes and numbers are known to be as require_consistent asks

  bool is_sparse() const noexcept { return entries.index() >= 2; }
  bool is_single() const noexcept { return entries.index() % 2 == 1; }
  /// How many entries are stored.
  CLAROS_API Index stored() const noexcept;
  /// Its entries, where they lie by columns; else null.
  CLAROS_API const ColumnEntries* by_columns() const noexcept;
  /// out <- a_i; out has cols numbers.
  CLAROS_API void row(Index i, std::span<double> out) const;
  /// "column 3 (age)", counted from 1.
  CLAROS_API std::string column_text(Index j) const;
};

/// Throws Error(data) with `where` unless the sizes fit each other and every number is finite. The design may
/// lack responses if none are needed.
CLAROS_API void require_consistent(const Design& design, const std::string& where,
                                   bool response_needed = true);

/// The memory for a design of that size: "design of 2500 x 5000 in double takes 95 MiB".
CLAROS_API std::string memory_text(Index rows, Index cols, bool single);
/// "sparse design of 20242 x 47236 with 1498952 entries in double takes 17 MiB".
CLAROS_API std::string memory_text(Index rows, Index cols, Index stored, bool single);

/// Those rows of a design, copied, in that order; the responses too.
CLAROS_API Design chosen_rows(const Design& design, const std::vector<Index>& rows);

}  // namespace claros
