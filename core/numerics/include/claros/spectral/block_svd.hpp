// SPDX-License-Identifier: BSD-3-Clause
/// @file block_svd.hpp  The leading singular triplets, or eigenpairs, of one slowly changing operator after
/// another.
#pragma once

#include <claros/spectral/spectral.hpp>

namespace claros {

/// Which numbers of a matrix lead: its singular values, or the algebraically largest eigenvalues of a
/// symmetric one.
enum class Spectrum { singular, symmetric };

/// Subspace iteration that begins where the last call ended. One sweep is two products with a block of
/// `count` vectors:
/// - singular: Q = orth(A V), A'Q = V S W', U = Q W (Halko, Martinsson, Tropp 2011, Algorithm 4.4), so that
/// U'A = S V' holds to rounding;
/// - symmetric: Rayleigh-Ritz on the span of V and A V, so that V'A V = diag(s) and large negative
/// eigenvalues do no harm.
///
/// A cold block is swept until its leading part settles. A block that was left by an operator near this one
/// is swept once. The error is then a few hundredths of the change, and later calls make up for it. Nothing
/// proves that no larger value was missed: see `exceeds`. Computed values never exceed the exact ones of the
/// same place.
class CLAROS_API BlockSvd {
 public:
  struct Options {
    Index count = 1;       ///< triplets, 1 <= count <= min(m, n)
    Index leading = 1;     ///< how many of them have to settle
    double settled = 0.2;  ///< the leading ones may turn by this much of their norm in the last sweep
    Index sweeps = 12;     ///< at most
  };
  /// For Spectrum::singular: U'A = S V'. For Spectrum::symmetric: u = v. `converged` tells whether the
  /// leading triplets settled.
  TruncatedSvd solve(const LinearOperator& a, Spectrum spectrum, const Options& options,
                     RandomStream& stream);

  /// The whole state besides the stream's position: orthonormal columns of the shorter side.
  std::vector<double>& basis() noexcept { return basis_; }

 private:
  std::vector<double> basis_;
};

/// The result of a test whether a leading value of A exceeds a bound.
struct Beyond {
  bool decided = false;  ///< to the standard of LanczosSolver::confirm
  double largest = 0.0;  ///< an estimate of the largest value, from above where decided
  Index matvecs = 0;
};

/// Starts at random, as LanczosSolver::confirm, but goes only as far as the question takes. A Ritz value
/// above the bound ends it once it is known to a hundredth of itself. Otherwise it ends when every start but
/// a share of 1e-10 would have shown a value above the bound (Kuczynski, Wozniakowski 1992, Theorem 4.1b). It
/// also ends when a Ritz pair below the bound has settled to a thousandth, and still has a quarter of the
/// steps later.
CLAROS_API Beyond exceeds(const LinearOperator& a, Spectrum spectrum, double bound, Index max_matvecs,
                          RandomStream& stream);

/// A Lanczos solve for the algebraically largest eigenvalue of a symmetric operator, warm as LanczosSolver
/// is.
struct LeadingEigenpair {
  double value = 0.0;
  double residual = 0.0;  ///< ||A v - value v||
  std::vector<double> vector;
  Index matvecs = 0;
  bool converged = false;
};

class CLAROS_API SymmetricLanczos {
 public:
  /// options.tolerance is relative to the largest magnitude of a Ritz value.
  LeadingEigenpair solve(const LinearOperator& a, const LanczosOptions& options, RandomStream& stream);
  /// From a cold start, a quarter of the steps beyond, all of them for a side of at most 64; leaves the warm
  /// start alone.
  LeadingEigenpair confirm(const LinearOperator& a, const LanczosOptions& options, RandomStream& stream);
  std::vector<double>& warm_start() noexcept { return warm_; }

 private:
  std::vector<double> warm_;
};

}  // namespace claros
