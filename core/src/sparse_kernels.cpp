// SPDX-License-Identifier: BSD-3-Clause
#include "sparse_kernels.hpp"

#include <claros/parallel.hpp>

#include <vector>

namespace claros::sparse {

namespace {

constexpr Index kRowsPerChunk = 512;
/// Scattered sums are kept in at most this many arrays, whatever the number of threads.
constexpr Index kScatterArrays = 4;

void scatter_rows(double w, const Pattern& pattern, std::span<const double> values, std::span<const double> y, double* x, Index begin,
                  Index end) {
  const auto start = pattern.row_start();
  const std::int32_t* col = pattern.col().data();
  for (Index i = begin; i < end; ++i) {
    const double factor = w * y[static_cast<std::size_t>(i)];
    for (Index e = start[static_cast<std::size_t>(i)]; e < start[static_cast<std::size_t>(i) + 1]; ++e)
      x[col[e]] += factor * values[static_cast<std::size_t>(e)];
  }
}

}  // namespace

void add_product(double w, const Pattern& pattern, std::span<const double> values, std::span<const double> x, std::span<double> y) {
  const auto start = pattern.row_start();
  const std::int32_t* col = pattern.col().data();
  for_chunks(pattern.rows(), kRowsPerChunk, [&](Index, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Index e = start[static_cast<std::size_t>(i)];
      const Index last = start[static_cast<std::size_t>(i) + 1];
      // Four sums, or the additions wait for each other.
      double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
      const double* v = values.data();
      for (; e + 4 <= last; e += 4) {
        s0 += v[e] * x[static_cast<std::size_t>(col[e])];
        s1 += v[e + 1] * x[static_cast<std::size_t>(col[e + 1])];
        s2 += v[e + 2] * x[static_cast<std::size_t>(col[e + 2])];
        s3 += v[e + 3] * x[static_cast<std::size_t>(col[e + 3])];
      }
      for (; e < last; ++e) s0 += v[e] * x[static_cast<std::size_t>(col[e])];
      y[static_cast<std::size_t>(i)] += w * ((s0 + s1) + (s2 + s3));
    }
  });
}

void add_adjoint_product(double w, const Pattern& pattern, std::span<const double> values, std::span<const double> y, std::span<double> x) {
  const Index rows = pattern.rows();
  // Small or very wide: one array, the caller's. The choice depends on the matrix alone, so results do too.
  if (pattern.entries() < (Index{1} << 18) || pattern.cols() * kScatterArrays > pattern.entries()) {
    scatter_rows(w, pattern, values, y, x.data(), 0, rows);
    return;
  }
  const Index grain = (rows + kScatterArrays - 1) / kScatterArrays;
  std::vector<double> sums(static_cast<std::size_t>(kScatterArrays * pattern.cols()), 0.0);
  for_chunks(rows, grain, [&](Index c, Index begin, Index end) {
    scatter_rows(w, pattern, values, y, sums.data() + c * pattern.cols(), begin, end);
  });
  for (Index c = 0; c < chunk_count(rows, grain); ++c)
    for (Index j = 0; j < pattern.cols(); ++j) x[static_cast<std::size_t>(j)] += sums[static_cast<std::size_t>(c * pattern.cols() + j)];
}

}  // namespace claros::sparse
