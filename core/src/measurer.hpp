// SPDX-License-Identifier: BSD-3-Clause
/// @file measurer.hpp  Values and gaps on the full data, at a point, without a trace in the run.
#pragma once

#include <claros/run_loop.hpp>

namespace claros {

/// Measures with the run's own components (checked, and not counted) on detached copies (nothing is evaluated in the run's own
/// elements), the oracle cold: a run that is measured more often makes the same steps.
class Measurer {
 public:
  Measurer(const Problem& problem, const ComponentNames& names, double tolerance)
      : problem_(problem), names_(names), tolerance_(tolerance) {}

  /// f + R + h at x.
  double value(const Element& x) const;
  /// The value, and the first of these gaps that the problem has:
  /// - "frank-wolfe", of a smooth function over a set with a linear oracle: max_{u in C} <grad f(x), x - u>, its maximum
  ///   taken from the oracle's lower bound;
  /// - "duality", of a convex objective with a bound (Certified) and a penalty with a conjugate: value - bound;
  /// - "proximal-residual", for whatever has a proximal step: ||x - prox_{s h}(x - s grad f(x))||_F / s with s = 1/L (1
  ///   where L is unknown), of the convexified h; 0 at the stationary points and nowhere else.
  Measurement measure(const Element& x) const;
  /// ||g - grad f(x)||_F, of the gradient that an algorithm sees.
  double estimator_error(const Element& x, const Element& g) const;

 private:
  double rmse_truth(const Element& x) const;
  Element gradient(const Element& x) const;
  void add_gap(const Element& x, Measurement& m) const;
  bool add_duality_gap(const Element& x, Measurement& m) const;
  void add_residual(const Element& x, Measurement& m) const;

  const Problem& problem_;
  const ComponentNames& names_;
  double tolerance_;
};

}  // namespace claros
