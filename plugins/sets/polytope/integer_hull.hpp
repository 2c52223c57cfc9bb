// SPDX-License-Identifier: BSD-3-Clause
/// @file integer_hull.hpp  Linear minimisation over the points of a program that are integers.
#pragma once

#include "certified_program.hpp"

#include <shared/sets/nearest_point.hpp>

#include <span>
#include <string>
#include <vector>

namespace polytope {

/// The convex hull of the points of a program some of whose variables are integers. Branch and bound (Land,
/// Doig 1960) minimises a linear function. It solves the program without integers over boxes; a variable that
/// is not an integer in a box's corner makes two boxes. The search goes depth first, to the nearer side,
/// until a box is closed, then on from the open one of least bound. Bounds are those of multipliers
/// (certified_program.hpp), and a box counts as empty only if they prove it: Clp's tolerances make the bound
/// lower, not wrong.
class IntegerHull {
 public:
  /// `integer`: of each variable. `linear` outlives it. Throws Error(data) at `where` where no point of the
  /// program is one of integers.
  IntegerHull(CertifiedProgram& linear, std::vector<char> integer, const std::string& where);
  /// x <- an integer point with the least <c, x>. Polls Interruption.
  void minimize(std::span<const double> c, std::span<double> x);
  /// A proved lower bound of <c, x> for the last costs.
  double bound() const noexcept { return bound_; }
  /// True if the variables that must be are integers, to the last bit: then a point of the program is one of
  /// the hull.
  bool is_integer(std::span<const double> x) const;
  /// The distance from v to the hull, with a bound on the error of the nearest point x; x may be v.
  double nearest(std::span<const double> v, std::span<double> x);
  /// The distance from v to the hull; 0 if it is at most `rounding`. Points that runs ask about are
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

  CertifiedProgram& linear_;
  std::vector<char> integer_;
  Box root_;
  std::vector<double> best_;
  double least_ = 0.0, bound_ = 0.0;
  std::vector<std::vector<double>> found_;  ///< the last minimisers, each once
  std::size_t oldest_ = 0;
  claros::sdk::NearestPoint nearest_;
};

}  // namespace polytope
