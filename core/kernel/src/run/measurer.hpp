// SPDX-License-Identifier: BSD-3-Clause
/// @file measurer.hpp  Values and gaps on the full data, at a point, without a trace in the run.
#pragma once

#include "adapters/penalty_on_set.hpp"

#include <claros/run/run_loop.hpp>

#include <optional>

namespace claros {

/// True if there is a gap of f, or of f + h, on the set.
inline bool has_gap_on_set(const Problem& p) {
  return p.linear_oracle && (!p.penalty || (p.subgradient && p.conjugate));
}

/// Measures with the run's own components, which are checked and not counted. It uses detached copies
/// (nothing is evaluated in the run's own elements), and starts the oracle at random: a run that is measured
/// more often makes the same steps.
class Measurer {
 public:
  Measurer(const Problem& problem, const ComponentNames& names, double tolerance, const StopOptions& stop)
      : problem_(problem), names_(names), tolerance_(tolerance), stop_(stop) {
    if (problem.penalty && problem.projection) both_.emplace(*problem.penalty, *problem.projection, &duals_);
  }
  Measurer(const Measurer&) = delete;

  /// True if there is more than a value: not for an expectation without closed form and sample.
  bool measures() const;
  /// f + R + h at x.
  double value(const Element& x) const;
  /// f + R + h at 0, NaN if they say nothing there.
  double value_at_zero() const;
  /// For a run from the point 0 whose gap checks will have a residual, the scale is made here. The first step
  /// then knows the gradient there.
  void start(const Element& x0);
  /// The value, and the first of these that the problem has:
  /// - "frank-wolfe", of f on a set: max_{y in C} <grad f(x), x - y>, from the oracle's lower bound. For f +
  ///   h it is h(x) + h*(u) + max_{y in C} <grad f(x) + u, x - y> - <u, x>, with u the subgradient, moved
  ///   into dom h*.
  /// - "duality", of a convex objective with a bound (Certified) and a penalty with a conjugate: value -
  ///   bound.
  /// - The residual, for any problem with a proximal step: r(x) = ||x - prox_{t h}(x - t grad f(x))||_F / t
  ///   over a scale.
  ///
  /// To either gap, which is at least 0, the error of its arithmetic is added (rounding.hpp), so that value -
  /// gap is below the minimum and no gap is smaller than what is known. A gap below 0 by more than that error
  /// is not a gap: it is returned as it is, unconfirmed, for the run to fail on.
  ///
  /// In the residual, t = s / (1 + s mu) with mu the weak convexity of h, so that the prox has one solution;
  /// mu is 0 if the weak convexity is infinite. The scale is ||grad f(0)||_F. If f has one free coordinate
  /// (FreeTail; or several and Restrictable), it is the norm at the null model if that is less. If it is 0 or
  /// not finite, it is ||grad f|| at the point where measuring began.
  ///
  /// s is 1/L (residual_step.hpp). If L is unknown, s is the first of 1, 1/4, 1/16, ... with f(x+) <= f(x) +
  /// <grad f(x), x+ - x> + ||x+ - x||^2 / (2 s): r falls as s grows, and would say nothing for an s that is
  /// far too long. A step of length 1 that rounding would swallow is made longer before it is cut. For a
  /// penalty h on a set C, r is that of h + I_C (penalty_on_set.hpp). The proved error of the step and the
  /// rounding of x - s g are added to ||x - prox||, so that r is never too small. r is NaN if no error is
  /// known. If the same step takes more of the value F = f + h than that (a steep h near its kink), the
  /// residual is (F(x) - F(x+)) / max(|F(x)|, scale ||x||), by the bound above.
  ///
  /// Polls Interruption between its parts. The step of h on C takes at most about so many `multiplications`.
  Measurement measure(const Element& x, double multiplications, const Element* subgradient);
  /// The value that the last measurement, given up or not, had before it came to the gap.
  double value_measured() const noexcept { return value_measured_; }
  /// The error of the arithmetic in the value and the gap measured last: a part of that gap.
  double rounding() const noexcept { return rounding_; }
  /// A bound on the error of the arithmetic in the value of f + R at x.
  double value_rounding(const Element& x, double value) const;
  /// How far a lower bound may lie above the value of x for reasons that are in x: a point outside the set,
  /// and arithmetic that is worse than rounding() says, which shows where x is moved by less than anything
  /// can mean. Two measurements.
  double doubt(const Element& x);
  /// True if grad f(x) is a derivative of f along d, by a difference quotient, or if no quotient is finite.
  bool gradient_fits(const Element& x, const Element& d) const;
  double residual_scale() const noexcept { return scale_; }
  /// The eigengap of the gradient at x, if the set has it (SpectralGap) and x is held in fewer columns than a
  /// side has; else NaN.
  double eigengap(const Element& x) const;
  /// ||g - grad f(x)||_F, of the gradient that an algorithm sees.
  double estimator_error(const Element& x, const Element& g) const;

