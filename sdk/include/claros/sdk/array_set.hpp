// SPDX-License-Identifier: BSD-3-Clause
/// @file array_set.hpp  Base of convex sets that work on the array of all entries.
#pragma once

#include <claros/proximal_oracle.hpp>
#include <claros/sdk/oracle_set.hpp>

#include <cmath>
#include <span>

namespace claros::sdk {

/// A compact convex set C with a linear oracle and a projection, both exact. Spans hold all entries, column-major. A derived class
/// writes `project` beside what an OracleSet writes.
class ArraySet : public OracleSet, public ProximalOracle {
 public:
  Certificate apply(const Element& v, double, Element& x, const Accuracy&) final {
    const std::span<const double> from = &v == &x ? (fit(v.shape()), x.dense_values()) : read(v);
    if (!all_finite(from))
      throw Error(ErrorKind::numerical, "set", "the point to project holds a number that is not finite",
                  "look for a step that is too long, or for bad data");
    project(from, overwrite_dense(v.shape(), x));
    return {};
  }

  double value(const Element& x) final {
    const double out = violation(x);
    return std::isnan(out) ? out : out <= kRounding ? 0.0 : kInfinity;
  }

  void* ability(std::string_view id) noexcept override {
    void* own = offer<ProximalOracle>(this, id);
    return own ? own : OracleSet::ability(id);
  }

 protected:
  /// argmin over C of ||x - v||, v finite; x may be v.
  virtual void project(std::span<const double> v, std::span<double> x) = 0;
};

}  // namespace claros::sdk
