// SPDX-License-Identifier: BSD-3-Clause
#include "map/column_passes.hpp"

#include "element/array_sums.hpp"
#include "map/dense_loops.hpp"

#include <claros/element/parallel.hpp>

#include <algorithm>

namespace claros {
namespace {

using kernels::kBlock;

std::size_t place(Index k) { return static_cast<std::size_t>(k); }

/// z += alpha A x. Threads share the rows: those of one stay in a cache while all columns meet them.
void add_dense(const Columns& a, double alpha, std::span<const double> x, std::span<double> z) {
  constexpr Index kRows = 2048;
  for_chunks(a.rows(), kRows, [&](Index, Index first, Index last) {
    const double* columns[kBlock];
    double factors[kBlock];
    int count = 0;
    const auto add = [&] {
      kernels::dense_loops<double>().add(columns, count, last - first, factors, z.data() + first, nullptr);
      count = 0;
    };
    for (Index j = 0; j < a.count(); ++j) {
      if (x[place(j)] == 0.0) continue;
      columns[count] = a.values(j).data() + first;
      factors[count++] = alpha * x[place(j)];
      if (count == kBlock) add();
    }
    if (count > 0) add();
  });
}

/// Each of a few chunks of columns has an array of its own.
void add_sparse(const Columns& a, double alpha, std::span<const double> x, std::span<double> z) {
  constexpr Index kChunks = 8;
  sum_arrays(a.count(), chunk_count(a.count(), kChunks), z, [&](Index first, Index last, double* partial) {
    for (Index j = first; j < last; ++j)
      if (x[place(j)] != 0.0) a.add(j, alpha * x[place(j)], {partial, z.size()});
  });
}

}  // namespace

void apply_columns(const Columns& a, double alpha, std::span<const double> x, double b, double beta,
                   std::span<double> z) {
  for (double& value : z) value = (beta == 0.0 ? 0.0 : beta * value) + alpha * b;
  if (a.are_sparse())
    add_sparse(a, alpha, x, z);
  else
    add_dense(a, alpha, x, z);
}

namespace {

/// g_j += <a_j, c> of the columns [first, last).
void add_products(const Columns& a, Index first, Index last, std::span<const double> c, std::span<double> g) {
  if (a.are_sparse()) {
    for (Index j = first; j < last; ++j) g[place(j)] += a.dot(j, c);
    return;
  }
  for (Index j = first; j < last; j += kBlock) {
    const double* columns[kBlock];
    double products[kBlock];
    const int count = static_cast<int>(std::min<Index>(kBlock, last - j));
    for (int k = 0; k < count; ++k) columns[k] = a.values(j + k).data();
    kernels::dense_loops<double>().dot(columns, count, a.rows(), c.data(), products);
    for (int k = 0; k < count; ++k) g[place(j + k)] += products[k];
  }
}

}  // namespace

/// Columns of one chunk, few where they meet several outputs, stay in a cache meanwhile.
void add_columns_adjoint(const Columns& a, Index outputs, std::span<const double> c, std::span<double> g) {
  const auto n = place(a.rows()), p = place(a.count()), K = place(outputs);
  std::vector<double> pieces(K > 1 ? c.size() : 0);
  for (std::size_t e = 0; e < pieces.size(); ++e) pieces[e % K * n + e / K] = c[e];
  const Index grain = outputs > 1 ? kBlock : 8 * kBlock;
  for_chunks(a.count(), grain, [&](Index, Index first, Index last) {
    for (std::size_t k = 0; k < K; ++k)
      add_products(a, first, last, K > 1 ? std::span<const double>(pieces).subspan(k * n, n) : c,
                   g.subspan(k * p, p));
  });
}

std::vector<double> middle_of(const LinearMap::Middle& middle, std::span<const double> z, Index outputs) {
  std::vector<double> c(z.size());
  for_chunks(static_cast<Index>(z.size()), kBlock * outputs, [&](Index, Index first, Index last) {
    middle(first, z.subspan(place(first), place(last - first)),
           std::span(c).subspan(place(first), place(last - first)));
  });
  return c;
}

std::vector<double> row_squares(const Columns& a) {
  std::vector<double> squares(place(a.rows()), 0.0);
  for (Index j = 0; j < a.count(); ++j) {
    const auto values = a.values(j);
    const auto rows = a.rows_of(j);
    for (std::size_t e = 0; e < values.size(); ++e)
      squares[a.are_sparse() ? place(rows[e]) : e] += values[e] * values[e];
  }
  return squares;
}

}  // namespace claros
