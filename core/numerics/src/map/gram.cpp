// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices of columns: kept products, products of stored entries, or the BLAS behind Armadillo.
#include "map/kept_gram.hpp"

#include <algorithm>
#include <armadillo>
#include <cmath>
#include <numeric>

namespace claros {

namespace {

/// Row by row: half the sum of the squares of their numbers of entries, in multiplications.
std::vector<double> sparse_gram(const Columns& columns, std::span<const double> w) {
  const Index p = columns.count();
  std::vector<Index> end(at(columns.rows()) + 1, 0), column(at(columns.stored()));
  std::vector<double> value(column.size()), G(at(p * p), 0.0);
  for (Index j = 0; j < p; ++j)
    for (const std::int32_t i : columns.rows_of(j)) ++end[at(i) + 1];
  std::partial_sum(end.begin(), end.end(), end.begin());
  std::vector<Index> next(end.begin(), end.end() - 1);
  // Columns from the last on, so that a row holds those from j on when it meets A_j.
  for (Index j = p; j-- > 0;) {
    const auto values = columns.values(j);
    const auto rows = columns.rows_of(j);
    for (std::size_t e = 0; e < values.size(); ++e) {
      const std::size_t i = at(rows[e]), first = at(end[i]), last = at(next[i]++);
      const double scaled = w[i] * values[e];
      column[last] = j;
      value[last] = values[e];
      for (std::size_t k = first; k <= last; ++k) G[at(j * p + column[k])] += scaled * value[k];
    }
  }
  for (Index j = 0; j < p; ++j)
    for (Index k = 0; k < j; ++k) G[at(j * p + k)] = G[at(k * p + j)];
  return G;
}

}  // namespace

std::vector<double> Columns::gram(std::span<const double> w) const {
  if (sparse_) return sparse_gram(*this, w);
  const bool uniform = std::all_of(w.begin(), w.end(), [&](double each) { return each == w.front(); });
  if (kept_ && uniform && !w.empty() && has_room_for_gram()) {
    std::vector<double> G = kept_->of(names_, *this);
    for (double& product : G) product *= w.front();
    return G;
  }
  const auto n = static_cast<arma::uword>(rows_), p = static_cast<arma::uword>(count_);
  arma::mat scaled(n, p, arma::fill::zeros);
  for (Index j = 0; j < count_; ++j) {
    const auto column = values(j);
    double* to = scaled.colptr(static_cast<arma::uword>(j));
    for (std::size_t i = 0; i < column.size(); ++i) to[i] = std::sqrt(w[i]) * column[i];
  }
  const arma::mat G = scaled.t() * scaled;
  return {G.begin(), G.end()};
}

}  // namespace claros
