// SPDX-License-Identifier: BSD-3-Clause
/// @file subproblem.hpp  The projection that conditional gradient sliding leaves to Frank-Wolfe.
#pragma once

#include <claros/element/element.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/state/state.hpp>
#include <shared/algorithms/point_form.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

/// u <- argmin over C of phi(u) = <g, u> + (beta/2) ||u - x||^2, from u = x, by Frank-Wolfe with exact steps
/// until its gap max over C of <grad phi(u), u - v> is at most eta. (Lan, Zhou 2016, procedure CndG.) The
/// point u stays a sum of vertices: grad phi(u) = (g - beta x) + beta u has their parts beside those of g. <g
/// - beta x, u> and ||u||^2 follow the steps, so that none takes an inner product with all columns of u and
/// the array of g.
///
/// The gap is computed from the oracle's lower bound. A spectral set does not confirm that bound in the run,
/// and its warm start can mislead it. After a step along u v', (u, v) is still a singular pair of grad phi,
/// but no longer the leading one. So the minimisation that ends the subproblem is accurate: the random part
/// of a start then shows a larger singular value, as a rule. On matrices of 9 x 7 a gap is above eta in 1 of
/// 100 subproblems, and below 2 eta.
///
/// With `confirms` the other minimisations are loose, and the last one is made again at that accuracy.
/// Without it all are that accurate: one minimisation less, as the papers count them, but each has more
/// products. In both cases a result on f rests on gaps that the run loop confirms.
class Subproblem {
 public:
  /// A call of `solve` makes no more linear minimisations.
  static constexpr claros::Index kBlock = 32;

  /// Relative accuracy of the linear oracle at most; smaller if the gap asks for it.
  Subproblem(double oracle_tolerance, bool confirms)
      : oracle_tolerance_(oracle_tolerance), confirms_(confirms) {}

  void start(const claros::Shape& shape) {
    base_ = claros::Element(shape);
    open_ = again_ = false;
    beta_ = eta_ = base_u_ = u_u_ = minimum_ = gap_ = 0.0;
  }

  /// g is folded (fold_fused). An `eta` below rounding level is raised to it.
  void begin(const claros::Element& g, double beta, double eta, const claros::Element& x) {
    beta_ = beta;
    eta_ = eta;
    base_.assign_sum(1.0, g, -beta, x);
    measure(x);
    open_ = true;
    again_ = !confirms_;
  }
  bool is_open() const noexcept { return open_; }

  /// True if the gap is at most eta now; else call it again. u was x when it began.
  bool solve(claros::LinearOracle& oracle, claros::Element& u, const claros::sdk::PointForm& form) {
    for (claros::Index call = 0; call < kBlock; ++call) {
      c_.assign_sum(1.0, base_, beta_, u);  // grad phi(u)
      if (u.shape().cols == 1)
        (void)c_.dense_values();  // of a vector one array: parts that cancel leave more rounding behind
      const claros::OracleInfo info = oracle.minimize(c_, {tolerance(), false}, v_);
      minimum_ = info.value;
      if (!ends(info) || (measure(u), !ends(info)))
        again_ = !confirms_, move(u), form.settle(u);
      else if (info.confirmed || std::exchange(again_, true))
        return close();
    }
    return false;
  }

  /// The eta of the last subproblem.
  double eta() const noexcept { return eta_; }
  /// beta D/2 - min <grad phi, v>, over D/2: for a nuclear ball, a bound of ||grad f||_op and of the cost of
  /// moving x to phi.
  double minimum(double diameter) const {
    return std::min(minimum_, 0.0) - 0.5 * beta_ * diameter * diameter;
  }

  void state(claros::StateVisitor& v) {
    v("open", open_);
    v("again", again_);
    v("g - beta x", base_);
    v("beta", beta_);
    v("eta", eta_);
    v("<g - beta x, u>", base_u_);
    v("<u, u>", u_u_);
    v("minimum", minimum_);
    v("gap", gap_);
    v.require(!open_ || beta_ > 0.0, "beta", "not positive");
  }

 private:
  /// The accuracy of a gap in double precision, in the size of its terms.
  static constexpr double kRounding = 1e-12;

  void measure(const claros::Element& u) { base_u_ = inner(base_, u), u_u_ = inner(u, u); }
  double slope() const { return base_u_ + beta_ * u_u_; }  // <grad phi(u), u>
  double rounding() const { return kRounding * (std::abs(base_u_) + beta_ * u_u_ + std::abs(minimum_)); }

  /// The next vertex must be known to a quarter of the gap that it is to show. The last one must be known to
  /// a quarter of eta.
  double tolerance() const {
    constexpr double kShare = 0.25, kSure = 0.01;  // what the random part of a start has of a vector, or less
    const double shown = confirms_ ? std::max(gap_, eta_) : eta_;
    const double wanted = kShare * shown * (again_ ? kSure : 1.0);
    return std::clamp(minimum_ != 0.0 ? wanted / std::abs(minimum_) : oracle_tolerance_, kShare * kRounding,
                      oracle_tolerance_);
  }

  bool ends(const claros::OracleInfo& info) {
    gap_ = std::max(slope() - info.value, 0.0);
    return slope() - info.lower_bound <= std::max(eta_, rounding()) || gap_ <= 0.1 * rounding();
  }

  /// u <- u + a (v - u), a = argmin over [0, 1] of phi: <grad phi(u), u - v> / (beta ||v - u||^2).
  void move(claros::Element& u) {
    const double u_v = inner(u, v_), v_v = inner(v_, v_), base_v = minimum_ - beta_ * u_v;
    const double squared = std::max(u_u_ - 2.0 * u_v + v_v, 0.0);
    const double a = beta_ * squared > gap_ ? gap_ / (beta_ * squared) : gap_ > 0.0 ? 1.0 : 0.0;
    if (a == 0.0) return;
    u.blend(a, v_);
    base_u_ += a * (base_v - base_u_);
    u_u_ = (1.0 - a) * (1.0 - a) * u_u_ + 2.0 * a * (1.0 - a) * u_v + a * a * v_v;
  }

  /// Lets go of the arrays that the next gradient is to be written to.
  bool close() {
    base_.set_zero();
    c_.set_zero();
    open_ = false;
    return true;
  }

  double oracle_tolerance_;
  bool confirms_;
  claros::Element base_, c_, v_;
  bool open_ = false, again_ = false;
  double beta_ = 0.0, eta_ = 0.0, base_u_ = 0.0, u_u_ = 0.0;
  double minimum_ = 0.0, gap_ = 0.0;  ///< of the last vertex
};
