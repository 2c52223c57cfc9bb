// SPDX-License-Identifier: BSD-3-Clause
/// @file spectral_step.hpp  Projections and proximal steps of singular values or eigenvalues, for a component
/// that remembers where the last one ended.
#pragma once

#include <claros/context.hpp>
#include <claros/state/state.hpp>
#include <shared/spectral/shrinkage.hpp>

namespace claros::sdk {

/// A SpectralShrinkage with a state, which draws the starts of its decompositions from the context's streams.
class SpectralStep : public SpectralShrinkage {
 public:
  SpectralStep(Spectrum spectrum, const Context& context)
      : SpectralShrinkage(spectrum, context.stream(Purpose::oracle), context.stream(Purpose::confirmation)) {}

  void state(StateVisitor& v) {
    v("stream", stream());
    v("confirmation", confirmation());
    v("basis", basis());
    v("rank", rank());
    v.require(rank() >= 0, "rank", "negative");
    v("sum", sum());
    v("settled", settled());
  }
};

}  // namespace claros::sdk
