// SPDX-License-Identifier: BSD-3-Clause
/// @file step_rule.hpp  Step rules shared by all algorithms.
#pragma once

#include <claros/element.hpp>
#include <claros/objective.hpp>
#include <claros/parameters.hpp>

#include <functional>

namespace claros {

/// Parameters of a step rule; include the rows of `step_rows()` in an algorithm's table.
struct CLAROS_API StepOptions {
  std::string step = "auto";
  double weight = 0.0;      ///< constant; 0: not given
  double eta = 0.0;         ///< normalized; 0: not given
  double offset = 2.0;      ///< l of l/(t+l)
  double scale = 1.0;       ///< c of c/t and of c/sqrt(t)
  double smoothness = 0.0;  ///< L for the short step; 0: from the objective
};
CLAROS_API const std::vector<ParameterRow<StepOptions>>& step_rows();

/// Where the step is taken: from x_t towards v, along d = v - x. `slope` = <g, x - v> on the gradient or its estimate.
struct StepQuery {
  Index t = 0;              ///< counts from 0
  double slope = 0.0;
  double diameter = 0.0;
  const Element* x = nullptr;
  const Element* v = nullptr;
  Objective* objective = nullptr;
  std::function<double()> squared_distance;  ///< ||v - x||^2, called by the rules that need it
};

/// Weights gamma_t in [0, 1] of x <- x + gamma (v - x):
///   constant      weight
///   normalized    eta / D                                              (Shen et al. 2019, Algorithm 1)
///   theory        the same, with the eta that the algorithm's theory gives (set_eta)
///   agnostic      l / (t + l), l = 2                                   (Jaggi 2013, Algorithm 1, with t from 0)
///   inverse-sqrt  c / sqrt(t + 1)
///   inverse       c / (t + 1)
///   short         min(1, <g, x-v> / (L ||x-v||^2))                     (Demyanov, Rubinov 1970)
///   line-search   argmin of f(x + gamma d), exact when f is quadratic along d, else by safeguarded secant steps on
///                 the derivative
///   adaptive      backtracking on a local L                            (Pedregosa et al. 2020, Algorithm 2)
///   auto          constant when a weight is given, normalized when eta is, else agnostic
class CLAROS_API StepRule {
 public:
  /// Throws Error(usage) when the rule lacks a number that it needs.
  explicit StepRule(const StepOptions& options);
  const std::string& name() const noexcept { return name_; }
  /// Whether the rule calls `squared_distance`.
  bool uses_distance() const noexcept { return name_ == "short" || name_ == "adaptive"; }
  /// To be called before the first step: forgets the state. Throws Error(usage) when f lacks a number that the rule needs.
  void start(const Objective& f);
  double weight(const StepQuery& query);

  /// eta of `theory`, after `start`.
  void set_eta(double eta) noexcept { options_.eta = eta; }

  /// The local smoothness that `adaptive` has reached: its only state.
  double local_smoothness() const noexcept { return local_; }
  void set_local_smoothness(double value) noexcept { local_ = value; }

 private:
  double smoothness(const Objective& f) const;
  double short_step(const StepQuery& query) const;
  double line_search(const StepQuery& query) const;
  double adaptive(const StepQuery& query);

  StepOptions options_;
  std::string name_;
  double local_ = 0.0;
};

}  // namespace claros