  void state(StateVisitor& v);

 private:
  /// f, or what is measured in its place.
  Objective& function() const;
  double rmse_truth(const Element& x) const;
  Element gradient(const Element& x) const;
  void measure_here(const Element& x, Measurement& m);
  /// f(y) + h(y) >= f(x) + h(x) - here + <slope, y> for all y, but for the error of the arithmetic.
  struct Tangent {
    Element slope;
    double here = 0.0, error = 0.0;
  };
  Tangent tangent(const Element& x, double value);
  void add_gap(const Element& x, Measurement& m);
  void set_gap(double raw, double error, const Element& x, Measurement& m);
  double raw_gap(const Element& x);
  double outside(const Element& x);
  double farthest(const Element& x);
  double diameter();
  bool hides_moves(double rounding);
  bool of_set() const { return has_gap_on_set(problem_); }
  bool may_have_bound() const;
  ProximalOracle* proximal() const { return problem_.penalty ? problem_.penalty : problem_.projection; }
  bool has_residual(bool has_gap) const;
  double dual_bound(const Element& x) const;
  double bound_of_penalty(const Element& x) const;
  bool add_duality_gap(double bound, const Element& x, Measurement& m);
  void add_residual(const Element& x, Measurement& m);
  double proximal_residual(const Element& x, const Element& g, double& fall);
  double fall_of_step(const Element& x, const Element& next, const Element& g, const Element& move,
                      double s) const;
  bool moves_shortly(const Element& x, const Element& g, double s);
  double reaching_step(const Element& x, const Element& next, const Element& g) const;
  double visible_step(const Element& x, const Element& g) const;
  double proximal_step(const Element& v, double s, const Element& x, Element& next);
  Element gradient_at_zero(const Shape& shape) const;
  double scale_at_zero(const Shape& shape);
  double null_scale(double at_zero);
  std::optional<double> smoothness(const Element& slope_at_zero) const;

  const Problem& problem_;
  const ComponentNames& names_;
  double tolerance_;
  const StopOptions& stop_;
  const Element* subgradient_ = nullptr;  ///< of the penalty, beside what is measured; null: 0
  ProximalSum::Duals duals_;  ///< where the nested step of the last residual ended (penalty_on_set.hpp)
  std::optional<PenaltyOnSet> both_;  ///< if there are a penalty and a set with a projection
  double rounding_ = 0.0;
  std::optional<double> diameter_;  ///< the diameter of the set, once it was asked for
  double multiplications_ = std::numeric_limits<double>::infinity();
  double value_measured_ = std::numeric_limits<double>::quiet_NaN();
  double scale_ = std::numeric_limits<double>::quiet_NaN();  ///< of residuals; not known before the first
  std::optional<std::optional<double>> smoothness_;  ///< L of f + R where it is known, once it was asked for
};

}  // namespace claros
