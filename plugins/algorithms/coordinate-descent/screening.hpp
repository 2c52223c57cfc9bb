// SPDX-License-Identifier: BSD-3-Clause
/// @file screening.hpp  Blocks that are 0 at every minimum, from a duality gap.
#pragma once

#include <claros/abilities.hpp>
#include <claros/algorithm.hpp>

#include <cmath>
#include <span>
#include <vector>

/// Gap-safe screening (Ndiaye, Fercoq, Gramfort, Salmon: JMLR 2017). With phi'' <= D the dual objective is
/// strongly concave: a dual point c of gap G has (c - c*)' D^{-1} (c - c*) <= 2 G. So s_b = -A_b' c is within
/// r_b = sqrt(2 G L_b) of s_b*, L_b the largest eigenvalue of A_b' D A_b. Now x_b* = 0 if the subdifferential
/// of h_b at 0, which is convex, contains that ball. It does if it contains the points s_b +- r_b sqrt(m)
/// e_k, m the size of the block. That is so if prox_{h_b} maps them to 0.
class Screening {
 public:
  /// Starts a problem. Screening needs a gap: h must be convex with a conjugate, and f certified without free
  /// coordinates.
  void start(const claros::Problem& problem) {
    problem_ = &problem;
    certified_ = claros::query<claros::Certified>(*problem.objective);
    const bool fits = certified_ && problem.conjugate && problem.separable &&
                      problem.penalty->weak_convexity() == 0.0 &&
                      !claros::query<claros::FreeTail>(*problem.objective);
    if (!fits) certified_ = nullptr;
  }
  bool works() const noexcept { return certified_ != nullptr; }

  /// Computes the gap at x, and the dual point that it belongs to.
  void look(const claros::Element& x) {
    using namespace claros;
    Element g(x.shape());
    problem_->objective->add_gradient(x, Batch::all(), -1.0, g);
    const double a = problem_->conjugate->into_domain(g);
    gap_ = problem_->objective->value(x) + problem_->penalty->value(x) -
           certified_->lower_bound(x, *problem_->conjugate);
    s_ = g.to_dense();
    for (double& value : s_) value *= a;
  }

  /// True if a block with the coordinates `members` is 0 at every minimum; `curvature` is L_b.
  bool rests(claros::Index block, std::span<const claros::Index> members, double curvature,
             const claros::BlockStep& step) {
    if (!(gap_ >= 0.0 && std::isfinite(gap_))) return false;
    const double reach = std::sqrt(2.0 * gap_ * curvature * static_cast<double>(members.size()));
    at_.clear();
    for (const claros::Index j : members) at_.push_back(s_[claros::at(j)]);
    to_.resize(at_.size());
    for (std::size_t k = 0; k < at_.size(); ++k)
      for (const double sign : {1.0, -1.0}) {
        const double here = at_[k];
        at_[k] = here + sign * reach;
        step(block, at_.data(), 1.0, to_.data());
        at_[k] = here;
        for (const double value : to_)
          if (value != 0.0) return false;
      }
    return true;
  }

 private:
  const claros::Problem* problem_ = nullptr;
  claros::Certified* certified_ = nullptr;
  double gap_ = 0.0;
  std::vector<double> s_, at_, to_;
};
