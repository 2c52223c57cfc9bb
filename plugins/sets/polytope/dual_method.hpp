// SPDX-License-Identifier: BSD-3-Clause
/// @file dual_method.hpp  The point of a program's constraints that is nearest to another.
#pragma once

#include "program.hpp"

#include <Eigen/Dense>

#include <span>
#include <vector>

namespace polytope {

/// argmin ||x - v|| over the constraints, written a_i' x >= b_i with ||a_i|| = 1, by the dual active-set
/// method of Goldfarb and Idnani (1983). The point x is always the nearest point for the constraints that are
/// held, whose multipliers are not negative. The constraint that x violates most is added; those whose
/// multipliers would become negative on the way are dropped. The normals that are held are kept as Q R. In
/// the end x is computed anew from the held constraints.
class DualMethod {
 public:
  /// `size`: a length of the order of the program's points. It has a point.
  DualMethod(const Program& program, double size);
  /// x, and a bound on its distance to the exact answer; x may be v. v is finite, with squares that are.
  double operator()(std::span<const double> v, std::span<double> x);

 private:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;
  struct Constraint {
    Index row;  ///< of the normals
    double sign, bound;
    bool equation;
  };
  struct Entry {
    Index column;
    double value;
  };

  void add_row(std::vector<Entry> entries, double least, double most);
  double product(Index row, const Vector& x) const;
  double missing(const Constraint& c, const Vector& x) const { return c.bound - c.sign * product(c.row, x); }
  Vector normal(const Constraint& c) const;
  bool is_met(std::size_t i) const;
  std::size_t most_violated(double& by) const;
  bool take_in(std::size_t p);
  void hold(std::size_t p, double multiplier, const Vector& d);
  void let_go(Index place);
  void renew(const Vector& v);
  double error(const Vector& v) const;

  Index columns_;
  double size_;
  std::vector<std::vector<Entry>> rows_;
  std::vector<Constraint> constraints_;
  // The state of one projection: the held constraints, and their normals Q R in the first columns of Q.
  Vector x_;
  std::vector<std::size_t> held_;
  std::vector<double> multipliers_;
  std::vector<bool> is_held_;
  Matrix Q_, R_;
};

}  // namespace polytope
