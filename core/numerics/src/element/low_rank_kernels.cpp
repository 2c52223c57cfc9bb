// SPDX-License-Identifier: BSD-3-Clause
#include "element/low_rank_kernels.hpp"

#include "element/block_loops.hpp"

#include <claros/element/parallel.hpp>

namespace claros::low_rank {

namespace {

constexpr Index kRowsPerChunk = 512;

/// Columns [first, first + W) of the active ones, side by side: row i of the packed array holds W numbers.
template <int W>
std::vector<double> pack(const std::vector<Index>& columns, std::size_t first, Index length, auto column,
                         auto weight) {
  std::vector<double> packed(static_cast<std::size_t>(length) * W);
  for (int c = 0; c < W; ++c) {
    const Index k = columns[first + static_cast<std::size_t>(c)];
    const double* from = column(k).data();
    const double factor = weight(k);
    for (Index i = 0; i < length; ++i) packed[static_cast<std::size_t>(i * W + c)] = factor * from[i];
  }
  return packed;
}

/// Some rows of the pattern: out_e <- beta out_e + <row i of U, row j of V>, e at (i, j).
template <int W>
void sample_row(const std::int32_t* col, std::int64_t count, const double* u, const double* V, double beta,
                double* out) {
  for (Index e = 0; e < count; ++e) {
    const double* v = V + static_cast<Index>(col[e]) * W;
    double sum = 0.0;
    for (int c = 0; c < W; ++c) sum += u[c] * v[c];
    out[e] = beta * out[e] + sum;
  }
}

template <int W>
void add_block(double w, const LowRankForm& f, const std::vector<Index>& columns, std::size_t first,
               const Pattern& pattern, double beta, std::span<double> out) {
  const auto U = pack<W>(
      columns, first, pattern.rows(), [&](Index k) { return f.store->left(k); },
      [&](Index k) { return w * f.weights[static_cast<std::size_t>(k)]; });
  const auto V = pack<W>(
      columns, first, pattern.cols(), [&](Index k) { return f.store->right(k); }, [](Index) { return 1.0; });
  const auto start = pattern.row_start();
  const auto sample = [] {
    if constexpr (W % kernels::kSlab == 0)
      return
          [](const std::int32_t* col, std::int64_t count, const double* u, const double* v, double factor,
             double* z) { kernels::block_loops().sample(col, count, W / kernels::kSlab, u, v, factor, z); };
    else
      return sample_row<W>;
  }();
  for_chunks(pattern.rows(), kRowsPerChunk, [&](Index, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const auto from = start[static_cast<std::size_t>(i)], to = start[static_cast<std::size_t>(i) + 1];
      sample(pattern.col().data() + from, to - from, U.data() + i * W, V.data(), beta, out.data() + from);
    }
  });
}

}  // namespace

void add_pattern(double w, const LowRankForm& f, const Pattern& pattern, double beta, std::span<double> out) {
  const std::vector<Index> columns = active(f);
  std::size_t first = 0;
  const auto next = [&]<int W>() {
    add_block<W>(w, f, columns, first, pattern, beta, out);
    first += W;
    beta = 1.0;
  };
  while (first + 32 <= columns.size()) next.template operator()<32>();
  if (first + 16 <= columns.size()) next.template operator()<16>();
  while (first + 8 <= columns.size()) next.template operator()<8>();
  if (first + 4 <= columns.size()) next.template operator()<4>();
  if (first + 2 <= columns.size()) next.template operator()<2>();
  if (first < columns.size()) next.template operator()<1>();
  if (columns.empty() && beta != 1.0)
    for (double& z : out) z *= beta;
}

}  // namespace claros::low_rank
