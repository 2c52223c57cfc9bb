// SPDX-License-Identifier: BSD-3-Clause
/// @file values.hpp  Values of parameters, as a program writes them.
#pragma once

#include <claros/parameters.hpp>

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace claros {

/// The value of a parameter, from a C++ value; numbers keep their bits.
class Value {
 public:
  Value(const char* text) : text_(text) {}
  Value(std::string text) : text_(std::move(text)) {}
  template <class Number>
  requires std::is_arithmetic_v<Number> Value(Number number) : text_(print(number)) {}
  const std::string& text() const noexcept { return text_; }

 private:
  static std::string print(bool value) { return print_boolean(value); }
  static std::string print(std::integral auto value) { return print_integer(static_cast<Index>(value)); }
  static std::string print(std::floating_point auto value) { return print_real(static_cast<double>(value)); }
  std::string text_;
};

/// {{"radius", 100}, {"engine", "lanczos"}}
using Values = std::vector<std::pair<std::string, Value>>;

}  // namespace claros
