// SPDX-License-Identifier: BSD-3-Clause
/// @file array_penalty.hpp  Base of penalties that work on the array of all entries, with a side constraint.
#pragma once

#include <claros/element/falling_root.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/sdk/entries.hpp>
#include <claros/sdk/stateless.hpp>

#include <span>
#include <string>

namespace claros::sdk {

/// The row of the option `rho` of a penalty.
template <class Options>
ParameterRow<Options> side_constraint_row(double Options::*rho, const std::string& psi) {
  return row("rho", rho, or_infinity(above(0)), "side constraint " + psi + " <= rho; inf: none", "rho");
}

/// h(x) = lambda psi(x) - (mu/2)||x||^2 on {psi(x) <= rho}, psi >= 0 convex with psi(0) = 0, mu >= 0. (Qu,
/// Li, Xu 2017, Algorithms 1 and 2: psi is the norm, or the convexified g_lambda of a non-convex penalty.)
///
/// With nu >= 0 the multiplier of the side constraint, prox_{step h}(v) minimises
/// (step lambda + nu) psi(x) + (1 - step mu)/2 ||x - v / (1 - step mu)||^2.
/// If the step without the constraint satisfies it, that is the step. Else it is the projection of v / (1 -
/// step mu) onto {psi <= rho}.
class ArrayPenalty : public Component, public ProximalOracle, public Stateless {
 public:
  Certificate apply(const Element& v, double step, Element& x, const Accuracy& accuracy) final {
    require_step(step);
    fit(v.shape());
    if (rho_ < kInfinity)
      return apply_bounded(&v == &x ? reader_.copy(v) : reader_(v), v.shape(), step, x), Certificate{};
    if (&v == &x) {
      const std::span<double> values = x.dense_values();
      return prox(values, step, values, accuracy);
    }
    const std::span<const double> from = reader_(v);
    return prox(from, step, overwrite_dense(v.shape(), x), accuracy);
  }

  double value(const Element& x) final {
    fit(x.shape());
    const std::span<const double> values = reader_(x);
    if (rho_ < kInfinity && psi(values) > rho_ * (1.0 + kRounding)) return kInfinity;
    return penalty(values);
  }

  void* ability(std::string_view id) noexcept override { return offer<ProximalOracle, State>(this, id); }

 protected:
  explicit ArrayPenalty(double rho = kInfinity) : rho_(rho) {}

  /// h(x) without the side constraint.
  virtual double penalty(std::span<const double> x) = 0;
  /// prox_{step h}(v) without the side constraint; x may be v.
  virtual void prox(std::span<const double> v, double step, std::span<double> x) = 0;
  /// ... of a penalty without one whose step is not exact to rounding: what it comes to.
  virtual Certificate prox(std::span<const double> v, double step, std::span<double> x, const Accuracy&) {
    prox(v, step, x);
    return {};
  }
  virtual double psi(std::span<const double>) { return 0.0; }
  /// prox_{t psi}(v), for the penalties that leave `project` as it is; x is not v.
  virtual void prox_psi(std::span<const double>, double, std::span<double>) {}
  /// argmin ||x - v|| over psi(x) <= rho, for a v outside, finite; x is not v.
  virtual void project(std::span<const double> v, std::span<double> x) {
    const auto excess = [&](double t) {
      prox_psi(v, t, x);
      return psi(x) - rho_;
    };
    prox_psi(v, falling_root(excess, 1.0), x);
  }
  /// Gets the shape of every variable before any other call.
  virtual void fit(const Shape&) {}
  /// Entries of an argument of an ability, such as Conjugate's.
  std::span<const double> read(const Element& x) {
    fit(x.shape());
    return reader_(x);
  }
  double rho() const noexcept { return rho_; }
  /// Throws Error(usage) unless the proximal step of that length is one that h, or its convexified form, can
  /// make.
  void require_step(double step) const {
    if (!(step >= 0.0 && step < kInfinity))
      throw Error(ErrorKind::usage, "", "a proximal step of length " + print_real(step),
                  "expected a finite number, at least 0");
    const double mu = weak_convexity();
    if (std::isfinite(mu) && step * mu >= 1.0)
      throw Error(ErrorKind::usage, "",
                  "a proximal step of length " + print_real(step) +
                      " on a penalty of weak convexity mu = " + print_real(mu) +
                      " has no unique answer: step * mu = " + print_real(step * mu) + " is not below 1",
                  "take a step below " + print_real(1.0 / mu) + ", or a penalty that is less concave");
  }

 private:
  void apply_bounded(std::span<const double> v, const Shape& shape, double step, Element& x) {
    const std::span<double> values = overwrite_dense(shape, x);
    prox(v, step, values);
    if (psi(values) <= rho_) return;
    if (!all_finite(v))
      throw Error(ErrorKind::numerical, "rho",
                  "the point holds a number that is not finite: it cannot be brought to psi(x) <= rho",
                  "check for a step that is too long, or for bad data");
    const double shrink = 1.0 - step * weak_convexity();
    if (shrink < 1.0) {
      scaled_.assign(v.begin(), v.end());
      for (double& entry : scaled_) entry /= shrink;
      v = scaled_;
    }
    project(v, values);
  }

  double rho_;
  DenseReader reader_;
  std::vector<double> scaled_;
};

}  // namespace claros::sdk
