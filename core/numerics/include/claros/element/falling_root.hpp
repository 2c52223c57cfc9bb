// SPDX-License-Identifier: BSD-3-Clause
/// @file falling_root.hpp  The root of a falling function of t > 0, by a method that cannot fail.
#pragma once

#include <claros/api.hpp>

#include <functional>

namespace claros {

/// The t > 0, to the last bits, with f(t) <= 0 and f > 0 just below, for f that falls from f(0) > 0 to some f
/// <= 0. If f is flat and 0, it is any such t. While positive, f may be infinite or NaN, and may rise by
/// rounding. First steps of growing factors from `guess` > 0 lead to neighbours with a root in between, then
/// halvings of the exponent lead to finite values. Then follows TOMS 748 (Alefeld, Potra, Shi 1995), which at
/// worst halves the interval every third evaluation. About 15 evaluations as a rule. A root below 1e-300 is
/// taken for 1e-300. If no f <= 0 is found, the result is the largest double.
CLAROS_API double falling_root(const std::function<double(double)>& f, double guess);

}  // namespace claros
