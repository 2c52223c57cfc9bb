// SPDX-License-Identifier: BSD-3-Clause
/// @file face.hpp  Minimal faces of sets of matrices whose boundary is a sum of singular values or a trace.
#pragma once

#include <claros/element/views.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/spectral/spectral.hpp>

#include <Eigen/Core>

#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace claros::sdk {

/// X = U diag(s) V', s largest first, without those that are 0 to rounding; X is m x n of rank r.
struct ThinSvd {
  using Map = Eigen::Map<const Eigen::MatrixXd>;
  Index rows = 0, cols = 0;
  std::vector<double> u, s, v;

  explicit ThinSvd(const Element& x) : rows(x.shape().rows), cols(x.shape().cols) {
    Element copy(x);
    copy.drop_images();
    if (const auto view = factor_view(copy)) {
      u.assign(view->U.begin(), view->U.end()), s.assign(view->s.begin(), view->s.end()),
          v.assign(view->V.begin(), view->V.end());
    } else {
      TruncatedSvd svd = dense_svd(rows, cols, x.to_dense());
      u = std::move(svd.u);
      s = std::move(svd.s);
      v = std::move(svd.v);
    }
    while (!s.empty() && !(s.back() > kZero * s.front())) s.pop_back();
    u.resize(static_cast<std::size_t>(rows * rank())), v.resize(static_cast<std::size_t>(cols * rank()));
  }
  /// The part of the symmetric X whose eigenvalues are above 0: X = U diag(s) U', largest first. Rounding
  /// leaves small eigenvalues below 0, whose left and right singular vectors have opposite signs and lie in
  /// no face.
  ThinSvd semidefinite() const;
  Index rank() const { return static_cast<Index>(s.size()); }
  double sum() const { return std::accumulate(s.begin(), s.end(), 0.0); }
  Map U() const { return {u.data(), rows, rank()}; }
  Map V() const { return {v.data(), cols, rank()}; }

 private:
  static constexpr double kZero = 1e-10;  ///< of the largest
  ThinSvd() = default;
};

/// The vertex t U w (V w)' of {U M V' : M psd, tr M = t} that maximises <G, .>. Here w is the leading
/// eigenvector of the symmetric part of U'G V, and <G, vertex> = t value. It takes r products with G.
struct FaceVertex {
  double value = 0.0;
  Eigen::VectorXd w;
  FaceVertex(const ElementOperator& G, const ThinSvd& x);
  Element vertex(const ThinSvd& x, double t) const {
    const Eigen::VectorXd left = x.U() * w, right = x.V() * w;
    return Element::rank_one(t, {left.data(), static_cast<std::size_t>(left.size())},
                             {right.data(), static_cast<std::size_t>(right.size())});
  }
  /// The largest b for which (1 + b) diag(s) - b t w w' is positive semidefinite. It is 1/(t w' diag(s)^-1 w
  /// - 1), and there the rank falls by one. If t w w' is diag(s), it is 0.
  double longest(const ThinSvd& x, double t) const {
    constexpr double kSame = 1e-12;
    double sum = 0.0;
    for (Index k = 0; k < x.rank(); ++k) sum += w(k) * w(k) / x.s[static_cast<std::size_t>(k)];
    return t * sum - 1.0 > kSame ? 1.0 / (t * sum - 1.0) : 0.0;
  }
};

/// The largest b for which the singular values of X + b (X - t p q') sum to at most t, |p| = |q| = 1, X
/// inside. The sum is convex in b, and needs only a matrix of side r + 1.
double longest_within_ball(const ThinSvd& x, double t, std::span<const double> p, std::span<const double> q);

}  // namespace claros::sdk
