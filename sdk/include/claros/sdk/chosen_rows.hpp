// SPDX-License-Identifier: BSD-3-Clause
/// @file chosen_rows.hpp  The parameters that only a person can choose: the lambda of a penalty, the radius
/// of a ball.
#pragma once

#include <claros/parameters.hpp>

#include <string>

namespace claros::sdk {

/// The row of the factor of a penalty that says from which lambda on 0 is the solution (LambdaMax).
template <class Options>
ParameterRow<Options> lambda_row(ScaledNumber Options::*lambda, Range range, const std::string& meaning) {
  return row("lambda", lambda,
             required(std::move(range),
                      "one way to choose is lambda = 0.1*max, where max is the smallest lambda for which 0 "
                      "is the solution"),
             meaning, "lambda");
}

/// The row of the factor of a penalty whose solution is 0 for no lambda; `advice` says how to choose one.
template <class Options>
ParameterRow<Options> lambda_row(double Options::*lambda, Range range, const std::string& meaning,
                                 const std::string& advice) {
  return row("lambda", lambda, required(std::move(range), advice), meaning, "lambda");
}

/// The row of the size of a ball in the norm that `norm` names.
template <class Options>
ParameterRow<Options> radius_row(double Options::*radius, const std::string& meaning,
                                 const std::string& symbol, const std::string& norm) {
  return row(
      "radius", radius,
      required(
          above(0),
          "one way to choose: run once without the set; the " + norm +
              " of that solution is the largest radius that has an effect; half of it is a reasonable start"),
      meaning, symbol);
}

}  // namespace claros::sdk
