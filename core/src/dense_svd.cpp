// SPDX-License-Identifier: BSD-3-Clause
// Full decompositions by LAPACK through Armadillo, which would print its warnings: the library prints
// nothing.
#define ARMA_WARN_LEVEL 0
#include "spectral_work.hpp"
#include "truncated_svd.hpp"

#include <algorithm>
#include <armadillo>

namespace claros {

using detail::size;

namespace {

std::vector<double> to_vector(const double* data, Index count) { return {data, data + count}; }

arma::uword word(Index n) { return static_cast<arma::uword>(n); }

/// A view; Armadillo wants a writable pointer but the view is used as const only.
arma::mat view(Index rows, Index cols, std::span<const double> values) {
  return arma::mat(const_cast<double*>(values.data()), word(rows), word(cols), false, true);
}

[[noreturn]] void not_finite(const char* who) {
  throw Error(ErrorKind::numerical, who, "the matrix has an entry that is NaN or infinite",
              "look for the component that produced it");
}

[[noreturn]] void no_convergence(const char* who, Index rows, Index cols) {
  throw Error(ErrorKind::numerical, who,
              "LAPACK did not decompose a " + std::to_string(rows) + " x " + std::to_string(cols) + " matrix",
              "its entries are finite: rescale the problem");
}

void check_length(const char* who, const char* name, std::size_t length, Index rows, Index cols) {
  if (rows < 0 || cols < 0 || length != size(rows * cols))
    throw Error(ErrorKind::usage, who,
                std::string(name) + " has " + std::to_string(length) + " values for " + std::to_string(rows) +
                    " x " + std::to_string(cols),
                "pass rows * cols values, column after column");
}

struct ThinSvd {
  arma::mat u, v;
  arma::vec s;
};

ThinSvd thin_svd(const arma::mat& a, const char* who) {
  detail::count_decomposition(static_cast<Index>(a.n_rows), static_cast<Index>(a.n_cols));
  if (!a.is_finite()) not_finite(who);
  ThinSvd svd;
  // "dc" gives up on rare matrices on which the older iteration succeeds.
  if (!arma::svd_econ(svd.u, svd.s, svd.v, a, "both", "dc") &&
      !arma::svd_econ(svd.u, svd.s, svd.v, a, "both", "std"))
    no_convergence(who, static_cast<Index>(a.n_rows), static_cast<Index>(a.n_cols));
  return svd;
}

TruncatedSvd leading(const ThinSvd& svd, Index count) {
  TruncatedSvd result;
  result.count = count;
  result.u = to_vector(svd.u.memptr(), static_cast<Index>(svd.u.n_rows) * count);
  result.s = to_vector(svd.s.memptr(), count);
  result.v = to_vector(svd.v.memptr(), static_cast<Index>(svd.v.n_rows) * count);
  return result;
}

/// Q and R with A = Q R, Q m x min(m, k).
void thin_qr(arma::mat& q, arma::mat& r, const arma::mat& a) {
  if (!a.is_finite()) not_finite("svd_of_product");
  if (!arma::qr_econ(q, r, a))
    no_convergence("svd_of_product", static_cast<Index>(a.n_rows), static_cast<Index>(a.n_cols));
}

arma::mat all_entries(const LinearOperator& a) {
  arma::mat entries(word(a.rows()), word(a.cols()));
  a.entries({entries.memptr(), entries.n_elem});
  if (!entries.is_finite()) not_finite("truncated_svd");
  return entries;
}

}  // namespace

TruncatedSvd dense_svd(Index rows, Index cols, std::span<const double> values) {
  check_length("dense_svd", "the array", values.size(), rows, cols);
  if (values.empty()) return {};
  return leading(thin_svd(view(rows, cols, values), "dense_svd"), std::min(rows, cols));
}

TruncatedSvd svd_of_product(Index rows, Index cols, std::span<const double> u, std::span<const double> w,
                            std::span<const double> v) {
  const auto k = static_cast<Index>(w.size());
  check_length("svd_of_product", "U", u.size(), rows, k);
  check_length("svd_of_product", "V", v.size(), cols, k);
  if (u.empty() || v.empty()) return {};
  arma::mat qu, ru, qv, rv;
  thin_qr(qu, ru, view(rows, k, u));
  thin_qr(qv, rv, view(cols, k, v));
  const arma::mat weights = view(k, 1, w);
  ru.each_row() %= weights.t();
  ThinSvd core = thin_svd(ru * rv.t(), "svd_of_product");
  core.u = qu * core.u;
  core.v = qv * core.v;
  return leading(core, std::min({k, rows, cols}));
}

namespace detail {

TruncatedSvd dense_entries_svd(const LinearOperator& a, Index count) {
  return leading(thin_svd(all_entries(a), "truncated_svd"), count);
}

TruncatedSvd dense_gram_svd(const LinearOperator& a, Index count) {
  count_decomposition(a.rows(), a.cols());
  arma::mat entries = all_entries(a);
  const DenseOperator dense(a.rows(), a.cols(), {entries.memptr(), entries.n_elem});
  const ShorterSide b(dense, "truncated_svd");
  // Scaled in a copy of the factor only, so that squares neither overflow nor vanish.
  const double largest = arma::abs(entries).max();
  TruncatedSvd result;
  if (largest == 0.0) {
    result = zero_triplets(b, count);
  } else {
    const arma::mat scaled = entries / largest;
    const arma::mat gram =
        a.cols() > a.rows() ? arma::mat(scaled * scaled.t()) : arma::mat(scaled.t() * scaled);
    arma::vec values;
    arma::mat vectors;
    if (!arma::eig_sym(values, vectors, gram, "dc")) no_convergence("truncated_svd", a.rows(), a.cols());
    const arma::mat top = arma::fliplr(vectors.tail_cols(word(count)));
    result = triplets_of_ritz_vectors(b, count, to_vector(top.memptr(), b.shorter() * count));
  }
  result.matvecs = 0;
  return result;
}

}  // namespace detail

}  // namespace claros
