// SPDX-License-Identifier: BSD-3-Clause
/// @file oracle_tolerance.hpp  How exactly steps ask a linear oracle.
#pragma once

#include <claros/linear_oracle.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <cmath>

namespace claros::sdk {

/// Linear minimisations at a tolerance that follows the Frank-Wolfe gap. It is an option, or the gap over
/// |min <g, u>| if that is less. Near a multiple of the identity, many singular values are nearly the
/// largest, and a loose oracle returns any of their vectors. If its own error bound exceeds the gap, that gap
/// may be far too small, and steps that trust it make no progress. The next step then asks more exactly, so
/// that a step stays one minimisation. Errors in proportion to the gap keep the rate. (Jaggi 2013, section
/// 3.)
class OracleTolerance {
 public:
  explicit OracleTolerance(double most) : most_(most), now_(most) {}
  void start() { now_ = most_; }
  double now() const noexcept { return now_; }
  /// One minimisation as it is.
  OracleInfo once(LinearOracle& oracle, const Element& g, Element& v) const {
    return oracle.minimize(g, {now_, false}, v);
  }

  /// `at_x`: <g, x> for the exact gradient g at x. Asks again while the answer's error exceeds the gap.
  OracleInfo minimize(LinearOracle& oracle, const Element& g, double at_x, Element& v) {
    OracleInfo info = follow(oracle, g, at_x, v);
    while (is_doubtful_) info = follow(oracle, g, at_x, v);
    return info;
  }
  /// Asks once. After a doubtful answer the next step asks more exactly.
  OracleInfo follow(LinearOracle& oracle, const Element& g, double at_x, Element& v) {
    const OracleInfo info = once(oracle, g, v);
    const double gap = std::max(at_x - info.value, 0.0), size = std::abs(info.value),
                 error = info.value - info.lower_bound;
    is_doubtful_ = std::isfinite(error) && error > gap && now_ > kTightest;
    const double share = size > 0.0 ? gap / size : 0.0;
    if (is_doubtful_)
      now_ = std::max(kTightest, std::clamp(share, kStep * now_, 0.5 * now_));
    else if (std::isfinite(error) && error > 0.0)
      now_ = std::clamp(share, std::min(kTightest, most_), most_);
    return info;
  }

  void state(StateVisitor& v) {
    v("oracle tolerance", now_);
    v.require(now_ > 0.0 && now_ <= most_, "oracle tolerance", "out of range");
  }

 private:
  static constexpr double kTightest = 1e-10, kStep = 0.1;

  double most_, now_;
  bool is_doubtful_ = false;
};

}  // namespace claros::sdk
