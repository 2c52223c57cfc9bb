// SPDX-License-Identifier: BSD-3-Clause
/// @file certified_program.hpp  Linear minimisation over a program by COIN-OR's Clp, with proved bounds.
#pragma once

#include "program.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace polytope {

/// Bounds of the variables, within those of the program.
struct Box {
  std::vector<double> low, high;
};

/// Solves one program for many costs. Every solve begins at one feasible basis, found at first. So a result
/// depends on its costs alone, whatever was solved before, and needs no first phase.
///
/// Clp ends at reduced costs of 1e-9 of the largest cost, which is not small if costs cancel over the set.
/// The rest is computed from the multipliers, scaled up and solved again, until value and bound agree to
/// rounding. This is iterative refinement of the dual (Gleixner, Steffy, Wolter: Iterative refinement for
/// linear programming, INFORMS J. Comput. 28, 2016).
class CertifiedProgram {
 public:
  /// Throws Error(data) at `where` for a program that has no point, or whose variables have no bound.
  CertifiedProgram(Program program, const std::string& where);
  ~CertifiedProgram();
  CertifiedProgram(const CertifiedProgram&) = delete;
  CertifiedProgram& operator=(const CertifiedProgram&) = delete;

  const Program& program() const noexcept { return program_; }
  /// x <- a corner with the least <c, x>, c finite. Throws Error(numerical) if Clp does not come to an
  /// end.
  void minimize(std::span<const double> c, std::span<double> x);
  enum class End {
    solved,
    empty,   ///< no point of the program lies in the box: multipliers of the rows prove it
    unknown  ///< Clp says so, or nothing, and there is no proof
  };
  /// Minimises over the points of the program that lie in the box; `bound` is then theirs.
  End minimize(std::span<const double> c, const Box& box, std::span<double> x);
  /// A lower bound of <c, x> over the program for the last costs. By weak duality, for any multipliers y of
  /// the rows and d = c - A'y,
  ///     <c, x> >= sum_i min{y_i r : least_i <= r <= most_i} + sum_j min{d_j t : low_j <= t <= high_j},
  /// rounded downwards by a running error bound. The box is that of the program, or the computed one if the
  /// program has no bound.
  double bound() const noexcept { return bound_; }
  /// The bounds of the program; the computed ones if it has none.
  const Box& box() const noexcept { return box_; }
  /// max over x of x_j - min over x of x_j.
  double width(std::size_t j) const noexcept { return widths_[j]; }
  /// The largest magnitude of a coordinate of the program's points; 1 if there is only 0.
  double size() const noexcept { return size_; }
  /// How far x lies outside: the largest excess over a bound, over the size of the program's points.
  double outside(std::span<const double> x) const;

 private:
  void bound_all(const std::string& where);
  double dual_bound(std::span<const double> c, const Box& box, std::vector<long double>& y,
                    std::vector<long double>& d) const;
  double violation(std::span<const double> x, const Box& box, const std::vector<long double>& y,
                   const std::vector<long double>& d) const;
  bool is_empty(const Box& box, const double* ray) const;
  std::vector<double> activities(std::span<const double> x) const;

  Program program_;
  std::vector<double> widths_;
  Box given_, box_;  ///< of the program; computed if it has none
  double bound_ = 0.0;
  double size_ = 1.0;
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace polytope
