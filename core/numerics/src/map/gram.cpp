// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices of columns: kept products, products of stored entries, or the BLAS behind Armadillo.
#include "map/dense_loops.hpp"
#include "map/kept_gram.hpp"

#include <claros/element/parallel.hpp>
#include <claros/map/design.hpp>

#include <armadillo>

#include <algorithm>
#include <cmath>
#include <limits>

namespace claros {

/// Row by row: half the sum of the squares of their numbers of entries, in multiplications.
std::vector<double> Columns::sparse_gram(std::span<const double> w) const {
  const CompressedRows<double> rows = by_row_->compressed_rows();
  const std::size_t p = at(count_);
  std::vector<double> G(p * p, 0.0);
  for (std::size_t i = 0; i < at(rows_); ++i) {
    for (std::size_t e = at(rows.start[i]), end = at(rows.start[i + 1]); e < end; ++e) {
      double* to = G.data() + at(rows.column[e]) * p;
      const double scaled = w[i] * rows.value[e];
      for (std::size_t k = e; k < end; ++k) to[rows.column[k]] += scaled * rows.value[k];
    }
  }
  for (std::size_t j = 0; j < p; ++j)
    for (std::size_t k = 0; k < j; ++k) G[j * p + k] = G[k * p + j];
  return G;
}

std::vector<double> Columns::gram(std::span<const double> w) const {
  if (sparse_) return sparse_gram(w);
  const bool uniform = std::all_of(w.begin(), w.end(), [&](double each) { return each == w.front(); });
  if (kept_ && uniform && !w.empty() && has_room_for_gram()) {
    std::vector<double> G = kept_->of(names_, *this);
    for (double& product : G) product *= w.front();
    return G;
  }
  const auto n = static_cast<arma::uword>(rows_), p = static_cast<arma::uword>(count_);
  if (uniform && !ones_ && n > 0) {
    const arma::mat columns(const_cast<double*>(value_.data()), n, p, false, true);
    const arma::mat G = w.front() * (columns.t() * columns);
    return {G.begin(), G.end()};
  }
  std::vector<double> roots(w.begin(), w.end());
  for (double& root : roots) root = std::sqrt(root);
  arma::mat scaled(n, p, arma::fill::none);
  for (Index j = 0; j < count_; ++j) {
    const auto column = values(j);
    double* to = scaled.colptr(static_cast<arma::uword>(j));
    for (std::size_t i = 0; i < column.size(); ++i) to[i] = roots[i] * column[i];
  }
  const arma::mat G = scaled.t() * scaled;
  return {G.begin(), G.end()};
}

/// If there is no room for more, earlier places are freed.
std::vector<std::size_t> KeptGram::places(std::span<const Index> names) {
  const auto unknown =
      std::count_if(names.begin(), names.end(), [&](Index j) { return !place_.contains(j); });
  if (static_cast<Index>(place_.size()) + unknown > Columns::kMostForGram) place_.clear(), product_.clear();
  std::vector<std::size_t> places;
  for (const Index j : names) places.push_back(place_.try_emplace(j, place_.size()).first->second);
  product_.resize(place_.size());
  for (auto& row : product_) row.resize(place_.size(), std::numeric_limits<double>::quiet_NaN());
  return places;
}

/// Eight columns stay in a cache while they meet all others from the first of them on.
void KeptGram::complete(std::span<const std::size_t> places, const Columns& columns) {
  constexpr std::size_t kBlock = kernels::kBlock;
  const auto& loops = kernels::dense_loops<double>();
  const Index groups = (static_cast<Index>(places.size()) + kernels::kBlock - 1) / kernels::kBlock;
  // Each pair is met by one group alone; its mirror image is written below, by one thread.
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> made(static_cast<std::size_t>(groups));
  for_chunks(groups, 1, [&](Index group, Index, Index) {
    const std::size_t first = static_cast<std::size_t>(group) * kBlock,
                      end = std::min(places.size(), first + kBlock);
    for (std::size_t b = first; b < places.size(); ++b) {
      const double* rows[kBlock];
      std::size_t which[kBlock];
      double products[kBlock];
      int count = 0;
      for (std::size_t a = first; a < std::min(end, b + 1); ++a)
        if (std::isnan(product_[places[a]][places[b]])) {
          rows[count] = columns.values(static_cast<Index>(a)).data();
          which[count++] = a;
        }
      if (count == 0) continue;
      loops.dot(rows, count, columns.rows(), columns.values(static_cast<Index>(b)).data(), products);
      for (int k = 0; k < count; ++k) {
        product_[places[which[k]]][places[b]] = products[k];
        made[static_cast<std::size_t>(group)].emplace_back(places[which[k]], places[b]);
      }
    }
  });
  for (const auto& pairs : made)
    for (const auto& [a, b] : pairs) product_[b][a] = product_[a][b];
}

std::vector<double> KeptGram::of(std::span<const Index> names, const Columns& columns) {
  const std::vector<std::size_t> at = places(names);
  complete(at, columns);
  std::vector<double> G;
  G.reserve(at.size() * at.size());
  for (const std::size_t a : at) {
    const std::vector<double>& row = product_[a];
    for (const std::size_t b : at) G.push_back(row[b]);
  }
  return G;
}

}  // namespace claros
