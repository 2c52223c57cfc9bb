// SPDX-License-Identifier: BSD-3-Clause
/// @file integer_hull.hpp  Linear minimisation over the points of a program that are integers.
#pragma once

#include "simplex_method.hpp"

#include <claros/sdk/sets/nearest_point.hpp>

#include <span>
#include <string>
#include <vector>

namespace polytope {

/// The convex hull of the points of a program some of whose variables are integers. A linear function is
/// minimised by branch and bound (Land, Doig 1960): the program without integers, over boxes, of which a
/// variable that is not an integer in its corner makes two. Depth first, to the nearer side, until a box is
/// closed; then on from the open one of least bound. Bounds are those of multipliers (simplex_method.hpp),
/// and a box is taken to be empty only where they prove it: what Clp's tolerances hide makes the bound lower,
/// not wrong.
class IntegerHull {
 public:
  /// `integer`: of each variable. `linear` outlives it. Throws Error(data) at `where` where no point of the
  /// program is one of integers.
  IntegerHull(SimplexMethod& linear, std::vector<char> integer, const std::string& where);
  /// x <- an integer point with the least <c, x>. Polls Interruption.
  void minimize(std::span<const double> c, std::span<double> x);
  /// Of the last costs: a number that <c, x> is proved not to lie below.
  double bound() const noexcept { return bound_; }
  /// Whether the variables that must be are integers, to the last bit: then a point of the program is one of
  /// the hull.
  bool is_integer(std::span<const double> x) const;
  /// The distance from v to the hull, with a bound on the error of the nearest point x; x may be v.
  double nearest(std::span<const double> v, std::span<double> x);
  /// The distance from v to the hull; 0 where it is at most `rounding`. Points that runs ask about are
  /// mixtures of minimisers that were found before: these are tried first.
  double distance(std::span<const double> v, double rounding);
  double error() const { return nearest_.error(); }

 private:
  struct Open {
    Box box;
    double bound;
  };
  bool solve(std::span<const double> c, std::span<double> x);
  /// The variable that is farthest from an integer; the number of variables where all are integers.
  std::size_t split(std::span<const double> x) const;
  bool settle(std::span<const double> c, const Box& box, std::span<const double> corner);
  double size() const;
  void keep(std::span<const double> x);

  SimplexMethod& linear_;
  std::vector<char> integer_;
  Box root_;
  std::vector<double> best_;
  double least_ = 0.0, bound_ = 0.0;
  std::vector<std::vector<double>> found_;  ///< the last minimisers, each once
  std::size_t oldest_ = 0;
  claros::sdk::NearestPoint nearest_;
};

}  // namespace polytope
