// SPDX-License-Identifier: BSD-3-Clause
/// @file spectral.hpp  Leading singular pairs, truncated and full singular value decompositions,
/// recompression.
///
/// All matrices are column-major. Solvers are deterministic for a given random stream position. Every solver
/// throws Error(numerical) when the operator returns NaN or infinity, and Error(usage) on impossible
/// arguments; running out of a budget is not an error but a flag in the result.
#pragma once

#include <claros/api.hpp>
#include <claros/element/shape.hpp>
#include <claros/map/linear_operator.hpp>
#include <claros/random.hpp>

#include <span>
#include <vector>

namespace claros {

namespace detail {
class ShorterSide;
class BidiagonalGram;
}  // namespace detail

struct LanczosOptions {
  double tolerance = 1e-3;   ///< stop when residual <= tolerance * sigma; >= 0, below 1e-15 acts as 1e-15
  Index max_matvecs = 300;   ///< at least 4; memory is s * max_matvecs numbers at worst
  Index warm_vectors = 3;    ///< how many top Ritz vectors the next start is the sum of; 0 keeps none
  double warm_noise = 0.05;  ///< norm of the random part of a warm start relative to the sum; > 0
};

/// An approximate leading singular triplet of A. With s the shorter of the two sides, the vector of the other
/// side is the image of s's. Either A v = sigma u or A'u = sigma v holds to rounding. `residual` is the norm
/// of the defect of the other equation. So sigma <= sigma_1(A), and some singular value lies within residual
/// of sigma. That need not be sigma_1: sigma + residual is an estimate, not an upper bound (see
/// LanczosSolver::confirm).
struct LeadingPair {
  double sigma = 0.0;
  double residual = 0.0;
  std::vector<double> u;   ///< m, unit norm
  std::vector<double> v;   ///< n, unit norm
  Index matvecs = 0;       ///< products with A or A'
  bool converged = false;  ///< the residual met the tolerance (also when the Krylov space was exhausted)

  double upper_estimate() const noexcept { return sigma + residual; }
};

/// Golub-Kahan-Lanczos bidiagonalisation with reorthogonalisation of the shorter side only (Simon and Zha,
/// SIAM J. Sci. Comput. 21, 2000), which keeps its buffers and its warm start between calls. One thread at a
/// time.
///
/// A warm start is the sum of the previous call's top Ritz vectors (the leading one alone would miss a vector
/// that overtakes it) plus a small random part, without which a direction orthogonal to that sum would stay
/// invisible.
class CLAROS_API LanczosSolver {
 public:
  /// Starts warm when a previous call left a vector of s numbers, else from a
  /// random vector. Draws s normal numbers from `stream` either way. s is min(m, n), or n when the operator
  /// fuses its products (LinearOperator::round_trip) and n is at most four times m.
  LeadingPair solve(const LinearOperator& a, const LanczosOptions& options, RandomStream& stream);

  /// Solves from a random start, whatever happened before. `residual` is measured by one more product rather
  /// than taken from the recurrence. The warm start is left as it was, so that confirming never changes a
  /// run.
  ///
  /// Neither outcome bounds sigma_1 from above. A start that has no component along the leading vector
  /// converges to a smaller singular value with a residual as small as one likes. A warm start can be such a
  /// start, since it comes from the spectrum of another matrix. A normal random start almost never is. For
  /// every spectrum, gaps or not, after k steps with s = min(m, n), the probability that sigma^2 < (1 - e)
  /// sigma_1^2 is at most of the order of sqrt(s) exp(-(2k - 1) sqrt(e)) (Kuczynski and Wozniakowski, SIAM J.
  /// Matrix Anal. Appl. 13, 1992). Tolerances are therefore tight, which makes k large. Singular values that
  /// differ by less than the tolerance cannot be told apart.
  ///
  /// So a side of at most 64 is exhausted, which leaves nothing to chance; if max_matvecs does not allow it,
  /// the pair has not converged. For longer sides a quarter more steps are made than the tolerance asks for.
  LeadingPair confirm(const LinearOperator& a, const LanczosOptions& options, RandomStream& stream);

  /// The whole state besides the stream's position: empty, or s numbers. Another solver with the same ones
  /// continues bit for bit.
  std::vector<double>& warm_start() noexcept { return warm_; }

 private:
  void random_start(Index length, RandomStream& stream);
  Index bidiagonalize(const detail::ShorterSide& b, double tolerance, Index max_steps, bool beyond,
                      detail::BidiagonalGram& gram);
  bool expand(const detail::ShorterSide& b, Index step);
  LeadingPair leading(const detail::ShorterSide& b, const LanczosOptions& options, Index steps,
                      detail::BidiagonalGram& gram);
  void keep_warm_start(Index length, Index steps, Index wanted, detail::BidiagonalGram& gram);

