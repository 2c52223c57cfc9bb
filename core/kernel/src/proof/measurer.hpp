// SPDX-License-Identifier: BSD-3-Clause
/// @file measurer.hpp  What is measured at a point: the gap (gap.cpp), the residual (residual.cpp), and the
/// rest.
#pragma once

#include <claros/missing_parts.hpp>
#include <claros/proximal_sum.hpp>
#include <claros/run/stopping.hpp>
#include <claros/state/state.hpp>

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace claros {

/// f + R + h and its parts, by the run's own components, which are checked.
class FullData {
 public:
  /// Both outlive this.
  FullData(const Problem& problem, const ComponentNames& names) : problem_(problem), names_(names) {}

  /// True if there is more than a value: not for an expectation without closed form and sample.
  bool measures() const;
  /// f + R + h at x.
  double value(const Element& x) const;
  /// f + R + h at 0, NaN if they say nothing there.
  double value_at_zero() const;

 protected:
  static constexpr double kRoundoff = std::numeric_limits<double>::epsilon(),
                          kInfinity = std::numeric_limits<double>::infinity(),
                          kUnknown = std::numeric_limits<double>::quiet_NaN();

  /// f, or what is measured in its place.
  Objective& function() const;
  /// grad f + grad R.
  Element gradient(const Element& x) const;
  /// An upper bound on ||x - y|| in the set.
  double diameter();

  const Problem& problem_;
  const ComponentNames& names_;

 private:
  std::optional<double> diameter_;  ///< once it was asked for
};

/// A projection may start where the last one ended (a rank, a basis, the place in a stream of random
/// numbers). Measuring asks for projections too. Afterwards every set and penalty gets its earlier state
/// back, so that a run which is measured more often makes the same steps and counts the same work.
class Remembered {
 public:
  explicit Remembered(const Problem& problem);
  /// Calls `measure`, and gives every part its state back, however the call ends.
  template <class Measure>
  void during(Measure&& measure) const {
    try {
      measure();
    } catch (...) {
      give_back();
      throw;
    }
    give_back();
  }

 private:
  void give_back() const;

  std::vector<std::pair<std::string, State*>> parts_;
  References references_;
  std::string bytes_;
};

/// True if there is a gap of f, or of f + h, on the set.
inline bool has_gap_on_set(const Problem& p) {
  return p.linear_oracle && (!p.penalty || (p.subgradient && p.conjugate));
}

/// The first of these that the problem has:
/// - "frank-wolfe", of f on a set: max_{y in C} <grad f(x), x - y>, from the oracle's lower bound. For f +
///   h it is h(x) + h*(u) + max_{y in C} <grad f(x) + u, x - y> - <u, x>, with u the subgradient, moved
///   into dom h*.
/// - "duality", of a convex objective with a bound (Certified) and a penalty with a conjugate: value - bound.
///
/// To either, which is at least 0, the error of its arithmetic is added (abilities.hpp), so that value - gap
/// is below the minimum and no gap is smaller than what is known. A gap below 0 by more than that error is
/// not a gap. It is returned as it is, unconfirmed, for the run to fail on.
class Gap : public FullData {
 public:
  /// `tolerance`: the relative one of the oracle calls.
  Gap(const Problem& problem, const ComponentNames& names, double tolerance, const StopOptions& stop)
      : FullData(problem, names), tolerance_(tolerance), stop_(stop) {}

  bool exists() const { return has_gap_on_set(problem_) || may_have_bound(); }
  /// Begins a measurement. `subgradient` of the penalty may be null, for 0.
  void begin(const Element* subgradient) {
    subgradient_ = subgradient;
    rounding_ = 0.0;
  }
  /// By duality at x; -infinity if none is known, or if the gap is that of a set.
  double lower_bound(const Element& x) const;
  /// Sets the gap of m, which has the value of x; false if there is none. `bound` is lower_bound(x).
  bool add(const Element& x, double bound, Measurement& m);

  /// The error of the arithmetic in the value and the gap measured last: a part of that gap.
  double rounding() const noexcept { return rounding_; }
  /// True if nothing is left of the value of x but the error of its arithmetic. The bounds of that error hang
  /// on the units of columns. So a move of x by less than anything can mean has to change the value, too.
  bool is_noise(const Element& x, double value) const;
  /// Underflow may hide this of that value: all of it if it is 0 and the gradient is not.
  double underflow(const Element& x, double value) const;
  /// How far a lower bound may lie above the value of x for reasons that are in x. They are a point outside
  /// the set, and arithmetic that is worse than rounding() says. A move of x by less than anything can mean
  /// shows the latter. Costs two measurements.
  double doubt(const Element& x);
  /// True if grad f(x) is a derivative of f along d, by a difference quotient, or if no quotient is finite.
  bool gradient_fits(const Element& x, const Element& d) const;

 private:
  friend class Measurer;  // lists the members of a checkpoint
  /// f(y) + h(y) >= f(x) + h(x) - here + <slope, y> for all y, but for the error of the arithmetic.
  struct Tangent {
    Element slope;
    double here = 0.0, error = 0.0;
  };
  Tangent tangent(const Element& x, double value);
  void add_frank_wolfe(const Element& x, Measurement& m);
  void set(double raw, double error, const Element& x, Measurement& m);
  double raw_gap(const Element& x);
  double outside(const Element& x);
  double farthest(const Element& x);
  bool of_set() const { return has_gap_on_set(problem_); }
  bool may_have_bound() const;
  double bound_of_penalty(const Element& x) const;

  const double tolerance_;
  const StopOptions& stop_;
  const Element* subgradient_ = nullptr;
  double rounding_ = 0.0;
};

/// For any problem with a proximal step: r(x) = ||x - prox_{t h}(x - t grad f(x))||_F / t over a scale.
///
/// t = s / (1 + s mu) with mu the weak convexity of h, so that the prox has one solution; mu is 0 if the weak
/// convexity is infinite. The scale is ||grad f(0)||_F. If f has one free coordinate (FreeTail; or several
/// and Restrictable), it is the norm at the null model if that is less. If it is 0 or not finite, it is
/// ||grad f|| at the point where measuring began. If f is a loss of A x whose phi'' has no bound, it is at
/// most that of the terms of grad f(x).
///
/// s is 1/L. If L is unknown, s is the first of 1, 1/4, 1/16, ... with f(x+) <= f(x) + <grad f(x), x+ - x> +
/// ||x+ - x||^2 / (2 s): r falls as s grows, and would say nothing for an s that is far too long. A step of
/// length 1 that rounding would swallow is made longer before it is cut. For a penalty h on a set C, r is
/// that of h + I_C (step_on_set). The proved error of the step and the rounding of x - s g are added
/// to ||x - prox||, so that r is never too small. r is NaN if no error is known. If the same step takes more
/// of the value F = f + h than that (a steep h near its kink), the residual is
/// (F(x) - F(x+)) / max(|F(x)|, scale ||x||), by the bound above.
///
/// r hardly sees columns in small units. Coordinates have units of their own if there is no set, and no
/// penalty or a sum over them. If these units lie far apart, the residual is the same ratio with steps s_j =
/// 1 / c_j^2 (column_curvature), and with ||D^-1 .||, D = diag(c), for norms. That is the length of D times
/// the moves that coordinate descent would make.
class Residual : public FullData {
 public:
  Residual(const Problem& problem, const ComponentNames& names, const StopOptions& stop)
      : FullData(problem, names), stop_(stop) {}

  /// True if it is measured. `has_gap`: a gap is, too.
  bool exists(bool has_gap) const;
  /// For a run from the point 0, the scale is made here. The first step then knows the gradient there.
  void start(const Element& x0);
  /// Sets the residual of m, which has the value of x. The step of h on C takes at most about so many
  /// `multiplications`. Polls Interruption.
  void add(const Element& x, double multiplications, Measurement& m);
  /// NaN before the first measurement.
  double scale() const noexcept { return scale_; }

 private:
  friend class Measurer;  // lists the members of a checkpoint
  ProximalOracle* proximal() const { return problem_.penalty ? problem_.penalty : problem_.projection; }
  double proximal_residual(const Element& x, const Element& g, double& fall);
  double fall_of_step(const Element& x, const Element& next, const Element& g, const Element& move,
                      double s) const;
  bool moves_shortly(const Element& x, const Element& g, double s);
  bool hides_moves(double rounding);
  double reaching_step(const Element& x, const Element& next, const Element& g) const;
  double visible_step(const Element& x, const Element& g) const;
  double proximal_step(const Element& v, double s, const Element& x, Element& next);
  double step_on_set(const Element& v, double s, const Element& x, Element& next);
  std::optional<double> residual_in_units(const Element& x, const Element& g, double scale) const;
  struct Scales {
    double plain, in_units;
  };
  Scales scales_at(const Element& x);
  void know_curvatures();
  double norm_in_units(const Element& g) const;
  Element gradient_at_zero(const Shape& shape) const;
  void scale_at_zero(const Shape& shape);
  std::optional<Element> null_slope();
  std::optional<double> smoothness(const Element& slope_at_zero) const;

  const StopOptions& stop_;
  /// The end of the last step_on_set, at which the next begins. Near a solution v and s hardly change from
  /// one gap check to the next. A bound proved for one therefore nearly holds for the other.
  ProximalSum::Duals duals_;
  double multiplications_ = kInfinity;
  double scale_ = kUnknown, scale_in_units_ = kUnknown;
  std::optional<std::vector<double>> curvatures_;    ///< once they were asked for; empty if r is enough
  std::optional<bool> is_bounded_;                   ///< whether phi'' has a bound, once it was asked for
  std::optional<std::optional<double>> smoothness_;  ///< L of f + R where it is known, once it was asked for
};

/// It uses detached copies (nothing is evaluated in the run's own elements), and starts the oracle at random:
/// a run that is measured more often makes the same steps.
class Measurer : public FullData {
 public:
  Measurer(const Problem& problem, const ComponentNames& names, double tolerance, const StopOptions& stop)
      : FullData(problem, names), gap_(problem, names, tolerance, stop), residual_(problem, names, stop) {}

  /// Makes the scale of residuals if they will be measured and x0 is 0.
  void start(const Element& x0);
  /// The value, and the gap or the residual, or both if both are targets. The residual takes at most about so
  /// many `multiplications`. `subgradient` of the penalty may be null.
  Measurement measure(const Element& x, double multiplications, const Element* subgradient);
  /// The value that the last measurement, given up or not, had before it came to the gap.
  double value_measured() const noexcept { return value_measured_; }
  double residual_scale() const noexcept { return residual_.scale(); }
  Gap& gap() noexcept { return gap_; }
  /// The eigengap of the gradient at x, if the set has it (SpectralGap) and x is held in fewer columns than a
  /// side has; else NaN.
  double eigengap(const Element& x) const;
  /// The error on held-out data (HeldOut); NaN without.
  double test_rmse(const Element& x) const;
  /// ||g - grad f(x)||_F, of the gradient that an algorithm sees.
  double estimator_error(const Element& x, const Element& g) const;

  void state(StateVisitor& v);

 private:
  double rmse_truth(const Element& x) const;

  Gap gap_;
  Residual residual_;
  double value_measured_ = kUnknown;
};

}  // namespace claros
