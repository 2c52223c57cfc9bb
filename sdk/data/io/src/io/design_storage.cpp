// SPDX-License-Identifier: BSD-3-Clause
// The memory of a design: what it takes, dense or sparse rows, and rows of length 1.
#include <claros/io/file_limits.hpp>
#include "io/design_formats.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

namespace claros::design_formats {

namespace {

/// `text` is memory_text's.
void announce(const Path& path, const std::string& text, double bytes, int times, const Context& context) {
  const std::string more = times == 1   ? ""
                           : times == 2 ? ", and twice as much while it is read"
                                        : ", and three times as much while it is read";
  context.detail(text + more);
  expect_memory(bytes * times, path.string(),
                "the " + text.substr(0, text.find(" takes ")) + (times == 1 ? "" : ", while it is read,"),
                kSmallerData);
}

}  // namespace

void announce_dense(const Path& path, Index rows, Index cols, bool single, int times,
                    const Context& context) {
  announce(path, memory_text(rows, cols, single),
           static_cast<double>(rows) * static_cast<double>(cols) * (single ? 4 : 8), times, context);
}

void announce_sparse(const Path& path, Index rows, Index cols, Index stored, bool single, int times,
                     const Context& context) {
  announce(path, memory_text(rows, cols, stored, single),
           static_cast<double>(stored) * (single ? 8 : 12) + 8.0 * static_cast<double>(rows), times, context);
}

namespace {

template <class Real>
SparseRows<Real> sparse_of(const Design& design) {
  SparseRows<Real> sparse;
  std::vector<double> row(static_cast<std::size_t>(design.cols));
  sparse.start.push_back(0);
  for (Index i = 0; i < design.rows; ++i) {
    design.row(i, row);
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] == 0.0) continue;
      sparse.column.push_back(static_cast<std::int32_t>(j));
      sparse.value.push_back(static_cast<Real>(row[j]));
    }
    sparse.start.push_back(static_cast<Index>(sparse.value.size()));
  }
  return sparse;
}

template <class Real>
DenseRows<Real> dense_of(const Design& design) {
  DenseRows<Real> dense;
  dense.values.reserve(static_cast<std::size_t>(design.rows) * static_cast<std::size_t>(design.cols));
  std::vector<double> row(static_cast<std::size_t>(design.cols));
  for (Index i = 0; i < design.rows; ++i) {
    design.row(i, row);
    std::transform(row.begin(), row.end(), std::back_inserter(dense.values),
                   [](double v) { return static_cast<Real>(v); });
  }
  return dense;
}

}  // namespace

void store_as_asked(const Path& path, Design& design, const DesignOptions& options, const Context& context) {
  const bool single = design.is_single();
  if (options.storage == "dense" && design.is_sparse()) {
    announce_dense(path, design.rows, design.cols, single, 1, context);
    if (single)
      design.entries = dense_of<float>(design);
    else
      design.entries = dense_of<double>(design);
  }
  if (options.storage == "sparse" && !design.is_sparse()) {
    if (single)
      design.entries = sparse_of<float>(design);
    else
      design.entries = sparse_of<double>(design);
    context.detail(memory_text(design.rows, design.cols, design.stored(), single));
  }
}

namespace {

/// `next(i)` is the end of row i.
template <class Real, class Next>
void scale_rows(std::span<Real> values, Index rows, const Next& next) {
  std::size_t from = 0;
  for (Index i = 0; i < rows; ++i) {
    const std::size_t to = next(i);
    double square = 0.0, largest = 0.0;
    for (std::size_t k = from; k < to; ++k)
      largest = std::max(largest, std::abs(static_cast<double>(values[k])));
    // By the largest, so that no square overflows or vanishes.
    for (std::size_t k = from; k < to && largest > 0.0; ++k)
      square += std::pow(static_cast<double>(values[k]) / largest, 2);
    for (std::size_t k = from; k < to && largest > 0.0; ++k)
      values[k] = static_cast<Real>(static_cast<double>(values[k]) / largest / std::sqrt(square));
    from = to;
  }
}

template <class Real>
void make_unit_rows(DenseRows<Real>& rows, const Design& design) {
  scale_rows(std::span<Real>(rows.values), design.rows, [&](Index i) {
    return static_cast<std::size_t>(i + 1) * static_cast<std::size_t>(design.cols);
  });
}
template <class Real>
void make_unit_rows(SparseRows<Real>& rows, const Design& design) {
  scale_rows(rows.own_values(), design.rows,
             [&](Index i) { return static_cast<std::size_t>(rows.start[static_cast<std::size_t>(i) + 1]); });
}

}  // namespace

void scale_to_unit_rows(Design& design) {
  std::visit([&](auto& entries) { make_unit_rows(entries, design); }, design.entries);
}

}  // namespace claros::design_formats
