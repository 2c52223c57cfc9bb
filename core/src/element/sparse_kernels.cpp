// SPDX-License-Identifier: BSD-3-Clause
#include "element/sparse_kernels.hpp"

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
  for (Index e = pattern.row_start()[static_cast<std::size_t>(i)]; e < last; ++e) x[col[e]] += factor * values[e];
}

/// body(begin, end, sums) over all rows, sums being x itself or one of a few arrays that are added to x in order. The
/// cut depends on the matrix alone, so results do too.
template <class Body>
void scatter_by_rows(const Pattern& pattern, std::span<double> x, Body body) {
  const Index rows = pattern.rows(), cols = pattern.cols();
  if (pattern.entries() < kSmall || cols * kScatterArrays > pattern.entries()) return body(0, rows, x.data());
  const Index grain = (rows + kScatterArrays - 1) / kScatterArrays;
  std::vector<double> sums(static_cast<std::size_t>(kScatterArrays * cols), 0.0);
  for_chunks(rows, grain, [&](Index c, Index begin, Index end) { body(begin, end, sums.data() + c * cols); });
  for (Index c = 0; c < chunk_count(rows, grain); ++c)
    for (Index j = 0; j < cols; ++j) x[static_cast<std::size_t>(j)] += sums[static_cast<std::size_t>(c * cols + j)];
}

}  // namespace

void add_product(double w, const Pattern& pattern, std::span<const double> values, std::span<const double> x, std::span<double> y) {
  for_chunks(pattern.rows(), kRowsPerChunk, [&](Index, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) y[static_cast<std::size_t>(i)] += w * row_product(pattern, values.data(), x.data(), i);
  });
}

void add_adjoint_product(double w, const Pattern& pattern, std::span<const double> values, std::span<const double> y, std::span<double> x) {
  scatter_by_rows(pattern, x, [&](Index begin, Index end, double* sums) {
    for (Index i = begin; i < end; ++i) scatter_row(pattern, values.data(), w * y[static_cast<std::size_t>(i)], sums, i);
  });
}

void round_trip(double w, const Pattern& pattern, std::span<const double> values, std::span<const double> x, double beta,
                std::span<double> image, std::span<double> back) {
  scatter_by_rows(pattern, back, [&](Index begin, Index end, double* sums) {
    for (Index i = begin; i < end; ++i) {
      double& z = image[static_cast<std::size_t>(i)];
      z = w * row_product(pattern, values.data(), x.data(), i) - beta * z;
      scatter_row(pattern, values.data(), w * z, sums, i);
    }
  });
}

}  // namespace claros::sparse
