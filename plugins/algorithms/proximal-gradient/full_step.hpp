// SPDX-License-Identifier: BSD-3-Clause
/// @file full_step.hpp  Steps of the full gradient, with momentum or without, of a given length or of their
/// own.
#pragma once

#include "factored_products.hpp"
#include "step_search.hpp"

#include <claros/element/element.hpp>
#include <claros/objective.hpp>
#include <claros/state/state.hpp>

#include <functional>
#include <optional>

/// FISTA (Beck, Teboulle 2009, section 4, with constant or found step size), k = 1, 2, ...:
///   x_k         = p(y_k) = prox_{s h}(y_k - s grad f(y_k)),                            (4.1)
///   theta_{k+1} = (1 + sqrt(1 + 4 theta_k^2)) / 2,                                      (4.2)
///   y_{k+1}     = x_k + ((theta_k - 1) / theta_{k+1}) (x_k - x_{k-1}),                  (4.3)
/// restarted from theta = 1 when the step turns against the gradient (O'Donoghue, Candes 2015). Without
/// momentum ISTA, y_{k+1} = x_k. Where f is not convex, a step with momentum that does not lower F = f + h by
/// 1e-4 ||x_k - y_k||^2 / s is taken back, and the next one is a plain step from x_{k-1}: F falls, and every
/// limit point is stationary (Li, Lin: Accelerated proximal gradient methods for nonconvex programming, NIPS
/// 2015, the nonmonotone rule with eta = 0). Lengths of its own are StepSearch's. Where f has a domain
/// (Domain), a step that leaves it is halved, and momentum that would leave it starts anew.
class FullStep {
 public:
  /// to <- prox_{s h}(at - s g)
  using Proximal =
      std::function<void(const claros::Element& at, const claros::Element& g, double s, claros::Element& to)>;
  using Gradient = std::function<const claros::Element&(const claros::Element& at)>;
  using Value = std::function<double(const claros::Element& at)>;

  /// `first`, `guess`: of StepSearch. `falling`: F, where steps have to lower it; else empty.
  void start(claros::Objective& f, const claros::Element& x0, bool momentum, double first, bool guess,
             Value falling);
  /// One gradient and one step; its length, `given` or its own.
  double step(std::optional<double> given, const Gradient& gradient, const Proximal& proximal);

  /// x_k; of a length of its own not judged yet.
  const claros::Element& point() const noexcept { return x_; }
  /// y_k, where the gradient was made.
  const claros::Element& gradient_at() const noexcept { return y_; }

  void state(claros::StateVisitor& v);

 private:
  void make(double s, const Proximal& proximal);
  double stay_in_domain(double s, bool given, const Proximal& proximal);
  void extrapolate();
  bool falls(double s);
  void take_back();

  claros::Objective* f_ = nullptr;
  StepSearch search_;
  FactoredProducts products_;
  claros::Element x_, before_;    ///< x_k, x_{k-1}
  claros::Element y_, g_, next_;  ///< y_k, the gradient there, y_{k+1}
  double beta_ = 0.0, theta_ = 1.0, next_theta_ = 1.0;
  bool momentum_ = false;
  Value value_;                           ///< F, or empty
  double value_before_ = 0.0, at_ = 0.0;  ///< F at x_{k-1} and at x_k
  bool bent_ = false;                     ///< whether y_k is not x_{k-1}
};
