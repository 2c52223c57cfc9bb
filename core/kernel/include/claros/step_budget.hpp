// SPDX-License-Identifier: BSD-3-Clause
/// @file step_budget.hpp  An ability of algorithms: the number of steps that their theory asks for.
#pragma once

#include <claros/api.hpp>

#include <string_view>

namespace claros {

/// A run ends after so many steps as by `stop.iterations`, whichever comes first.
class StepBudget {
 public:
  static constexpr std::string_view kAbility = "claros.step-budget/1";
  virtual ~StepBudget() = default;
  /// 0 as long as it is not known, or for none.
  virtual Index step_budget() const = 0;
};

}  // namespace claros
