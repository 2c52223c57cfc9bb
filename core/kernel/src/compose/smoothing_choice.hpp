// SPDX-License-Identifier: BSD-3-Clause
/// @file smoothing_choice.hpp  `smoother.eps`: how much is smoothed, from the accuracy of the solution.
#pragma once

#include "compose/findings.hpp"

#include <claros/compose/composition.hpp>

#include <string>

namespace claros {

/// Of a smoother with parameters mu and eps (SmoothingAccuracy): eps is taken out of the specification, where
/// a number of the range stands for mu until the objective, and with it the shape of the variable, is known.
class SmoothingChoice {
 public:
  /// Before the parts are chosen. Both given is a finding, and so is an eps that is no positive number.
  void take(const Catalog& catalog, Spec& spec, Findings& findings);
  bool asked() const noexcept { return eps_ > 0.0; }
  /// Puts mu into the options of the smoother and returns it; `shape` is that of the smoother's variable.
  /// Throws Error(usage) where nothing is smoothed.
  double put(Node& smoother, const Shape& shape) const;
  /// In words.
  std::string text(double mu) const;

 private:
  double eps_ = 0.0;
};

}  // namespace claros
