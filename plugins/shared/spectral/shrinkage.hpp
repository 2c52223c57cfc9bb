// SPDX-License-Identifier: BSD-3-Clause
/// @file shrinkage.hpp  Proximal steps and projections that shrink singular values or eigenvalues, at the
/// price of the rank of the answer.
#pragma once

#include <claros/accuracy.hpp>
#include <claros/element/element.hpp>
#include <claros/random.hpp>
#include <claros/spectral/block_svd.hpp>

#include <functional>

namespace claros {

/// The point with the singular vectors of V and shrunk values. For Spectrum::symmetric it has the
/// eigenvectors of (V + V')/2. It is the proximal step of a function of the values (Lewis 1995). Only the
/// part of V's decomposition that the result needs is computed.
///
/// k values are computed: the number that the last result needed and a few more, or Accuracy::rank. They
/// determine a threshold below which values become 0. If all k stay, k was too small and grows; if a
/// decomposition of all entries is cheaper, that is made. If the largest value of the rest of V is at most
/// the threshold, the result is exact (Garber 2020, Observation 1): V~ = U S V' + (I - UU')V(I - VV') has
/// this result. V is at most as far from V~ as the residual ||V v_i - s_i u_i||_F of the kept triplets. The
/// result, a projection or a convex proximal step, is therefore no further from V's.
///
/// For some matrices the full decomposition is out of reach (is_full_svd_out_of_reach). Along a sequence
/// (Accuracy::sequence) of these, one call computes at most 16 values, or as many as the last. Once the sum
/// of the result's values has changed by less than a twentieth, it computes twice as many, or 8 more if the
/// factors hold half as many numbers as V has entries. If more values would stay, the result is the best one
/// of that rank (Eckart, Young), `exact` is false, and the next call computes more. Such a result lowers ||X
/// - V||^2/2 + s h(X) as far as any point of its rank. A proximal gradient step of length 1/L from a point of
/// no larger rank therefore lowers the objective.
///
/// For other points of such matrices, the limit is the number of values whose factors hold twice as many
/// numbers as V has entries, or 64 if that is more. If these do not suffice, the certificate is not exact and
/// bounds the error.
class SpectralShrinkage {
 public:
  /// Shrinks the leading values, largest first, in their place. Returns the threshold up to which every
  /// further value becomes 0 and changes nothing.
  using Shrink = std::function<double(std::vector<double>& values)>;

  struct Rule {
    Shrink shrink;
    bool nonexpansive = true;  ///< answers of points d apart are at most d apart
    /// Points whose values sum to at most this are left as they are (a ball); negative: none are.
    double inside = -1.0;
    const char* who = "";  ///< in errors; empty: the component that asks
  };

  SpectralShrinkage(Spectrum spectrum, RandomStream oracle, RandomStream confirmation)
      : spectrum_(spectrum), stream_(std::move(oracle)), confirmation_(std::move(confirmation)) {}

  Certificate apply(const Element& v, const Rule& rule, Element& x, const Accuracy& accuracy);
  /// The values of the answer, largest first; empty if V was left as it was.
  const std::vector<double>& values() const noexcept { return kept_; }

  /// The whole state: what the next answer depends on.
  RandomStream& stream() noexcept { return stream_; }
  RandomStream& confirmation() noexcept { return confirmation_; }
  const RandomStream& confirmation() const noexcept { return confirmation_; }
  std::vector<double>& basis() noexcept { return block_.basis(); }
  Index& rank() noexcept { return rank_; }
  double& sum() noexcept { return sum_; }
  bool& settled() noexcept { return settled_; }

 private:
  struct Decomposition;
  struct Asked;
  /// `most`: a bound of the rank of V. `bounded`: all values are out of reach.
  Decomposition decompose(const LinearOperator& V, Index most, Index count, Index leading, bool bounded,
                          const Accuracy& accuracy);
  /// True if a value above the threshold was missed; fills in the statements of the certificate.
  bool verify(const Element& v, const LinearOperator& V, const Decomposition& d, double threshold,
              const Rule& rule, const Accuracy& accuracy, Certificate& certificate);
  bool left_inside(const Element& v, const Decomposition& d, double radius) const;

  Spectrum spectrum_;
  RandomStream stream_, confirmation_;
  BlockSvd block_;
  Index rank_ = 0;        ///< the rank of the last answer
  double sum_ = 0.0;      ///< the sum of its values, if all of V's are out of reach
  bool settled_ = false;  ///< true if that changed little in the last call
  std::vector<double> kept_;
};

}  // namespace claros
