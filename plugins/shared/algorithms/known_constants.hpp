// SPDX-License-Identifier: BSD-3-Clause
/// @file known_constants.hpp  The constants of an algorithm's theory: given, known, or missing.
#pragma once

#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include <cmath>
#include <optional>
#include <string>

namespace claros::sdk {

/// The constant that a user gives (0: none), or else the one that a component knows. A theory divides by it,
/// so it is positive and finite, or empty.
inline std::optional<double> positive(double given, std::optional<double> known = {}) {
  const double value = given > 0.0 ? given : known.value_or(0.0);
  return value > 0.0 && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// ", name = value", or nothing if it is unset.
inline std::string shown(const std::string& name, std::optional<double> value) {
  return value ? ", " + name + " = " + print_real(*value) : std::string();
}

/// Names all constants that are missing at once.
class MissingConstants {
 public:
  /// `key`: the parameter of the algorithm that gives it.
  void need(bool asked, bool known, const std::string& what, const std::string& key) {
    if (asked && !known) missing_ += (missing_.empty() ? "" : ", ") + what + " (" + key + ")";
  }
  /// Throws Error(usage) if there are any.
  void require(const std::string& remedy) const {
    if (!missing_.empty())
      throw Error(ErrorKind::usage, "", "the theory needs unknown constants: " + missing_, remedy);
  }

 private:
  std::string missing_;
};

}  // namespace claros::sdk
