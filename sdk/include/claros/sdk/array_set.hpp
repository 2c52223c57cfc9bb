// SPDX-License-Identifier: BSD-3-Clause
/// @file array_set.hpp  Base of convex sets that work on the array of all entries.
#pragma once

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/sdk/entries.hpp>
#include <claros/sdk/stateless.hpp>

#include <cmath>
#include <span>
#include <vector>

namespace claros::sdk {

/// A compact convex set C with a linear oracle and a projection, both exact. Spans hold all entries,
/// column-major.
class ArraySet : public Component,
                 public LinearOracle,
                 public ProximalOracle,
                 public Membership,
                 public Start,
                 public Conjugate,
                 public Stateless {
 public:
  OracleInfo minimize(const Element& direction, const OracleRequest&, Element& vertex) final {
    fit(direction.shape());
    const std::span<const double> c = &direction == &vertex ? reader_.copy(direction) : reader_(direction);
    double value = corner(c, overwrite_dense(direction.shape(), vertex));
    if (value != 0.0 && std::abs(value) < kTiny) value = lifted_corner(c, vertex);
    if (!std::isfinite(value))
      throw Error(ErrorKind::numerical, "set",
                  "the direction holds a number that is not finite, or too large to be multiplied",
                  "look for a step that is too long, or for bad data");
    OracleInfo info;
    info.value = info.lower_bound = value;
    info.confirmed = true;
    return info;
  }

  Certificate apply(const Element& v, double, Element& x, const Accuracy&) final {
    fit(v.shape());
    const std::span<const double> from = &v == &x ? x.dense_values() : reader_(v);
    if (!all_finite(from))
      throw Error(ErrorKind::numerical, "set", "the point to project holds a number that is not finite",
                  "look for a step that is too long, or for bad data");
    project(from, overwrite_dense(v.shape(), x));
    return {};
  }

  double violation(const Element& x) final {
    fit(x.shape());
    return outside(reader_(x));
  }
  double value(const Element& x) final {
    const double out = violation(x);
    return std::isnan(out) ? out : out <= kRounding ? 0.0 : kInfinity;
  }

  Element start_point(const Shape& shape) override {
    fit(shape);
    return Element(shape);
  }

  double conjugate(const Element& s) final {
    fit(s.shape());
    return support(reader_(s));
  }
  double into_domain(const Element&) final { return 1.0; }

  void* ability(std::string_view id) noexcept final {
    return offer<LinearOracle, ProximalOracle, Membership, Start, Conjugate, State>(this, id);
  }

 protected:
  /// Writes a minimiser of <c, x> over C; returns <c, x>, not finite when an entry of c is not.
  virtual double corner(std::span<const double> c, std::span<double> x) = 0;
  /// argmin over C of ||x - v||, v finite; x may be v.
  virtual void project(std::span<const double> v, std::span<double> x) = 0;
  /// See Membership.
  virtual double outside(std::span<const double> x) = 0;
  /// max over C of <s, x>.
  virtual double support(std::span<const double> s) = 0;
  /// Told the shape of every argument before anything else is asked.
  virtual void fit(const Shape&) {}

 private:
  static constexpr double kTiny = 0x1p-900, kLift = 0x1p600;

  /// Numbers near the smallest ones have few digits, and their norms too; a factor moves no minimiser.
  double lifted_corner(std::span<const double> c, Element& vertex) {
    lifted_.assign(c.begin(), c.end());
    for (double& entry : lifted_) entry *= kLift;
    return corner(lifted_, vertex.dense_values()) / kLift;
  }

  DenseReader reader_;
  std::vector<double> lifted_;
};

/// norm(x) / radius - 1, at least 0; NaN of NaN: the order of max's arguments matters.
inline double ball_violation(double norm, double radius) { return std::max(norm / radius - 1.0, 0.0); }

}  // namespace claros::sdk
