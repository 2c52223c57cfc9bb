// SPDX-License-Identifier: BSD-3-Clause
#include <claros/element/sparse_kernels.hpp>

#include "element/block_loops.hpp"

#include <claros/element/parallel.hpp>

#include <vector>

namespace claros::sparse {

namespace {

constexpr Index kRowsPerChunk = 512;
/// Scattered sums are kept in at most this many arrays, whatever the number of threads.
constexpr Index kScatterArrays = 4;
/// Below this many entries one array serves.
constexpr Index kSmall = Index{1} << 18;

/// <row i of S, x> with four sums, or the additions wait for each other.
double row_product(const Pattern& pattern, const double* values, const double* x, Index i) {
  const std::int32_t* col = pattern.col().data();
  Index e = pattern.row_start()[static_cast<std::size_t>(i)];
  const Index last = pattern.row_start()[static_cast<std::size_t>(i) + 1];
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
  for (; e + 4 <= last; e += 4) {
    s0 += values[e] * x[col[e]];
    s1 += values[e + 1] * x[col[e + 1]];
    s2 += values[e + 2] * x[col[e + 2]];
    s3 += values[e + 3] * x[col[e + 3]];
  }
  for (; e < last; ++e) s0 += values[e] * x[col[e]];
  return (s0 + s1) + (s2 + s3);
}

/// x += factor * (row i of S).
void scatter_row(const Pattern& pattern, const double* values, double factor, double* x, Index i) {
  const std::int32_t* col = pattern.col().data();
  const Index last = pattern.row_start()[static_cast<std::size_t>(i) + 1];
  for (Index e = pattern.row_start()[static_cast<std::size_t>(i)]; e < last; ++e)
    x[col[e]] += factor * values[e];
}

/// body(begin, end, sums) over all rows, sums being x itself or one of a few arrays that are added to x in
/// order. The cut depends on the matrix alone, so results do too.
template <class Body>
void scatter_by_rows(const Pattern& pattern, std::span<double> x, Body body) {
  const Index rows = pattern.rows(), cols = pattern.cols();
  if (pattern.entries() < kSmall || cols * kScatterArrays > pattern.entries()) return body(0, rows, x.data());
  const Index grain = (rows + kScatterArrays - 1) / kScatterArrays;
  std::vector<double> sums(static_cast<std::size_t>(kScatterArrays * cols), 0.0);
  for_chunks(rows, grain, [&](Index c, Index begin, Index end) { body(begin, end, sums.data() + c * cols); });
  for (Index c = 0; c < chunk_count(rows, grain); ++c)
    for (Index j = 0; j < cols; ++j)
      x[static_cast<std::size_t>(j)] += sums[static_cast<std::size_t>(c * cols + j)];
}

}  // namespace

void add_product(double w, const Pattern& pattern, std::span<const double> values, std::span<const double> x,
                 std::span<double> y) {
  for_chunks(pattern.rows(), kRowsPerChunk, [&](Index, Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      y[static_cast<std::size_t>(i)] += w * row_product(pattern, values.data(), x.data(), i);
  });
}

void add_adjoint_product(double w, const Pattern& pattern, std::span<const double> values,
                         std::span<const double> y, std::span<double> x) {
  scatter_by_rows(pattern, x, [&](Index begin, Index end, double* sums) {
    for (Index i = begin; i < end; ++i)
      scatter_row(pattern, values.data(), w * y[static_cast<std::size_t>(i)], sums, i);
  });
}

void round_trip(double w, const Pattern& pattern, std::span<const double> values, std::span<const double> x,
                double beta, std::span<double> image, std::span<double> back) {
  scatter_by_rows(pattern, back, [&](Index begin, Index end, double* sums) {
    for (Index i = begin; i < end; ++i) {
      double& z = image[static_cast<std::size_t>(i)];
      z = w * row_product(pattern, values.data(), x.data(), i) - beta * z;
      scatter_row(pattern, values.data(), w * z, sums, i);
    }
  });
}

namespace {

constexpr Index kSlab = kernels::kSlab;

/// Up to eight columns from `first` on, side by side, zeros if there are fewer.
void pack(std::span<const double> block, Index length, Index first, Index columns,
          std::vector<double>& slab) {
  slab.assign(static_cast<std::size_t>(length * kSlab), 0.0);
  for (Index c = 0; c < columns; ++c)
    for (Index i = 0; i < length; ++i)
      slab[static_cast<std::size_t>(i * kSlab + c)] =
          block[static_cast<std::size_t>((first + c) * length + i)];
}

void add_unpacked(const std::vector<double>& slab, Index length, Index first, Index columns,
                  std::span<double> block) {
  for (Index c = 0; c < columns; ++c)
    for (Index i = 0; i < length; ++i)
      block[static_cast<std::size_t>((first + c) * length + i)] +=
          slab[static_cast<std::size_t>(i * kSlab + c)];
}

/// Transforms eight columns at a time, each time by one thread: from -> to, of lengths `in` and `out`. It
/// calls `row(i, entries, from slab, to slab)` for every row.
template <class Row>
void by_slabs(const Pattern& pattern, Index in, Index out, std::span<const double> from, Index count,
              std::span<double> to, Row row) {
  for_chunks(count, kSlab, [&](Index, Index first, Index end) {
    std::vector<double> read, made(static_cast<std::size_t>(out * kSlab), 0.0);
    pack(from, in, first, end - first, read);
    for (Index i = 0; i < pattern.rows(); ++i) row(i, read.data(), made.data());
    add_unpacked(made, out, first, end - first, to);
  });
}

}  // namespace

void add_block_product(double w, const Pattern& pattern, std::span<const double> values,
                       std::span<const double> X, Index count, std::span<double> Y) {
  const auto gather = kernels::block_loops().gather;
  by_slabs(pattern, pattern.cols(), pattern.rows(), X, count, Y, [&](Index i, const double* x, double* y) {
    const Index e = pattern.row_start()[static_cast<std::size_t>(i)],
                entries = pattern.row_start()[static_cast<std::size_t>(i) + 1] - e;
    gather(pattern.col().data() + e, values.data() + e, entries, w, x, y + i * kSlab);
  });
}

void add_adjoint_block_product(double w, const Pattern& pattern, std::span<const double> values,
                               std::span<const double> Y, Index count, std::span<double> X) {
  const auto scatter = kernels::block_loops().scatter;
  by_slabs(pattern, pattern.rows(), pattern.cols(), Y, count, X, [&](Index i, const double* y, double* x) {
    const Index e = pattern.row_start()[static_cast<std::size_t>(i)],
                entries = pattern.row_start()[static_cast<std::size_t>(i) + 1] - e;
    scatter(pattern.col().data() + e, values.data() + e, entries, w, y + i * kSlab, x);
  });
}

}  // namespace claros::sparse
