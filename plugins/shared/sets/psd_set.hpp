// SPDX-License-Identifier: BSD-3-Clause
/// @file psd_set.hpp  Base of the sets of positive semidefinite matrices with a bounded trace.
#pragma once

#include <claros/abilities.hpp>
#include <claros/context.hpp>
#include <claros/error.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/parameters.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/sdk/entries.hpp>
#include <claros/spectral/block_svd.hpp>
#include <claros/state/state.hpp>
#include <shared/sets/face.hpp>
#include <shared/sets/spectral_step.hpp>
#include <shared/sets/spectral_sum.hpp>
#include <shared/sets/water_level.hpp>
#include <shared/spectral/symmetric_part.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace claros::sdk {

struct PsdOptions {
  double radius = kUnset;
  Index products = 600;
};

/// `radius` is the option's text: what tau bounds.
inline ParameterTable<PsdOptions> psd_parameters(const std::string& radius) {
  return {row("radius", &PsdOptions::radius,
              required(above(0),
                       "the trace of the matrix that is expected: of a covariance the sum of the variances, "
                       "of a lifted vector x x' its squared length"),
              radius, "tau"),
          row("products", &PsdOptions::products, at_least(4),
              "most operator-vector products of one Lanczos solve")};
}

/// C = {X psd : tr X = tau}, or <= tau with `at_most`. Only the symmetric part of a point or a gradient A
/// counts: <A, X> = <(A + A')/2, X> for symmetric X, and the nearest symmetric matrix of A is (A + A')/2.
///
/// argmin_{U in C} <G, U> = tau v v', v the eigenvector of the largest eigenvalue l of -(G + G')/2; the
/// minimum is -tau l. If l is negative and C has 0, it is 0. The projection lowers the eigenvalues by the
/// number that leaves a sum of tau, and cuts at 0 (Garber 2020, Lemma 1). D = sqrt(2) tau.
class PsdSet : public Component,
               public LinearOracle,
               public Faces,
               public ProximalOracle,
               public Membership,
               public SpectralGap,
               public Start,
               public State,
               public SpectralSum {
 public:
  OracleInfo minimize(const Element& direction, const OracleRequest& request, Element& vertex) override {
    const ElementOperator G(direction);
    const SymmetricPart negative(G, -1.0);
    LanczosOptions lanczos;
    lanczos.tolerance = request.tolerance;
    lanczos.max_matvecs = products_;
    const LeadingEigenpair pair = request.confirm ? solver_.confirm(negative, lanczos, confirmation_)
                                                  : solver_.solve(negative, lanczos, stream_);
    const bool zero = at_most_ && pair.value <= 0.0;
    vertex = zero ? Element(direction.shape()) : Element::rank_one(radius_, pair.vector, pair.vector);
    OracleInfo info;
    info.value = zero ? 0.0 : -radius_ * pair.value;
    info.lower_bound = -radius_ * (pair.value + pair.residual);
    if (at_most_) info.lower_bound = std::min(info.lower_bound, 0.0);
    info.products = 2 * pair.matvecs;
    info.singular_pairs = 1;
    info.confirmed = request.confirm && pair.converged;
    return info;
  }
  double diameter(const Shape&) override { return std::sqrt(2.0) * radius_; }

  /// The minimal face of X = V diag(s) V', s > 0, is {V M V' : M psd, tr M = tau}; inside the bound on the
  /// trace, tr M <= tau. There 0 is a vertex, away from which the trace grows to tau.
  FaceInfo away(const Element& g, const Element& x, const OracleRequest&, Element& vertex) override {
    const ThinSvd whole(x);
    FaceInfo info;
    vertex = Element(g.shape());
    if (whole.rank() == 0) return info;  // 0 is a vertex
    const ThinSvd svd = whole.semidefinite();
    const double trace = svd.sum();
    if (svd.rank() == 0) return info;
    const FaceVertex a(ElementOperator(g), svd);
    const bool inside = at_most_ && trace < (1.0 - kRounding) * radius_;
    info.products = svd.rank();
    if (inside && a.value <= 0.0) return info.longest = radius_ / trace - 1.0, info;
    const double t = inside ? radius_ : std::min(trace, radius_);
    vertex = a.vertex(svd, t);
    info.value = t * a.value;
    info.longest = a.longest(svd, t);
    return info;
  }

  Certificate apply(const Element& v, double, Element& x, const Accuracy& accuracy) override {
    const auto shrink = [this](std::vector<double>& values) {
      const double largest = values.front();
      double positive = 0.0;
      for (const double value : values) positive += std::max(value, 0.0);
      if (at_most_ && positive <= radius_) {
        for (double& value : values) value = std::max(value, 0.0);
        return 0.0;
      }
      project_to_simplex(std::vector<double>(values), radius_, values);
      return largest - values.front();
    };
    return shrinkage_.apply(v, {.shrink = shrink}, x, accuracy);
  }
  double value(const Element& x) override { return violation(x) <= kRounding ? 0.0 : kInfinity; }

  /// The largest violation, of eigenvalues below 0, the trace or the symmetry, over tau.
  double violation(const Element& x) override {
    if (x.shape().rows != x.shape().cols) return kInfinity;
    const double trace = x.is_zero() ? 0.0 : trace_of(x),
                 beyond = at_most_ ? std::max(trace - radius_, 0.0) : std::abs(trace - radius_);
    if (x.is_zero() || is_gram(x)) return beyond / radius_;
    const std::vector<double> entries = x.to_dense();
    const auto n = static_cast<std::size_t>(x.shape().rows);
    double skew = 0.0;
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < j; ++i) skew += 0.5 * std::pow(entries[j * n + i] - entries[i * n + j], 2);
    const DenseOperator dense(x.shape().rows, x.shape().cols, entries);
    const double least = dense_eigen(SymmetricPart(dense)).s.back();
    return std::max({beyond, std::sqrt(skew), std::max(-least, 0.0)}) / radius_;
  }

  double eigengap(const Element& g, Index rank) override {
    RandomStream stream = confirmation_;
    const ElementOperator G(g);
    const TruncatedSvd eigen = truncated_eigen(SymmetricPart(G, -1.0), rank + 1, {}, stream);
    return eigen.converged ? eigen.s[static_cast<std::size_t>(rank) - 1] - eigen.s.back()
                           : std::numeric_limits<double>::quiet_NaN();
  }

  /// tau 1 1' / n.
  Element start_point(const Shape& shape) override {
    if (shape.rows != shape.cols)
      throw Error(ErrorKind::usage, "", "symmetric matrices are square, and the variable is " + shape.text(),
                  "take a set of matrices of any shape, such as nuclear-ball");
    const std::vector<double> even(static_cast<std::size_t>(shape.rows),
                                   1.0 / std::sqrt(static_cast<double>(shape.rows)));
    return Element::rank_one(radius_, even, even);
  }

  Form spectral_sum() const override { return {.size = radius_, .symmetric = true, .at_most = at_most_}; }

  void state(StateVisitor& v) override {
    v("stream", stream_);
    v("confirmation", confirmation_);
    v("warm start", solver_.warm_start());
    v("projection", shrinkage_);
  }
  void* ability(std::string_view id) noexcept override {
    return offer<LinearOracle, Faces, ProximalOracle, Membership, SpectralGap, Start, State, SpectralSum>(
        this, id);
  }

 protected:
  PsdSet(const PsdOptions& options, bool at_most, const Context& context)
      : radius_(options.radius),
        products_(options.products),
        at_most_(at_most),
        stream_(context.stream(Purpose::oracle)),
        confirmation_(context.stream(Purpose::confirmation)),
        shrinkage_(Spectrum::symmetric, context) {}

 private:
  static double trace_of(const Element& x) {
    if (const LowRankForm* low = only_low_rank(x)) {
      double trace = 0.0;
      for (std::size_t k = 0; k < low->weights.size(); ++k) {
        const auto u = low->store->left(static_cast<Index>(k)), v = low->store->right(static_cast<Index>(k));
        double product = 0.0;
        for (std::size_t i = 0; i < u.size(); ++i) product += u[i] * v[i];
        trace += low->weights[k] * product;
      }
      return x.parts().front().weight * trace;
    }
    const std::vector<double> entries = x.to_dense();
    const auto n = static_cast<std::size_t>(x.shape().rows);
    double trace = 0.0;
    for (std::size_t j = 0; j < n; ++j) trace += entries[j * n + j];
    return trace;
  }

  /// True if x is stored as a sum of w u u' with w >= 0.
  static bool is_gram(const Element& x) {
    const LowRankForm* low = only_low_rank(x);
    if (!low) return false;
    const double factor = x.parts().front().weight;
    for (std::size_t k = 0; k < low->weights.size(); ++k) {
      if (low->weights[k] == 0.0) continue;
      const auto u = low->store->left(static_cast<Index>(k)), v = low->store->right(static_cast<Index>(k));
      if (!(factor * low->weights[k] > 0.0) || !std::equal(u.begin(), u.end(), v.begin())) return false;
    }
    return true;
  }

  double radius_;
  Index products_;
  bool at_most_;
  RandomStream stream_, confirmation_;
  SymmetricLanczos solver_;
  SpectralStep shrinkage_;
};

}  // namespace claros::sdk
