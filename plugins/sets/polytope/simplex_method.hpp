// SPDX-License-Identifier: BSD-3-Clause
/// @file simplex_method.hpp  Linear minimisation over a program, by COIN-OR's Clp.
#pragma once

#include "program.hpp"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace polytope {

/// Solves one program for many costs. Every solve begins at one feasible basis, found at first: an answer depends on its costs alone, whatever
/// was asked before, and needs no first phase.
class SimplexMethod {
 public:
  /// Throws Error(data) at `where` for a program that has no point, or whose variables have no bound.
  SimplexMethod(Program program, const std::string& where);
  ~SimplexMethod();
  SimplexMethod(const SimplexMethod&) = delete;
  SimplexMethod& operator=(const SimplexMethod&) = delete;

  const Program& program() const noexcept { return program_; }
  /// x <- a corner with the least <c, x>, c finite. Throws Error(numerical) where Clp does not come to an end.
  void minimize(std::span<const double> c, std::span<double> x);
  /// max over x of x_j - min over x of x_j.
  double width(std::size_t j) const noexcept { return widths_[j]; }
  /// Of the program's points: the largest magnitude of a coordinate; 1 where there is only 0.
  double size() const noexcept { return size_; }
  /// How far x lies outside: the largest excess over a bound, over the size of the program's points.
  double outside(std::span<const double> x) const;

 private:
  void bound_all(const std::string& where);

  Program program_;
  std::vector<double> widths_;
  double size_ = 1.0;
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace polytope
