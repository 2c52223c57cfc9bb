// SPDX-License-Identifier: BSD-3-Clause
/// @file oracle_set.hpp  Base of compact convex sets that answer with their corners.
#pragma once

#include <claros/abilities.hpp>
#include <claros/error.hpp>
#include <claros/linear_oracle.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/sdk/entries.hpp>
#include <claros/sdk/stateless.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace claros::sdk {

/// A compact convex set C with an exact linear oracle, which is all that Frank-Wolfe needs (Jaggi 2013).
/// Spans hold all entries of the variable, column-major. A derived class writes `corner`, `outside` and
/// `diameter`; one with a projection is an ArraySet.
class OracleSet : public Component,
                  public LinearOracle,
                  public Membership,
                  public Start,
                  public Conjugate,
                  public Stateless {
 public:
  /// The corner that belongs to the direction, with <c, v> as it is. Throws Error(numerical) if that is
  /// not finite.
  OracleInfo minimize(const Element& direction, const OracleRequest&, Element& vertex) final {
    fit(direction.shape());
    const std::span<const double> c = &direction == &vertex ? reader_.copy(direction) : reader_(direction);
    OracleInfo info;
    const Least found = least(c, overwrite_dense(direction.shape(), vertex));
    info.value = found.value;
    info.lower_bound = found.bound;
    info.confirmed = true;
    if (!std::isfinite(info.value))
      throw Error(ErrorKind::numerical, "",
                  "the direction holds a number that is not finite, or too large to be multiplied",
                  "check for a step that is too long, or for bad data");
    return info;
  }

  double violation(const Element& x) final {
    const std::span<const double> entries = read(x);
    return all_finite(entries) ? outside(entries) : sum_of_magnitudes(entries);
  }

  /// 0 if it lies in C, else a corner. A point inside that is known is better: it treats all entries
  /// alike.
  Element start_point(const Shape& shape) override {
    fit(shape);
    Element x(shape);
    const std::vector<double> zero(static_cast<std::size_t>(shape.size()), 0.0);
    if (!(outside(zero) <= kRounding)) corner(zero, overwrite_dense(shape, x));
    return x;
  }

  /// max over C of <s, x>, at most; NaN if s is not finite.
  double conjugate(const Element& s) final {
    const std::span<const double> entries = read(s);
    opposite_.resize(entries.size());
    map_entries(entries, opposite_, [](double entry) { return -entry; });
    corner_.resize(entries.size());
    return -least(opposite_, corner_).bound;
  }
  double into_domain(const Element&) final { return 1.0; }

  void* ability(std::string_view id) noexcept override {
    return offer<LinearOracle, Membership, Start, Conjugate, State>(this, id);
  }

 protected:
  /// Writes a minimiser of <c, x> over C; of c = 0, any point of C. c is finite; x is not c.
  virtual void corner(std::span<const double> c, std::span<double> x) = 0;
  /// A proved lower bound of min over C of <c, x>, up to the rounding of <c, x>. Here x is the corner for c,
  /// of that value. If corners are exact the bound is the value itself; a set that iterates says what it
  /// proved.
  virtual double bound(std::span<const double> /*c*/, std::span<const double> /*x*/, double value) {
    return value;
  }
  /// How far x lies outside, relative to the size of C: 0 inside, 0.1 if it has to shrink by a tenth. x is
  /// finite.
  virtual double outside(std::span<const double> x) = 0;
  /// Gets the shape of every argument before any other call.
  virtual void fit(const Shape&) {}

  /// The entries of an argument, until the next call.
  std::span<const double> read(const Element& x) {
    fit(x.shape());
    return reader_(x);
  }

 private:
  static constexpr double kTiny = 0x1p-900, kLift = 0x1p600;

  struct Least {
    double value = std::numeric_limits<double>::quiet_NaN(), bound = value;
  };

  /// min over C of <c, x>, with the corner in x; NaN, and no corner, if c is not finite. Numbers near the
  /// smallest ones have few digits, and their norms too: a factor moves no minimiser.
  Least least(std::span<const double> c, std::span<double> x) {
    if (!all_finite(c)) return {};
    corner(c, x);
    const double value = dot(c, x), size = std::abs(value) < kTiny ? largest_magnitude(c) : 0.0;
    if (size == 0.0 || size >= kTiny) return {value, std::min(value, bound(c, x, value))};
    lifted_.assign(c.begin(), c.end());
    for (double& entry : lifted_) entry *= kLift;
    corner(lifted_, x);
    const double lifted = dot(lifted_, x);
    return {lifted / kLift, std::min(lifted, bound(lifted_, x, lifted)) / kLift};
  }

  DenseReader reader_;
  std::vector<double> lifted_, opposite_, corner_;
};

/// norm(x) / radius - 1, at least 0; NaN of NaN: the order of max's arguments matters.
inline double ball_violation(double norm, double radius) { return std::max(norm / radius - 1.0, 0.0); }

}  // namespace claros::sdk
