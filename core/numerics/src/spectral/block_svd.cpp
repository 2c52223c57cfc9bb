// SPDX-License-Identifier: BSD-3-Clause
#define ARMA_WARN_LEVEL 0
#include <claros/spectral/block_svd.hpp>

#include <claros/memory_limits.hpp>
#include "map/spectral_work.hpp"

#include <claros/error.hpp>
#include <claros/interruption.hpp>
#include <claros/library_call.hpp>

#include <algorithm>
#include <armadillo>
#include <cmath>

namespace claros {

namespace {

arma::uword word(Index n) { return static_cast<arma::uword>(n); }
std::size_t size(Index n) { return static_cast<std::size_t>(n); }
std::span<double> span(arma::mat& a) { return {a.memptr(), a.n_elem}; }
std::span<const double> span(const arma::mat& a) { return {a.memptr(), a.n_elem}; }
std::vector<double> to_vector(const arma::mat& a) { return {a.begin(), a.end()}; }

void require_finite(const arma::mat& a) {
  if (!a.is_finite())
    throw Error(ErrorKind::numerical, "BlockSvd", "a product with the operator is not finite",
                "look for NaN or overflow in the operator's entries or in the point where it was formed");
}

/// A block of products seen from the shorter side: B = A or A', longer x shorter.
class Products {
 public:
  explicit Products(const LinearOperator& a) : a_(a), transposed_(a.cols() > a.rows()) {}
  Index shorter() const { return transposed_ ? a_.rows() : a_.cols(); }
  Index longer() const { return transposed_ ? a_.cols() : a_.rows(); }
  bool transposed() const { return transposed_; }
  Index matvecs() const { return matvecs_; }

  arma::mat forward(const arma::mat& x) { return product(x, longer(), transposed_); }
  arma::mat backward(const arma::mat& y) { return product(y, shorter(), !transposed_); }

 private:
  arma::mat product(const arma::mat& from, Index length, bool adjoint) {
    Interruption::poll();
    arma::mat to(word(length), from.n_cols);
    const auto count = static_cast<Index>(from.n_cols);
    matvecs_ += count;
    adjoint ? a_.apply_adjoint_block(span(from), count, span(to))
            : a_.apply_block(span(from), count, span(to));
    require_finite(to);
    return to;
  }

