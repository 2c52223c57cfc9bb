// SPDX-License-Identifier: BSD-3-Clause
/// @file recompression.hpp  When a sum of vertices is written in fewer columns, and at what loss.
#pragma once

#include <claros/abilities.hpp>
#include <claros/algorithm.hpp>
#include <claros/state/state.hpp>

#include <algorithm>

namespace claros::sdk {

/// Every step adds a column. They cost memory, and time if entries are read; below these numbers neither
/// matters. Beyond them the iterate is replaced by its singular value decomposition, and holds at most twice
/// the columns that its accuracy needs.
class Recompression {
 public:
  /// The cost that a tail may have, as a share of a gap.
  static constexpr double kShare = 1e-3;

  /// `asked` is the number of columns at which it begins; 0: found by itself.
  explicit Recompression(Index asked) : asked_(asked) {}

  void start(const Problem& problem, const Shape& shape) {
    auto* membership = problem.set ? query<Membership>(*problem.set) : nullptr;
    cuts_ = !(membership && membership->violation(Element(shape)) > kInside);
    radius_ = problem.linear_oracle ? 0.5 * problem.linear_oracle->diameter(problem.objective->shape()) : 0.0;
    fewest_ = asked_ ? asked_ : automatic_limit(shape, problem.estimator->exact());
    limit_ = fewest_;
  }

  /// True if a point of that many columns is to be shortened.
  bool is_due(Index columns) const noexcept { return columns > limit_; }
  /// Moving x by D changes f by at most ||g||_op ||D||_*, and <g, v> = -tau ||g||_op is the `minimum`. So a
  /// tail of kShare * gap / ||g||_op in nuclear norm costs at most kShare of the gap. The nuclear norm of x
  /// only falls. It would leave a set that does not hold 0 (one of a fixed trace), so there no tail is cut
  /// off. Returns true if x changed.
  bool operator()(Element& x, double gap, double minimum) { return within(x, tail(gap, minimum)); }
  /// Cuts off a tail that the caller knows to cost little, in nuclear norm.
  bool within(Element& x, double tail) {
    if (!is_due(x.columns())) return false;
    x.recompress(cuts_ ? tail : 0.0);
    limit_ = std::max(fewest_, 2 * x.columns());
    return true;
  }
  /// ... of two points of which one takes over the columns of the other: they are replaced together.
  bool operator()(Element& x, Element& y, double gap, double minimum) {
    if (std::max(x.columns(), y.columns()) <= limit_) return false;
    for (Element* one : {&x, &y}) one->recompress(tail(gap, minimum));
    limit_ = std::max(fewest_, 2 * (x.columns() + y.columns()));
    return true;
  }

  void state(StateVisitor& v) {
    v("columns limit", limit_);
    v.require(limit_ >= fewest_, "columns limit", "below the fewest");
  }

 private:
  static constexpr double kInside = 1e-9;

  double tail(double gap, double minimum) const {
    return cuts_ && minimum < 0 && gap > 0 ? kShare * gap * radius_ / -minimum : 0.0;
  }
  static Index automatic_limit(const Shape& shape, bool exact) {
    constexpr Index kForReading = 80, kFewest = 20, kFreeNumbers = 2'000'000;
    const Index side = std::max<Index>(kForReading, std::min(shape.rows, shape.cols));
    const Index free = std::max(kFewest, kFreeNumbers / std::max<Index>(1, shape.rows + shape.cols));
    return std::min({side, free, exact ? side : kForReading});
  }

  Index asked_, fewest_ = 0, limit_ = 0;
  double radius_ = 0.0;
  bool cuts_ = true;
};

}  // namespace claros::sdk
