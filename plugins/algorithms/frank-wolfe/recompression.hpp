// SPDX-License-Identifier: BSD-3-Clause
/// @file recompression.hpp  When the iterate of Frank-Wolfe is written in fewer columns, and at what loss.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/state/state.hpp>

#include <algorithm>

/// Every step adds a column. They cost memory, and time where entries are read; below these numbers neither is felt. Beyond
/// them the iterate is replaced by its singular value decomposition, and holds at most twice the columns that its accuracy needs.
class Recompression {
 public:
  /// `asked`: columns at which it begins; 0: found by itself.
  explicit Recompression(claros::Index asked) : asked_(asked) {}

  void start(const claros::Problem& problem, const claros::Shape& shape) {
    radius_ = 0.5 * problem.linear_oracle->diameter();
    fewest_ = asked_ ? asked_ : automatic_limit(shape, problem.estimator->exact());
    limit_ = fewest_;
  }

  /// Moving x by D in nuclear norm moves f by at most ||g||_op ||D||_*, and <g, v> = -tau ||g||_op is the `minimum`: a tail of
  /// kShare * gap / ||g||_op in nuclear norm costs at most kShare of the gap. The nuclear norm of x only falls. Whether x changed.
  bool operator()(claros::Element& x, double gap, double minimum) {
    if (x.columns() <= limit_) return false;
    constexpr double kShare = 1e-3;
    x.recompress(minimum < 0 && gap > 0 ? kShare * gap * radius_ / -minimum : 0.0);
    limit_ = std::max(fewest_, 2 * x.columns());
    return true;
  }

  void state(claros::StateVisitor& v) {
    v("columns limit", limit_);
    v.require(limit_ >= fewest_, "columns limit", "below the fewest");
  }

 private:
  static claros::Index automatic_limit(const claros::Shape& shape, bool exact) {
    using claros::Index;
    constexpr Index kForReading = 80, kFewest = 20, kFreeNumbers = 2'000'000;
    const Index side = std::max<Index>(kForReading, std::min(shape.rows, shape.cols));
    const Index free = std::max(kFewest, kFreeNumbers / std::max<Index>(1, shape.rows + shape.cols));
    return std::min({side, free, exact ? side : kForReading});
  }

  claros::Index asked_, fewest_ = 0, limit_ = 0;
  double radius_ = 0.0;
};
