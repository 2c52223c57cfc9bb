// SPDX-License-Identifier: BSD-3-Clause
// Full decompositions by LAPACK through Armadillo, which would print its warnings: the library prints
// nothing.
#define ARMA_WARN_LEVEL 0
#include <claros/memory_limits.hpp>
#include "map/spectral_work.hpp"
#include "spectral/truncated_svd.hpp"

#include <claros/library_call.hpp>

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
  const LibraryCall call("the singular value decomposition", static_cast<Index>(a.n_rows),
                         static_cast<Index>(a.n_cols));
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

/// R, with A = Q R, and Q (m x min(m, k)) in the place of A.
arma::mat factored(Index rows, Index k, std::vector<double>& a) {
  arma::mat r, q = arma::mat(a.data(), word(rows), word(k), false, true);
  if (!q.is_finite()) not_finite("svd_of_product");
  arma::mat wide;
  const LibraryCall call("the QR factorization", rows, k);
  const bool tall = rows > k;  // in place; else Q is no larger than the core
  if (!(tall ? arma::qr_econ(q, r, q) : arma::qr_econ(wide, r, q))) no_convergence("svd_of_product", rows, k);
  if (!tall) a = to_vector(wide.memptr(), static_cast<Index>(wide.n_elem));
  return r;
}

/// R of A = Q R (min(rows, k) x k), without Q, in the place of A.
arma::mat triangle(Index rows, Index k, std::vector<double>& a) {
  arma::mat q(a.data(), word(rows), word(k), false, true);
  if (!q.is_finite()) not_finite("singular_values_of_product");
  const LibraryCall call("the QR factorization", rows, k);
  auto m = static_cast<arma::blas_int>(rows), n = static_cast<arma::blas_int>(k),
       room = static_cast<arma::blas_int>(-1), info = static_cast<arma::blas_int>(0);
  arma::vec reflections(word(std::min(rows, k)));
  double wanted = 0.0;
  arma::lapack::geqrf(&m, &n, q.memptr(), &m, reflections.memptr(), &wanted, &room, &info);
  room = std::max(n, static_cast<arma::blas_int>(wanted));
  arma::vec work(word(room));
  arma::lapack::geqrf(&m, &n, q.memptr(), &m, reflections.memptr(), work.memptr(), &room, &info);
  if (info != 0) no_convergence("singular_values_of_product", rows, k);
  arma::mat r = q.head_rows(reflections.n_elem);
  for (arma::uword j = 0; j + 1 < r.n_rows; ++j) r.col(j).tail(r.n_rows - 1 - j).zeros();
  return r;
}

/// Q <- Q C for C of no more columns than rows, some rows at a time, and nothing left of the columns beyond.
void multiply_in_place(std::vector<double>& q, Index rows, const arma::mat& c) {
  constexpr arma::uword kRows = 1024;
  arma::mat all(q.data(), word(rows), c.n_rows, false, true);
  for (arma::uword first = 0; first < all.n_rows; first += kRows) {
    const arma::uword last = std::min(first + kRows, all.n_rows) - 1;
    const arma::mat product = all.rows(first, last) * c;
    all.submat(first, 0, last, c.n_cols - 1) = product;
  }
  q.resize(static_cast<std::size_t>(all.n_rows * c.n_cols));
}

/// The entries, and as many numbers again while they are decomposed.
void expect_room(Index rows, Index cols) {
  expect_memory(2.0 * sizeof(double) * static_cast<double>(rows) * static_cast<double>(cols), "spectral",
                "a decomposition of all entries of a " + std::to_string(rows) + " x " + std::to_string(cols) +
                    " matrix",
                "limit the rank (algorithm.rank), or take algorithm.use = frank-wolfe");
}

arma::mat all_entries(const LinearOperator& a) {
  expect_room(a.rows(), a.cols());
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

TruncatedSvd svd_of_product(Index rows, Index cols, std::vector<double> u, std::span<const double> w,
                            std::vector<double> v) {
  const auto k = static_cast<Index>(w.size());
  check_length("svd_of_product", "U", u.size(), rows, k);
  check_length("svd_of_product", "V", v.size(), cols, k);
  if (u.empty() || v.empty()) return {};
  arma::mat ru = factored(rows, k, u);
  const arma::mat rv = factored(cols, k, v);
  const arma::mat weights = view(k, 1, w);
  ru.each_row() %= weights.t();
  const ThinSvd core = thin_svd(ru * rv.t(), "svd_of_product");
  TruncatedSvd result;
  result.count = std::min({k, rows, cols});
  multiply_in_place(u, rows, core.u.head_cols(word(result.count)));
  multiply_in_place(v, cols, core.v.head_cols(word(result.count)));
  result.u = std::move(u);
  result.s = to_vector(core.s.memptr(), result.count);
  result.v = std::move(v);
  return result;
}

std::vector<double> singular_values_of_product(Index rows, Index cols, std::vector<double> u,
                                               std::span<const double> w, std::vector<double> v) {
  const auto k = static_cast<Index>(w.size());
  check_length("singular_values_of_product", "U", u.size(), rows, k);
  check_length("singular_values_of_product", "V", v.size(), cols, k);
  if (u.empty() || v.empty()) return {};
  arma::mat core = triangle(rows, k, u);
  core.each_row() %= view(1, k, w);
  core = core * triangle(cols, k, v).t();
  if (!core.is_finite()) not_finite("singular_values_of_product");
  detail::count_decomposition(static_cast<Index>(core.n_rows), static_cast<Index>(core.n_cols));
  arma::vec s;
  const LibraryCall call("the singular value decomposition", static_cast<Index>(core.n_rows),
                         static_cast<Index>(core.n_cols));
  if (!arma::svd(s, core)) no_convergence("singular_values_of_product", rows, cols);
  return to_vector(s.memptr(), static_cast<Index>(s.n_elem));
}

TruncatedSvd dense_eigen(const LinearOperator& a) {
  if (a.rows() != a.cols() || a.rows() < 1)
    throw Error(ErrorKind::usage, "dense_eigen",
                "an operator of " + std::to_string(a.rows()) + " x " + std::to_string(a.cols()),
                "a symmetric operator is square");
  detail::count_decomposition(a.rows(), a.cols());
  const arma::mat entries = all_entries(a);
  arma::vec values;
  arma::mat vectors;
  const LibraryCall call("the eigendecomposition", a.rows(), a.rows());
  if (!arma::eig_sym(values, vectors, entries, "dc")) no_convergence("dense_eigen", a.rows(), a.cols());
  const arma::mat descending = arma::fliplr(vectors);
  TruncatedSvd result;
  result.count = a.rows();
  result.u = result.v = to_vector(descending.memptr(), static_cast<Index>(descending.n_elem));
  const arma::vec largest_first = arma::reverse(values);
  result.s = to_vector(largest_first.memptr(), result.count);
  return result;
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
    const LibraryCall call("the eigendecomposition", b.shorter(), b.shorter());
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
