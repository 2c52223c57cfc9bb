// SPDX-License-Identifier: BSD-3-Clause
/// @file array_set.hpp  Base of convex sets that work on the array of all entries.
#pragma once

#include <claros/proximal_oracle.hpp>
#include <claros/sdk/oracle_set.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace claros::sdk {

/// A compact convex set C with a linear oracle and a projection, both exact. Spans hold all entries,
/// column-major. A derived class writes `project` beside what an OracleSet writes; one that iterates is an
/// IteratedSet.
class ArraySet : public OracleSet, public ProximalOracle {
 public:
  Certificate apply(const Element& v, double, Element& x, const Accuracy& accuracy) final {
    const std::span<const double> from = &v == &x ? (fit(v.shape()), x.dense_values()) : read(v);
    if (!all_finite(from))
      throw Error(ErrorKind::numerical, "", "the point to project holds a number that is not finite",
                  "check for a step that is too long, or for bad data");
    return certified(from, accuracy, overwrite_dense(v.shape(), x));
  }

  double value(const Element& x) final {
    const double out = violation(x);
    return std::isnan(out) ? out : out <= std::max(kRounding, slack()) ? 0.0 : kInfinity;
  }

  void* ability(std::string_view id) noexcept override {
    void* own = offer<ProximalOracle>(this, id);
    return own ? own : OracleSet::ability(id);
  }

 protected:
  /// argmin over C of ||x - v||, v finite; x may be v.
  virtual void project(std::span<const double> v, std::span<double> x) = 0;

 private:
  virtual Certificate certified(std::span<const double> v, const Accuracy&, std::span<double> x) {
    project(v, x);
    return {};
  }
};

/// One whose projection is iterated: a derived class writes `approach` in the place of `project`, and says
/// how near it came.
class IteratedSet : public ArraySet {
 protected:
  /// Projects like `project`, to `accuracy.tolerance`, and returns what is known of the result.
  virtual Certificate approach(std::span<const double> v, const Accuracy& accuracy, std::span<double> x) = 0;
  /// The certificate that follows from a bound on the distance to the exact result x at that accuracy.
  static Certificate within(double error, const Accuracy& accuracy, std::span<const double> x) {
    Certificate c;
    c.exact = error <= accuracy.tolerance * euclidean_norm(x);
    c.error = error;
    return c;
  }

 private:
  void project(std::span<const double> v, std::span<double> x) final { (void)approach(v, {}, x); }
  Certificate certified(std::span<const double> v, const Accuracy& accuracy, std::span<double> x) final {
    return approach(v, accuracy, x);
  }
};

}  // namespace claros::sdk
