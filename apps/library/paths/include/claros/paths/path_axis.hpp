// SPDX-License-Identifier: BSD-3-Clause
/// @file path_axis.hpp  A second parameter of a path, and the part of the path that belongs to one value of
/// it.
#pragma once

#include <claros/api.hpp>
#include <claros/compose/composition.hpp>

#include <limits>
#include <string>
#include <vector>

namespace claros {

/// A path has one sequence of lambdas for each value of a second parameter: penalty.ratio of elastic-net.
struct CLAROS_API PathAxis {
  std::string parameter;       ///< the parameter of the penalty, the set or the smoother; empty: none
  std::vector<double> values;  ///< distinct

  /// "penalty.ratio=0.1,0.5,0.9". Throws Error(usage) at `where`.
  static PathAxis parse(const std::string& text, const std::string& where);
};

/// The lambdas of one value of the second parameter, or of a path without one.
struct CLAROS_API PathSlice {
  double value = std::numeric_limits<double>::quiet_NaN();  ///< the value of the second parameter
  double max = 0.0;                                         ///< of lambda or the radius; NaN if none is known
  std::vector<double> lambdas;                              ///< asked for
  std::size_t solved = 0;                                   ///< the first ones of them
  std::string saturated;  ///< why no smaller lambda was solved (Explained::saturation); else empty

  bool is_whole() const { return solved == lambdas.size() || !saturated.empty(); }
};

/// The composition with that value, and with the max of `parameter` ("penalty.lambda") that goes with it.
/// Nothing without a second parameter. Throws Error(usage) for a value out of range, and where max is 0.
CLAROS_API void enter_slice(Composition& composition, const std::string& parameter, const PathAxis& over,
                            double value);

}  // namespace claros