  const LinearOperator& a_;
  bool transposed_;
  Index matvecs_ = 0;
};

/// Orthonormal columns with the span of Y's: by Cholesky where its columns, scaled, are far from dependent,
/// which costs a third, else by reflections.
arma::mat orthonormal(arma::mat Y) {
  constexpr double kSafePivot = 1e-4;
  detail::spectral_work() += 2.0 * static_cast<double>(Y.n_rows) * static_cast<double>(Y.n_cols * Y.n_cols);
  const arma::rowvec norms = arma::sqrt(arma::sum(arma::square(Y), 0));
  if (norms.min() > 0.0) {
    Y.each_row() /= norms;
    for (int pass = 0; pass < 2; ++pass) {
      arma::mat R;
      if (!arma::chol(R, Y.t() * Y) || R.diag().min() < kSafePivot) break;
      const bool again = R.diag().min() < 0.5;
      Y = Y * arma::inv(arma::trimatu(R));
      if (!again) return Y;
      if (pass == 1) return Y;
    }
  }
  arma::mat Q, R;
  const LibraryCall call("the QR factorization", static_cast<Index>(Y.n_rows), static_cast<Index>(Y.n_cols));
  if (!arma::qr_econ(Q, R, Y))
    throw Error(ErrorKind::numerical, "BlockSvd", "LAPACK did not factor a block",
                "its entries are finite: rescale the problem");
  return Q;
}

/// The eigenvalues of a small symmetric matrix, largest first.
void small_eigen(const arma::mat& G, arma::vec& values, arma::mat& vectors) {
  detail::count_decomposition(static_cast<Index>(G.n_rows), static_cast<Index>(G.n_rows));
  const LibraryCall call("the eigendecomposition", static_cast<Index>(G.n_rows),
                         static_cast<Index>(G.n_rows));
  if (!arma::eig_sym(values, vectors, 0.5 * (G + G.t()), "dc"))
    throw Error(ErrorKind::numerical, "BlockSvd", "LAPACK did not decompose a small matrix",
                "its entries are finite: rescale the problem");
  values = arma::reverse(values);
  vectors = arma::fliplr(vectors);
}

struct Triplets {
  arma::mat longer, shorter;  ///< singular vectors of either side
  arma::vec values;
};

/// The SVD of Q (B'Q)'.
Triplets rotated(const arma::mat& Q, arma::mat C) {
  // Squares lose what is below 1e-8 of the largest value: such columns are rotated by reflections.
  constexpr double kSafeRatio = 1e-5;
  Triplets t;
  arma::mat W;
  const double scale = arma::abs(C).max();
  if (scale > 0.0) {
    small_eigen((C / scale).t() * (C / scale), t.values, W);
    if (t.values.back() > kSafeRatio * kSafeRatio * t.values.front()) {
      t.values = scale * arma::sqrt(t.values);
      t.shorter = C * W;
      t.shorter.each_row() /= t.values.t();
      t.longer = Q * W;
      return t;
    }
  }
  const LibraryCall call("the singular value decomposition", static_cast<Index>(C.n_rows),
                         static_cast<Index>(C.n_cols));
  if (!arma::svd_econ(t.shorter, t.values, W, C, "both", "dc") &&
      !arma::svd_econ(t.shorter, t.values, W, C, "both", "std"))
    throw Error(ErrorKind::numerical, "BlockSvd", "LAPACK did not decompose a block",
                "its entries are finite: rescale the problem");
  t.longer = Q * W;
  return t;
}

Triplets singular_sweep(Products& b, const arma::mat& V) {
  const arma::mat Q = orthonormal(b.forward(V));
  return rotated(Q, b.backward(Q));
}

/// Rayleigh-Ritz on span(V, A V), of which the first columns are kept.
Triplets symmetric_sweep(Products& b, const arma::mat& V) {
  const arma::mat image = b.forward(V);
  arma::mat rest = image - V * (V.t() * image);
  rest -= V * (V.t() * rest);
  const auto room = std::min<arma::uword>(V.n_cols, V.n_rows - V.n_cols);
  arma::mat basis = V, images = image;
  if (room > 0) {
    arma::mat left, right;
    arma::vec sizes;
    const double scale = arma::abs(image).max();
    if (arma::svd_econ(left, sizes, right, rest, "left", "std") && sizes.n_elem > 0) {
      const arma::uvec kept = arma::find(sizes > 1e-12 * scale);
      const arma::uword count = std::min<arma::uword>(kept.n_elem, room);
      if (count > 0) {
        arma::mat fresh = left.head_cols(count);
        fresh -= V * (V.t() * fresh);
        basis = arma::join_rows(V, orthonormal(fresh));
        images = arma::join_rows(image, b.forward(basis.tail_cols(count)));
      }
    }
  }
  Triplets t;
  arma::mat W;
  small_eigen(basis.t() * images, t.values, W);
  t.shorter = basis * W.head_cols(V.n_cols);
  t.values = t.values.head(V.n_cols);
  return t;
}

/// How far the leading vectors turned, weighed by their values, relative to these.
double turned(const arma::mat& before, const Triplets& t, Index leading) {
  const arma::uword r = std::min<arma::uword>(word(leading), t.values.n_elem);
  if (r == 0) return 0.0;
  const arma::mat overlap = before.t() * t.shorter.head_cols(r);
  const arma::rowvec inside = arma::sum(arma::square(overlap), 0);
  double out = 0.0, all = 0.0;
  for (arma::uword j = 0; j < r; ++j) {
    const double square = t.values[j] * t.values[j];
    out += square * std::max(1.0 - inside[j], 0.0);
    all += square;
  }
  return all > 0.0 ? std::sqrt(out / all) : 0.0;
}

}  // namespace

TruncatedSvd BlockSvd::solve(const LinearOperator& a, Spectrum spectrum, const Options& options,
                             RandomStream& stream) {
  Products b(a);
  if (options.count < 1 || options.count > b.shorter() ||
      (spectrum == Spectrum::symmetric && a.rows() != a.cols()))
    throw Error(ErrorKind::usage, "BlockSvd",
                "count = " + std::to_string(options.count) + " of a " + std::to_string(a.rows()) + " x " +
                    std::to_string(a.cols()) + " operator",
                "at least 1 and at most the shorter side, which of a symmetric operator is both");
  // At once: two blocks of the longer side and three of the shorter one, and the answer.
  expect_memory(sizeof(double) * static_cast<double>(options.count) *
                    (3.0 * static_cast<double>(b.longer()) + 4.0 * static_cast<double>(b.shorter())),
                "spectral",
                "a decomposition of " + std::to_string(options.count) + " values of a " +
                    std::to_string(a.rows()) + " x " + std::to_string(a.cols()) + " matrix",
                "limit the rank (algorithm.rank), or take algorithm.use = frank-wolfe");
  const std::size_t side = size(b.shorter());
  const Index known =
      basis_.size() % side == 0 ? std::min(static_cast<Index>(basis_.size() / side), options.count) : 0;
  arma::mat V(side, word(options.count));
  std::copy_n(basis_.data(), size(known) * side, V.memptr());
  // A warm block sees nothing that is orthogonal to it: one of its columns is new.
  const Index kept = known == options.count && known > options.leading ? known - 1 : known;
  if (kept < options.count) {
    stream.fill_normal(std::span(V.memptr() + size(kept) * side, size(options.count - kept) * side));
    V = orthonormal(std::move(V));
  }
  TruncatedSvd result;
  result.converged = false;
  Triplets t;
  for (Index sweep = 0; sweep < options.sweeps && !result.converged; ++sweep) {
    t = spectrum == Spectrum::singular ? singular_sweep(b, V) : symmetric_sweep(b, V);
    result.converged = known > 0 ? turned(V, t, options.leading) <= options.settled
                                 : sweep > 0 && turned(V, t, options.leading) <= options.settled;
    V = t.shorter;
  }
  basis_ = to_vector(V);
  result.count = options.count;
  result.s = to_vector(t.values);
  std::vector<double> longer = spectrum == Spectrum::singular ? to_vector(t.longer) : basis_;
  result.u = b.transposed() ? basis_ : longer;
  result.v = b.transposed() ? std::move(longer) : basis_;
  result.matvecs = b.matvecs();
  return result;
}

}  // namespace claros
