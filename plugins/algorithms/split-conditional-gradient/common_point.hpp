// SPDX-License-Identifier: BSD-3-Clause
/// @file common_point.hpp  A point of an intersection, near points of its parts.
#pragma once

#include <claros/abilities.hpp>
#include <claros/sdk/entries.hpp>
#include <claros/state/state.hpp>

#include <algorithm>
#include <vector>

/// From a point a of C on, the segments to other points lead to points of C near these: C is convex.
class CommonPoint {
 public:
  /// The first of the candidates in C becomes a; none may be.
  void start(claros::Membership& set, const std::vector<claros::Element>& candidates) {
    set_ = &set;
    most_ = std::max(claros::sdk::kRounding, set.slack());
    known_ = false;
    from_ = claros::Element(candidates.front().shape());
    for (const claros::Element& x : candidates)
      if (learn(x)) return;
  }

  /// True if an a is known.
  bool is_known() const noexcept { return known_; }
  /// Takes x as a, if x lies in C.
  bool learn(const claros::Element& x) {
    if (!holds(x)) return false;
    from_ = x;
    known_ = true;
    from_.drop_images();
    return true;
  }

  /// The point of C on a segment from a to an x of the list that is nearest to the segment's end, as a share
  /// of the segment. It is the end itself if that lies in C. Without an a: the first x if none lies in C.
  claros::Element nearest(const std::vector<const claros::Element*>& list, bool& inside) const {
    double best = -1.0;
    claros::Element point;
    for (const claros::Element* x : list) {
      if (best == 1.0) break;
      const double share = longest(*x, best);
      if (share > best) best = share, point = known_ ? between(*x, share) : *x;
    }
    inside = known_ || best == 1.0;
    return point;
  }

  void state(claros::StateVisitor& v) {
    v("known", known_);
    v("from", from_);
  }

 private:
  /// Halvings of a segment.
  static constexpr int kHalvings = 40;

  bool holds(const claros::Element& x) const { return set_->violation(x) <= most_; }
  claros::Element between(const claros::Element& x, double share) const {
    if (share == 1.0) return x;
    claros::Element point = from_;
    point.scale(1.0 - share);
    point.add(share, x);
    point.drop_images();
    return point;
  }
  /// The share of the segment to x that lies in C, where it is more than `least`; 0 without an a.
  double longest(const claros::Element& x, double least) const {
    if (holds(x)) return 1.0;
    if (!known_ || (least > 0.0 && !holds(between(x, least)))) return 0.0;
    double low = std::max(least, 0.0), high = 1.0;
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = 0.5 * (low + high);
      (holds(between(x, middle)) ? low : high) = middle;
    }
    return low;
  }

  claros::Membership* set_ = nullptr;
  double most_ = 0.0;
  bool known_ = false;
  claros::Element from_;
};
