// SPDX-License-Identifier: BSD-3-Clause
// By the LAPACK behind Armadillo.
#define ARMA_WARN_LEVEL 0
#include "block_cholesky.hpp"

#include <claros/library_call.hpp>

#include <algorithm>
#include <armadillo>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <utility>

namespace log_det {

using namespace claros;

namespace {

using Integer = arma::blas_int;

/// The connected components of the graph with an edge (i, j) where A_ij or A_ji is not 0. A reached node
/// leaves the list of nodes to ask: O(p^2) reads at most, O(p) for a full matrix.
std::vector<std::vector<Index>> components(std::span<const double> A, Index p) {
  std::vector<Index> rest(at(p));
  std::iota(rest.begin(), rest.end(), Index{0});
  std::vector<std::vector<Index>> all;
  while (!rest.empty()) {
    std::vector<Index> found{rest.front()};
    rest.erase(rest.begin());
    for (std::size_t k = 0; k < found.size() && !rest.empty(); ++k) {
      const Index i = found[k];
      const auto reached = std::stable_partition(rest.begin(), rest.end(), [&](Index j) {
        return A[at(i * p + j)] == 0.0 && A[at(j * p + i)] == 0.0;
      });
      found.insert(found.end(), reached, rest.end());
      rest.erase(reached, rest.end());
    }
    std::ranges::sort(found);
    all.push_back(std::move(found));
  }
  return all;
}

}  // namespace

BlockCholesky::BlockCholesky(std::span<const double> A, Index p) : p_(p), definite_(true), log_det_(0.0) {
  for (std::vector<Index>& members : components(A, p)) {
    blocks_.push_back({std::move(members), {}});
    factor(blocks_.back(), A);
    if (!definite_) break;
  }
  definite_ = definite_ && std::isfinite(log_det_);
  if (!definite_) log_det_ = std::numeric_limits<double>::quiet_NaN();
}

void BlockCholesky::factor(Block& block, std::span<const double> A) {
  const std::size_t n = block.members.size();
  const LibraryCall call("the Cholesky factorization", static_cast<Index>(n), static_cast<Index>(n));
  block.values.resize(n * n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k; i < n; ++i)
      block.values[k * n + i] = 0.5 * A[at(block.members[k] * p_ + block.members[i])] +
                                0.5 * A[at(block.members[i] * p_ + block.members[k])];
  char lower = 'L';
  Integer rows = static_cast<Integer>(n), info = 0;
  arma::lapack::potrf<double>(&lower, &rows, block.values.data(), &rows, &info);
  definite_ = info == 0;
  for (std::size_t k = 0; k < n && definite_; ++k) {
    const double pivot = block.values[k * n + k], log = 2.0 * std::log(pivot);
    definite_ = pivot > 0.0;
    log_det_ += log;
    log_magnitude_ += std::abs(log);
  }
}

void BlockCholesky::invert() {
  if (inverted_) return;
  const LibraryCall call("the inverse", p_, p_);
  inverted_ = true;
  for (Block& block : blocks_) {
    char lower = 'L';
    Integer rows = static_cast<Integer>(block.members.size()), info = 0;
    arma::lapack::potri<double>(&lower, &rows, block.values.data(), &rows, &info);
  }
}

template <class Function>
void BlockCholesky::for_each_below(const Function& f) const {
  for (const Block& block : blocks_) {
    const std::size_t n = block.members.size();
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = k; i < n; ++i) f(block.members[i], block.members[k], block.values[k * n + i]);
  }
}

void BlockCholesky::add_inverse(double a, std::span<double> G) {
  invert();
  for_each_below([&](Index i, Index j, double w) {
    G[at(j * p_ + i)] += a * w;
    if (i != j) G[at(i * p_ + j)] += a * w;
  });
}

std::vector<double> BlockCholesky::magnitudes_times(std::span<const double> d) {
  invert();
  std::vector<double> v(at(p_), 0.0);
  for_each_below([&](Index i, Index j, double w) {
    v[at(i)] += std::abs(w) * d[at(j)];
    if (i != j) v[at(j)] += std::abs(w) * d[at(i)];
  });
  return v;
}

}  // namespace log_det
