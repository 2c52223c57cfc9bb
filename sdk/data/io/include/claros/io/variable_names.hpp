// SPDX-License-Identifier: BSD-3-Clause
/// @file variable_names.hpp  An ability of components whose file names the entries of the variable.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace claros {

struct VariableNames {
  static constexpr std::string_view kAbility = "claros.variable-names/1";
  /// One an entry, column-major; empty if the file has none.
  virtual const std::vector<std::string>& variable_names() const noexcept = 0;

 protected:
  ~VariableNames() = default;
};

}  // namespace claros
