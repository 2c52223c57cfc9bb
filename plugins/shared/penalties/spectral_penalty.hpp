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
#include <shared/sets/spectral_step.hpp>

#include <limits>
#include <utility>
#include <vector>

namespace claros::sdk {

/// h(X) is a function of the singular values of X. prox_{s h}(V) has the singular vectors of V and the
/// proximal step of their values (Lewis 1995); an author writes that step and `value`. The result is
/// low-rank, and so is the work (SpectralShrinkage).
class SpectralPenalty : public Component, public ProximalOracle, public State {
 public:
  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) final {
    if (!(step >= 0.0 && step < std::numeric_limits<double>::infinity()))
      throw Error(ErrorKind::usage, "", "a proximal step of length " + print_real(step),
                  "expected a finite number, at least 0");
    const SpectralShrinkage::Rule rule{
        .shrink = [&](std::vector<double>& values) { return shrink(values, step); },
        .nonexpansive = weak_convexity() == 0.0,
        .inside = inside()};
    return shrinkage_.apply(v, rule, x, accuracy);
  }

  void state(StateVisitor& v) override { shrinkage_.state(v); }
  void* ability(std::string_view id) noexcept override { return offer<ProximalOracle, State>(this, id); }

 protected:
  /// Draws the starts of decompositions from the context's streams.
  explicit SpectralPenalty(const Context& context) : shrinkage_(Spectrum::singular, context) {}

  /// The proximal step of the function of the values, largest first, in their place. Returns a bound up to
  /// which every further value becomes 0 and changes nothing.
  virtual double shrink(std::vector<double>& values, double step) = 0;
  /// Points whose singular values sum to at most this are their own proximal steps; negative: none but 0.
  virtual double inside() const { return -1.0; }

  /// The largest singular value, from a cold start; none if it was not found.
  std::pair<double, bool> leading_value(const Element& x) {
    const TruncatedSvd svd = truncated_svd(ElementOperator(x), 1, SpectralEngine::lanczos,
                                           TruncatedSvdOptions(), shrinkage_.stream());
    return {svd.s.front(), svd.converged};
  }
  /// The largest singular value: of small matrices from a Gram matrix, of others a bound from above that a
  /// cold start confirms (spectral_norm_bound). It leaves the streams alone, so that measuring moves no step.
  double spectral_norm(const Element& x) const {
    constexpr Index kSmall = 1 << 16, kMatvecs = 1000;
    constexpr double kTolerance = 1e-8;
    if (x.is_zero()) return 0.0;
    RandomStream stream = shrinkage_.confirmation();
    if (x.shape().size() <= kSmall)
      return truncated_svd(ElementOperator(x), 1, SpectralEngine::dense_gram, {}, stream).s.front();
    return spectral_norm_bound(ElementOperator(x),
                               {.tolerance = kTolerance, .max_matvecs = kMatvecs, .warm_vectors = 0}, stream);
  }

 private:
  SpectralStep shrinkage_;
};

}  // namespace claros::sdk