  std::vector<double> basis_;         // orthonormal vectors of the shorter side, one after the other
  std::vector<double> image_, next_;  // a vector of the longer side; scratch
  std::vector<double> projections_;   // of a new basis vector on the old ones
  std::vector<double> alpha_, beta_;  // the bidiagonal matrix: diagonal and superdiagonal
  std::vector<double> warm_;
};

/// An upper bound on sigma_1(A), by LanczosSolver::confirm: sigma + residual if that has converged. Otherwise
/// the bound is what the steps prove for every start but a share of 1e-10, whatever the spectrum. It is sigma
/// / sqrt(1 - e), with sqrt(e) = log(1.648 sqrt(s) / 1e-10) / (2k - 1) after k steps (Kuczynski, Wozniakowski
/// 1992, Theorem 4.1b), and infinite after too few of them. Takes s * max_matvecs / 2 numbers, and never the
/// entries.
CLAROS_API double spectral_norm_bound(const LinearOperator& a, const LanczosOptions& options,
                                      RandomStream& stream);

/// One cold solve.
CLAROS_API LeadingPair leading_singular_pair(const LinearOperator& a, const LanczosOptions& options,
                                             RandomStream& stream);

/// The leading `count` singular triplets, sorted descending: A ~ U diag(s) V'.
struct TruncatedSvd {
  Index count = 0;        ///< number of triplets: as asked for, fewer only when not converged
  std::vector<double> u;  ///< m x count, orthonormal columns
  std::vector<double> s;  ///< count, >= 0
  std::vector<double> v;  ///< n x count, orthonormal columns
  Index matvecs = 0;      ///< products with A or A'; 0 if the entries were used
  bool converged = true;
};

enum class SpectralEngine {
  arpack,      ///< implicitly restarted Lanczos on the Gram operator of the shorter side
  dense,       ///< LAPACK svd of all entries: small singular values are accurate to eps * sigma_1
  dense_gram,  ///< LAPACK eig of the shorter Gram matrix: 3 times faster; values to about eps * sigma_1^2 /
               ///< sigma_i
  lanczos,     ///< LanczosSolver from a cold start, count = 1 only
};

struct TruncatedSvdOptions {
  double tolerance = 1e-10;  ///< arpack: relative, on the squared singular values; lanczos: relative residual
  Index max_restarts = 300;  ///< arpack
  Index max_matvecs = 1000;  ///< lanczos
};

/// The `count` leading triplets of A, 1 <= count <= min(m, n).
///
/// `arpack` answers by `dense_gram` when count = min(m, n), which ARPACK cannot. ARPACK keeps static state,
/// so one solve at a time runs in a process. Further threads wait. A solve from inside an operator's product
/// throws Error(usage). If the rank is below the size of ARPACK's basis, max(2 count + 1, 20), it restarts
/// from a vector of its own, whose seed outlives the call. Results then repeat only to rounding, and the
/// vectors of zero singular values only as a space. All else repeats bit for bit.
CLAROS_API TruncatedSvd truncated_svd(const LinearOperator& a, Index count, SpectralEngine engine,
                                      const TruncatedSvdOptions& options, RandomStream& stream);

/// The `count` algebraically largest eigenpairs of a symmetric operator, largest first, u = v, by ARPACK on
/// the operator itself; `s` may be negative. Throws as truncated_svd. All of them, and those of a side of at
/// most 2, from a dense decomposition.
CLAROS_API TruncatedSvd truncated_eigen(const LinearOperator& a, Index count,
                                        const TruncatedSvdOptions& options, RandomStream& stream);

/// All eigenpairs of a symmetric operator, from its entries, algebraically largest first, u = v.
CLAROS_API TruncatedSvd dense_eigen(const LinearOperator& a);

/// The thin SVD of an m x n column-major array, with min(m, n) triplets.
CLAROS_API TruncatedSvd dense_svd(Index rows, Index cols, std::span<const double> values);

/// The thin SVD of U diag(w) V' for any U (m x k), w (k, any sign), V (n x k), with r = min(k, m, n)
/// triplets: QR of both factors, then the SVD of the small core. Backward stable; O((m + n) k^2). The factors
/// that are moved in become the result: no second array of their size is made.
CLAROS_API TruncatedSvd svd_of_product(Index rows, Index cols, std::vector<double> u,
                                       std::span<const double> w, std::vector<double> v);

/// Its singular values alone, largest first, which takes a quarter of the time: no Q is formed and no vector
/// rotated.
CLAROS_API std::vector<double> singular_values_of_product(Index rows, Index cols, std::vector<double> u,
                                                          std::span<const double> w, std::vector<double> v);

/// True if all values of such a matrix would take more than 2e10 multiplications (half a minute); never for a
/// side below 640.
CLAROS_API bool is_full_svd_out_of_reach(const Shape& shape) noexcept;

}  // namespace claros
