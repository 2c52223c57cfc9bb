// SPDX-License-Identifier: BSD-3-Clause
/// @file spectral_penalty.hpp  Base of penalties that are functions of the singular values of a matrix.
#pragma once

#include <claros/context.hpp>
#include <claros/error.hpp>
#include <claros/map/element_operator.hpp>
#include <claros/parameters.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/spectral/spectral.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace claros::sdk {

/// h(X) is a function of the singular values of X. prox_{s h}(V) has the singular vectors of V and the proximal step of their
/// values (Lewis 1995); an author writes that and `value`. The answer is low-rank.
///
/// With Accuracy::rank = k below min(m, n) only k singular triplets of V are computed. The answer is exact when the largest
/// singular value of what is left of V is at most the threshold, below which values become 0: a cold Lanczos solve
/// verifies that where a certificate is asked for. Otherwise, for a convex h, it is the exact step of a point at most
/// sqrt(min(m, n) - k) (sigma - threshold) away from V, hence no further from V's (firm non-expansiveness); of another h
/// nothing is known then.
class SpectralPenalty : public Component, public ProximalOracle, public State {
 public:
  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) final {
    if (!(step >= 0.0 && step < std::numeric_limits<double>::infinity()))
      throw Error(ErrorKind::usage, "penalty", "a proximal step of length " + print_real(step), "expected a finite number, at least 0");
    const Shape shape = v.shape();
    const ElementOperator V(v);
    const Index side = std::min(shape.rows, shape.cols);
    const Index count = accuracy.rank > 0 ? std::min(accuracy.rank, side) : side;
    const TruncatedSvd svd = decomposed(V, count, accuracy);
    kept_.assign(svd.s.begin(), svd.s.end());
    const double threshold = shrink(kept_, step);
    Certificate certificate;
    certificate.singular_pairs = svd.count;
    certificate.products = svd.matvecs;
    certificate.exact = count == side || v.is_zero();
    if (!certificate.exact && accuracy.certify) certify(v, svd, threshold, side, certificate);
    x = low_rank(shape, svd, kept_);
    certificate.rank = x.columns();
    return certificate;
  }

  void state(StateVisitor& v) override {
    v("stream", stream_);
    v("confirmation", confirmation_);
  }
  void* ability(std::string_view id) noexcept override { return offer<ProximalOracle, State>(this, id); }

 protected:
  /// Draws the starts of decompositions from the context's streams.
  explicit SpectralPenalty(const Context& context)
      : stream_(context.stream(Purpose::oracle)), confirmation_(context.stream(Purpose::confirmation)) {}

  /// The proximal step of the function of the values, largest first, in their place. Returns a bound up to which every value
  /// becomes 0.
  virtual double shrink(std::vector<double>& values, double step) = 0;

  /// The largest singular value, from a cold start; none where it was not found.
  std::pair<double, bool> leading_value(const Element& x) {
    const TruncatedSvd svd = truncated_svd(ElementOperator(x), 1, SpectralEngine::lanczos, TruncatedSvdOptions(), stream_);
    return {svd.s.front(), svd.converged};
  }
  /// The same from a Gram matrix, which always finds it.
  double spectral_norm(const Element& x) {
    return x.is_zero() ? 0.0 : truncated_svd(ElementOperator(x), 1, SpectralEngine::dense_gram, {}, stream_).s.front();
  }

 private:
  TruncatedSvd decomposed(const ElementOperator& V, Index count, const Accuracy& accuracy) {
    if (V.element().is_zero()) return {};
    const Index side = std::min(V.rows(), V.cols());
    if (count < side) {
      // ARPACK's basis holds twice as many vectors as are wanted: from a fifth of all on, a full decomposition is faster.
      const bool few = 5 * count < side;
      TruncatedSvdOptions options;
      options.tolerance = accuracy.tolerance;
      return truncated_svd(V, count, few ? SpectralEngine::arpack : SpectralEngine::dense, options, stream_);
    }
    std::vector<double> entries(static_cast<std::size_t>(V.rows() * V.cols()));
    V.entries(entries);
    return dense_svd(V.rows(), V.cols(), entries);
  }

  void certify(const Element& v, const TruncatedSvd& svd, double threshold, Index side, Certificate& certificate) {
    Element rest(v);
    rest.add(-1.0, low_rank(v.shape(), svd, svd.s));
    LanczosOptions options;
    options.tolerance = 1e-6;
    const LeadingPair left = LanczosSolver().confirm(ElementOperator(rest), options, confirmation_);
    certificate.products += left.matvecs;
    const double beyond = left.upper_estimate() - threshold;
    if (!svd.converged || !left.converged) return;  // then nothing is proved
    certificate.exact = beyond <= 0.0;
    if (!certificate.exact && weak_convexity() == 0.0) certificate.error = std::sqrt(static_cast<double>(side - svd.count)) * beyond;
  }

  static Element low_rank(const Shape& shape, const TruncatedSvd& svd, std::span<const double> values) {
    const auto m = static_cast<std::size_t>(shape.rows), n = static_cast<std::size_t>(shape.cols);
    auto store = std::make_shared<FactorStore>(shape.rows, shape.cols);
    std::vector<double> weights;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (values[k] == 0.0) continue;
      store->append(std::span(svd.u).subspan(k * m, m), std::span(svd.v).subspan(k * n, n));
      weights.push_back(values[k]);
    }
    return weights.empty() ? Element(shape) : Element::low_rank(std::move(store), std::move(weights));
  }

  RandomStream stream_, confirmation_;
  std::vector<double> kept_;  ///< the singular values of the answer
};

}  // namespace claros::sdk
