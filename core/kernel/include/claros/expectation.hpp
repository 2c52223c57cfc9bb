// SPDX-License-Identifier: BSD-3-Clause
/// @file expectation.hpp  The function on which values, gaps and residuals of an expectation are measured.
#pragma once

#include <claros/component.hpp>
#include <claros/objective.hpp>

#include <string>

namespace claros {

/// Ability of expectations (terms() is kUnbounded): a function with values and full gradients (Batch::all())
/// that only measurements use, not steps. It is the expectation itself if that has a closed form, or else the
/// mean of draws that no batch ever holds.
class CLAROS_API MeasuredExpectation {
 public:
  static constexpr std::string_view kAbility = "claros.measured-expectation/1";
  static constexpr std::string_view kWords = "a function on which an expectation is measured";
  virtual ~MeasuredExpectation();
  /// The number of draws that are held out; 0: none, the closed form.
  virtual Index held_out() const = 0;
  /// The function has the same variable. It lives as long as the expectation, and may be the expectation.
  virtual Objective& measured() = 0;
};

/// f, or the function that it is measured on; null for an expectation with no such function.
CLAROS_API Objective* measured_function(Objective& f);
/// The draws held out; 0 if f itself is measured.
CLAROS_API Index held_out_draws(Objective& f);
/// "all 4000 components", "the expectation, in closed form", "1000 draws held out", "nothing: ...".
CLAROS_API std::string measured_on(Objective& f);

}  // namespace claros
