// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices of columns: kept products, products of stored entries, or the BLAS behind Armadillo.
#include "map/dense_loops.hpp"
#include "map/kept_gram.hpp"

#include <claros/element/parallel.hpp>

#include <armadillo>

#include <algorithm>
#include <cmath>
#include <limits>
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
