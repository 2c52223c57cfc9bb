// SPDX-License-Identifier: BSD-3-Clause
/// @file smoothing_accuracy.hpp  The parameter eps of smoothers, which stands for mu.
#pragma once

#include <claros/error.hpp>
#include <claros/smoothing_accuracy.hpp>

namespace claros::sdk {

/// Throws Error(usage) where a smoother is made with eps, which who composes turns into mu
/// (SmoothingAccuracy).
inline void require_composed(double eps) {
  if (eps > 0.0)
    throw Error(ErrorKind::usage, "eps",
                "turns into mu where a specification is composed, which knows the variable; made by itself "
                "the smoother cannot know it",
                "give mu");
}

}  // namespace claros::sdk
