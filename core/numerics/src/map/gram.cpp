// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices of columns: kept products, products of stored entries, or the BLAS behind Armadillo.
#include "map/kept_gram.hpp"

#include <algorithm>
#include <armadillo>
#include <cmath>

namespace claros {

namespace {

std::size_t at(Index k) { return static_cast<std::size_t>(k); }

std::vector<double> sparse_gram(const Columns& columns, std::span<const double> w) {
  const Index p = columns.count();
  std::vector<double> G(at(p * p)), scaled(at(columns.rows()), 0.0);
  for (Index j = 0; j < p; ++j) {
    const auto values = columns.values(j);
    const auto rows = columns.rows_of(j);
    for (std::size_t e = 0; e < values.size(); ++e) scaled[at(rows[e])] = w[at(rows[e])] * values[e];
    for (Index k = j; k < p; ++k) G[at(j * p + k)] = G[at(k * p + j)] = columns.dot(k, scaled);
    for (const std::int32_t i : rows) scaled[at(i)] = 0.0;
  }
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
