// SPDX-License-Identifier: BSD-3-Clause
// Factorizations by the LAPACK behind Armadillo.
#define ARMA_WARN_LEVEL 0
#include <shared/algorithms/support_factor.hpp>

#include <algorithm>
#include <armadillo>
#include <cmath>

namespace claros {

namespace {

using Integer = arma::blas_int;

/// X <- L^{-1} X, or L'^{-1} X.
bool triangular(const std::vector<double>& L, Index n, bool transposed, Index columns,
                std::vector<double>& X) {
  char lower = 'L', trans = transposed ? 'T' : 'N', general = 'N';
  Integer rows = static_cast<Integer>(n), count = static_cast<Integer>(columns), info = 0;
  if (n > 0 && columns > 0)
    arma::lapack::trtrs<double>(&lower, &trans, &general, &rows, &count, L.data(), &rows, X.data(), &rows,
                                &info);
  return info == 0;
}

}  // namespace

SupportFactor::Changes SupportFactor::changes(std::span<const Index> S, std::span<const double> extra) const {
  constexpr double kSame = 1e-6;
  Changes c;
  c.place.assign(S.size(), -1);
  std::size_t b = 0;
  for (std::size_t k = 0; k < S.size(); ++k) {
    for (; b < base_.size() && base_[b] < S[k]; ++b) c.dropped.push_back(static_cast<Index>(b));
    const bool known = b < base_.size() && base_[b] == S[k];
    if (known && std::abs(extra_[b] - extra[k]) <= kSame * std::abs(extra[k]))
      c.place[k] = static_cast<Index>(b);
    else
      c.added.push_back(static_cast<Index>(k));
    if (known && c.place[k] < 0) c.dropped.push_back(static_cast<Index>(b));
    b += known;
  }
  for (; b < base_.size(); ++b) c.dropped.push_back(static_cast<Index>(b));
  return c;
}

bool SupportFactor::factor(std::span<const double> G, Index count, std::span<const Index> S,
                           std::span<const double> extra) {
  constexpr double kRidges[] = {0.0, 1e-12,
                                1e-9};  // of the mean of the diagonal: of columns that repeat each other
  const std::size_t n = S.size();
  double trace = 0.0;
  for (const Index j : S) trace += G[at(j * count + j)];
  char lower = 'L';
  base_.clear(), extra_.clear();
  for (const double ridge : kRidges) {
    lower_.resize(n * n);
    for (std::size_t k = 0; k < n; ++k) {
      const double* column = G.data() + at(S[k] * count);
      for (std::size_t i = k; i < n; ++i) lower_[k * n + i] = column[S[i]];
      lower_[k * n + k] += extra[k] + ridge * trace / static_cast<double>(n);
    }
    Integer rows = static_cast<Integer>(n), info = 0;
    arma::lapack::potrf<double>(&lower, &rows, lower_.data(), &rows, &info);
    ++factorizations_;
    if (info != 0) continue;
    base_.assign(S.begin(), S.end()), extra_.assign(extra.begin(), extra.end());
    return true;
  }
  return false;
}

std::optional<std::vector<double>> SupportFactor::solve(std::span<const double> G, Index count,
                                                        std::span<const Index> S,
                                                        std::span<const double> extra,
                                                        std::span<const double> r) {
  constexpr Index kFew = 8, kShare = 10;
  Changes c = changes(S, extra);
  const auto changed = [&] { return static_cast<Index>(c.added.size() + c.dropped.size()); };
  if (base_.empty() || changed() > std::max<Index>(kFew, static_cast<Index>(base_.size()) / kShare)) {
    if (!factor(G, count, S, extra)) return std::nullopt;
    c = changes(S, extra);
  }
  const auto n = static_cast<Index>(base_.size()), a = static_cast<Index>(c.added.size()), m = changed();
  std::vector<double> w(at(n), 0.0), Z(at(n * m), 0.0);
  for (std::size_t k = 0; k < S.size(); ++k)
    if (c.place[k] >= 0) w[at(c.place[k])] = r[k];
  for (Index k = 0; k < a; ++k)
    for (Index i = 0; i < n; ++i) Z[at(k * n + i)] = G[at(S[at(c.added[at(k)])] * count + base_[at(i)])];
  for (Index k = a; k < m; ++k) Z[at(k * n + c.dropped[at(k - a)])] = 1.0;
  if (!triangular(lower_, n, false, 1, w) || !triangular(lower_, n, false, m, Z)) return std::nullopt;
  const arma::mat border(Z.data(), at(n), at(m), false, true);
  const arma::vec right(w.data(), at(n), false, true);
  arma::vec t(at(m), arma::fill::zeros);
  if (m > 0) {
    arma::mat schur = -border.t() * border;
    t = -border.t() * right;
    for (Index k = 0; k < a; ++k) {
      const Index j = c.added[at(k)];
      for (Index l = 0; l < a; ++l) schur(at(k), at(l)) += G[at(S[at(j)] * count + S[at(c.added[at(l)])])];
      schur(at(k), at(k)) += extra[at(j)];
      t(at(k)) += r[at(j)];
    }
    arma::vec solved;
    if (!arma::solve(solved, schur, t, arma::solve_opts::fast)) return std::nullopt;
    t = std::move(solved);
    const arma::vec left = right - border * t;
    std::copy(left.begin(), left.end(), w.begin());
  }
  if (!triangular(lower_, n, true, 1, w)) return std::nullopt;
  std::vector<double> d(S.size());
  for (std::size_t k = 0; k < S.size(); ++k)
    if (c.place[k] >= 0) d[k] = w[at(c.place[k])];
  for (Index k = 0; k < a; ++k) d[at(c.added[at(k)])] = t(at(k));
  if (!std::all_of(d.begin(), d.end(), [](double value) { return std::isfinite(value); }))
    return std::nullopt;
  return d;
}

}  // namespace claros
