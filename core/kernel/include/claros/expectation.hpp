// SPDX-License-Identifier: BSD-3-Clause
/// @file expectation.hpp  What values, gaps and residuals of an expectation are measured on.
#pragma once

#include <claros/component.hpp>
#include <claros/objective.hpp>

#include <string>

namespace claros {

/// Of objectives that are expectations (terms() is kUnbounded): a function with values and full
/// gradients (Batch::all()), which steps are not made of. It is the expectation itself where that has a
/// closed form, or the mean of draws that no batch ever holds.
class CLAROS_API MeasuredExpectation {
 public:
  static constexpr std::string_view kAbility = "claros.measured-expectation/1";
  virtual ~MeasuredExpectation();
  /// The number of draws that are held out; 0: none, the closed form.
  virtual Index held_out() const = 0;
  /// Of the same variable; lives as long as the expectation, and may be the expectation.
  virtual Objective& measured() = 0;
};

/// f, or what it is measured on; null of an expectation of which nothing is known.
CLAROS_API Objective* measured_function(Objective& f);
/// The draws held out; 0 where f itself is measured.
CLAROS_API Index held_out_draws(Objective& f);
/// "all 4000 components", "the expectation, in closed form", "1000 draws held out", "nothing: ...".
CLAROS_API std::string measured_on(Objective& f);

}  // namespace claros
