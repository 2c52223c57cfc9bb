// SPDX-License-Identifier: BSD-3-Clause
/// @file envelope.hpp  The forward-backward envelope at a point.
#pragma once

#include "column_scale.hpp"

#include <claros/algorithm.hpp>
#include <claros/domain.hpp>
#include <claros/element/make_dense.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/sdk/entries.hpp>
#include <claros/sdk/losses/fold_fused.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

/// At x, with g = grad f(x), z = prox_{gamma h}(x - gamma g) and r = x - z,
///     phi(x) = f(x) - <g, r> + ||r||^2 / (2 gamma) + h(z).
/// phi is finite for all x, even if h(x) is not. For gamma < 1/L it has the minima of f + h. Without h it is
/// f(x) - (gamma/2) ||g||^2. (Patrinos, Bemporad 2013; Themelis, Stella, Patrinos 2018.) All is in the
/// coordinates of a ColumnScale.
struct Envelope {
  claros::Element x, g, z, r;
  double f = 0.0, h = 0.0, square = 0.0;  ///< f(x), h(z), ||r||^2
  double phi = std::numeric_limits<double>::infinity();
  bool inside = true;  ///< whether x lies in the domain of f; if not, only phi belongs to it

  void state(claros::StateVisitor& v) {
    v("x", x), v("gradient", g), v("z", z), v("r", r);
    v("f", f), v("h", h), v("square", square), v("phi", phi);
  }
};

class EnvelopeOf {
 public:
  void start(const claros::Problem& problem) {
    problem_ = problem;
    scale_.start(problem, problem.objective->shape());
    h_ = problem.penalty ? problem.penalty : problem.projection;
    longest_ = problem.penalty && problem.penalty->weak_convexity() > 0.0 ? 1.0 : kFar;
  }
  ColumnScale& scale() noexcept { return scale_; }
  const ColumnScale& scale() const noexcept { return scale_; }

  /// x <- prox_{tau h}(x + tau u), u the subgradient of h at z, and tau as large as the way from z. If h is
  /// linear between z and x nothing changes. A coordinate beyond a corner or a bound comes to it. (For an l1
  /// norm this is the orthant of Andrew and Gao 2007.)
  void into_piece(const Envelope& from, double gamma, claros::Element& x) {
    constexpr double kLeast = 1e-9;
    if (!h_) return;
    subgradient(from, gamma);
    const double slope = largest(u_), way = largest_difference(x, from.z);
    const double tau = std::clamp(slope > 0.0 ? way / slope : 0.0, kLeast * gamma, longest_ * gamma);
    v_.assign_sum(1.0, x, tau, u_);
    claros::make_dense(v_);
    proximal_step(tau, x);
    claros::make_dense(x);
  }
  /// All of it at e.x; outside the domain of f phi alone, which is infinite there.
  void evaluate(Envelope& e, double gamma) {
    e.phi = std::numeric_limits<double>::infinity();
    const claros::Element& x = scale_.data_point(e.x, x_);
    e.inside = !claros::leaves_domain(*problem_.objective, x);
    if (!e.inside) return;
    e.g = problem_.estimator->estimate(x);
    claros::sdk::fold_fused(e.g);
    claros::make_dense(e.g);
    scale_.to_slope(e.g);
    e.f = problem_.objective->value(x);
    step(e, gamma);
  }
  /// Computes the members that depend on gamma.
  void step(Envelope& e, double gamma) {
    v_.assign_sum(1.0, e.x, -gamma, e.g);
    claros::make_dense(v_);
    if (h_)
      proximal_step(gamma, e.z);
    else
      std::swap(e.z, v_);
    claros::make_dense(e.z);
    e.h = problem_.penalty ? problem_.penalty->value(scale_.data_point(e.z, x_)) : 0.0;
    e.r.assign_sum(1.0, e.x, -1.0, e.z);
    claros::make_dense(e.r);
    e.square = claros::inner(e.r, e.r);
    const double phi = e.f - claros::inner(e.g, e.r) + e.square / (2.0 * gamma) + e.h;
    e.phi = std::isfinite(phi) ? phi : std::numeric_limits<double>::infinity();
  }
  /// True if f lies below its parabola of curvature 1/gamma at z, up to rounding.
  bool bounds(const Envelope& e, double gamma) {
    constexpr double kRounding = 1e-13;
    const double above = e.f - claros::inner(e.g, e.r) + e.square / (2.0 * gamma);
    return problem_.objective->value(scale_.data_point(e.z, x_)) <=
           above + kRounding * (std::abs(e.f) + std::abs(e.h));
  }

 private:
  /// to <- prox_{step h}(v_)
  void proximal_step(double step, claros::Element& to) {
    if (scale_.is_used()) return scale_.proximal_step(v_, step, to);
    (void)h_->apply(v_, step, to, claros::Accuracy{});
  }
  /// u = (x - gamma g - z) / gamma.
  void subgradient(const Envelope& e, double gamma) {
    u_.assign_sum(1.0 / gamma, e.r, -1.0, e.g);
    claros::make_dense(u_);
  }
  double largest(const claros::Element& x) { return claros::sdk::largest_magnitude(reader_(x)); }
  double largest_difference(const claros::Element& x, const claros::Element& y) {
    v_.assign_sum(1.0, x, -1.0, y);
    claros::make_dense(v_);
    return largest(v_);
  }

  static constexpr double kFar = 1e12;

  claros::Problem problem_;
  double longest_ = kFar;  ///< tau, in units of gamma: of weakly convex h longer steps are none
  claros::ProximalOracle* h_ = nullptr;
  ColumnScale scale_;
  claros::Element u_, v_, x_;
  claros::sdk::DenseReader reader_;
};
