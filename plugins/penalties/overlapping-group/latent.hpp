// SPDX-License-Identifier: BSD-3-Clause
/// @file latent.hpp  The latent group norm and its proximal step, by Newton's method on one number a group.
#pragma once

#include <claros/interruption.hpp>
#include <claros/sdk/entries.hpp>
#include <shared/sets/groups.hpp>

#include <Eigen/Dense>

#include <cmath>
#include <span>
#include <vector>

namespace overlapping_group {

/// Omega(x) = min sum_g w_g ||z_g||_2 over z with sum_g z_g = x, z_g = 0 outside group g. At the minimum z_g
/// = nu_g s on g with one s of ||s_g|| <= w_g, and equality if nu_g > 0. Let n_j be the sum of nu_g over the
/// groups that hold j, and r the bounds of ||s_g||. Both problems are one:
///     min over nu >= 0 of F = 1/2 sum_j v_j^2 / (c + n_j) + 1/2 sum_g r_g^2 nu_g,   s_j = v_j / (c + n_j).
/// For c = 0 and r = w, v is x, and Omega(x) is the minimum. For c = 1 and r = t w, v - s is the step of t
/// Omega at v. (Obozinski, Jacob, Vert 2011; Villa, Rosasco, Mosci, Verri 2014.)
///
/// F is convex and smooth. It is minimised by a projected Newton method (Bertsekas 1982) on the groups that
/// can be other than 0. With c = 1 these are those of ||v_g|| > r_g. Every nu proves its accuracy: a s, with
/// the largest a <= 1 for which ||a s_g|| <= r_g, is a point of the dual.
class Latent {
 public:
  /// v finite.
  void solve(const claros::sdk::Groups& groups, std::span<const double> v, double t, bool step,
             double tolerance);
  /// Writes the result of `step`: x_j = v_j n_j / (1 + n_j), in the units of v; x may be v.
  void write(std::span<const double> v, std::span<double> x) const;
  /// A bound on the distance of that result of `step` to the exact one.
  double error() const { return unit_ * std::sqrt(2.0 * gap_); }
  /// Otherwise: sum_g w_g ||z_g||, at least Omega(x), and at most gap() more.
  double value() const { return unit_ * sum_; }
  double gap() const { return unit_ * gap_; }

 private:
  using Vector = Eigen::VectorXd;
  struct Group {
    double r;
    std::vector<std::int32_t> entries;  ///< of v_
  };
  /// The quantities that belong to some nu.
  struct State {
    Vector nu, slope, length;  ///< per group: nu, dF/dnu, ||s_g||
    std::vector<double> n;     ///< per entry: n_j
    double F = 0.0,
           left = 0.0;  ///< left: the norm of the slope, without entries held at nu = 0
  };

  void collect(const claros::sdk::Groups& groups, std::span<const double> v, double t);
  void evaluate(State& at) const;
  void measure(const State& at);
  Vector direction(const State& at) const;
  bool advance(State& at, State& next) const;
  double square(std::size_t j) const { return v_[j] * v_[j]; }

  double c_ = 0.0, unit_ = 1.0, gap_ = 0.0, sum_ = 0.0, size_ = 0.0;
  std::vector<Group> groups_;
  std::vector<double> v_;                          ///< entries of the groups in question, over `unit_`
  std::vector<std::int32_t> where_;                ///< in the variable
  std::vector<std::int32_t> place_;                ///< of an entry of the variable in v_; -1
  std::vector<std::vector<std::int32_t>> around_;  ///< of each entry: its groups
  State now_;
};

}  // namespace overlapping_group
