// SPDX-License-Identifier: BSD-3-Clause
/// @file label_rule.hpp  A rule for the responses of class 1, in words of a specification.
#pragma once

#include <claros/api.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace claros {

/// "1,3,7" or "cat,dog": these responses are 1. "<= 10", with <, <=, > or >=: those that compare so are. All
/// others are -1.
class CLAROS_API LabelRule {
 public:
  /// Throws Error(usage) at `where` for text that is neither.
  LabelRule(std::string text, const std::string& where);
  const std::string& text() const noexcept { return text_; }
  /// The responses of a list, as written; empty for a comparison.
  const std::vector<std::string>& list() const noexcept { return list_; }
  bool holds(double response) const;
  /// True if the rule holds for the name of a class; a comparison holds for none.
  bool holds(std::string_view name) const;

 private:
  std::string text_, comparison_;
  double bound_ = 0.0;
  std::vector<std::string> list_;
};

}  // namespace claros
