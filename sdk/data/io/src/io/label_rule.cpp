// SPDX-License-Identifier: BSD-3-Clause
#include <claros/error.hpp>
#include <claros/io/label_rule.hpp>
#include <claros/parameters.hpp>

#include <claros/io/fields.hpp>

#include <algorithm>
#include <cmath>

namespace claros {

namespace {

std::string without_blanks_around(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == text.npos ? std::string()
                            : std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

}  // namespace

LabelRule::LabelRule(std::string text, const std::string& where) : text_(without_blanks_around(text)) {
  constexpr const char* kRemedy = "give a list such as 1,3,7, or a comparison such as <= 10";
  if (text_.starts_with('<') || text_.starts_with('>')) {
    comparison_ = text_.substr(0, text_.starts_with("<=") || text_.starts_with(">=") ? 2 : 1);
    const auto bound = number_of(without_blanks_around(std::string_view(text_).substr(comparison_.size())));
    if (!bound || !std::isfinite(*bound))
      throw Error(ErrorKind::usage, where, "'" + text_ + "' compares with no number", kRemedy);
    bound_ = *bound;
    return;
  }
  for (std::size_t at = 0; at <= text_.size();) {
    const std::size_t comma = std::min(text_.find(',', at), text_.size());
    list_.push_back(without_blanks_around(std::string_view(text_).substr(at, comma - at)));
    at = comma + 1;
    if (list_.back().empty())
      throw Error(ErrorKind::usage, where, "'" + text_ + "' is neither a list nor a comparison", kRemedy);
  }
}

bool LabelRule::holds(double response) const {
  if (comparison_ == "<") return response < bound_;
  if (comparison_ == "<=") return response <= bound_;
  if (comparison_ == ">") return response > bound_;
  if (comparison_ == ">=") return response >= bound_;
  return std::any_of(list_.begin(), list_.end(),
                     [&](const std::string& item) { return number_of(item) == response; });
}

bool LabelRule::holds(std::string_view name) const {
  return std::find(list_.begin(), list_.end(), name) != list_.end();
}

}  // namespace claros
