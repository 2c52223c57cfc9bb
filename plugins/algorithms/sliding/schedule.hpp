// SPDX-License-Identifier: BSD-3-Clause
/// @file schedule.hpp  gamma_k, beta_k, eta_{t,k}, N_t and m_{t,k}: of the theory, or given.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/parameters.hpp>
#include <claros/state/state.hpp>

#include <optional>
#include <string>
#include <vector>

enum class SlidingForm { automatic, restarted, convex };
enum class ByTheory { theory };
enum class Batches { own, theory };

struct ScheduleOptions {
  SlidingForm form = SlidingForm::automatic;
  claros::NumberOr<ByTheory> gamma = ByTheory::theory, beta = ByTheory::theory, eta = ByTheory::theory;
  claros::NumberOr<ByTheory, claros::Index> length = ByTheory::theory;
  Batches batch = Batches::own;
  double batch_scale = 1.0;
  double batch_most = 0.0;  ///< below 1: a share of the components
  double smoothness = 0.0, strong_convexity = 0.0, initial_gap = 0.0, diameter = 0.0;
  double term_smoothness = 0.0, lower_smoothness = 0.0, variance = 0.0;
};

std::vector<claros::ParameterRow<ScheduleOptions>> schedule_rows();

/// The constants of the formulas; empty if not known.
struct SlidingConstants {
  std::optional<double> L, s, component_L, D;
  double lower = 0.0;  ///< l, 0 if the components are convex
  bool lower_known = false;
  double delta0 = -1.0;  ///< a bound of f(theta_0) - f*; negative: unknown
};

/// The numbers of outer iteration t and inner step k, both from 1; L of f, s its (effective) strong
/// convexity.
///
/// Restarted (LQX (10); Lan, Zhou 2016, section 2): N_t = 8 sqrt(L/s), gamma_k = 2/(k+1), beta_k = 3L/k,
/// eta_{t,k} = 8 L delta_0 2^{-t} / (s N_t k). Then f(theta_t) - f* is at most delta_0 2^{-t}.
/// Convex (Lan, Zhou 2016, section 2): gamma_k = 3/(k+2), beta_k = 3L/(k+1), eta_k = L D^2/(k(k+1)). Then
/// f(y_k) - f* is at most 15 L D^2 / (2(k+1)(k+2)). Along estimates beta_k = 4L/(k+2) (section 3 there).
///
/// If L is unknown, the steps find it: `L_met` begins with the curvature of f towards a vertex, and a step
/// that f contradicts raises it. After the last time the bounds above hold with that L, from the restart of
/// the sequence on.
///
/// Batches of STORC (LQX (11), (12)): m_{t,k} = 5200 N_t L/s if components are convex, else 8000 N_t L~/s, L~
/// = (L+l)(1+l/s), L that of a component. Batches of SCGS (Lan, Zhou 2016): sigma^2 (k+2)^3/(L^2 D^2).
/// Restarted, the batch brings the variance to the L^2 D_t^2 / (N_t (k+1)^2) of LQX Corollary 3 with D_t^2 =
/// 4 delta_0 2^{-t}/s. It is s sigma^2 N_t (k+1)^2 2^t / (4 L^2 delta_0).
class Schedule {
 public:
  explicit Schedule(ScheduleOptions options);
  /// Throws Error(usage) that names every constant that is missing, or L below s.
  void start(const claros::Problem& problem, const claros::Element& x0);

  /// True if L is the largest that the steps have met so far.
  bool searches() const noexcept { return searches_; }
  double smoothness() const noexcept { return c_.L.value_or(0.0); }
  void raise(double L);

  bool restarts() const noexcept { return restarts_; }
  claros::Index length() const noexcept { return N_; }  ///< N_t; 0 if nothing restarts
  double gamma(claros::Index k) const;
  double beta(claros::Index k) const;
  double eta(claros::Index t, claros::Index k) const;
  /// 0: the estimator's own; n or more: the full gradient.
  claros::Index batch(claros::Index t, claros::Index k) const;
  /// The reasons for the numbers.
  std::string told() const;

 private:
  void find_constants(const claros::Problem& problem, const claros::Element& x0);
  void require_constants() const;
  void set_length();
  bool needs_length() const { return restarts_ && !options_.length.is_number(); }
  bool is_storc() const { return options_.batch == Batches::theory && options_.variance == 0.0; }
  double storc_batch() const;
  double scgs_batch(claros::Index t, claros::Index k) const;

  ScheduleOptions options_;
  std::optional<double> gamma_, beta_, eta_;  ///< by hand
  SlidingConstants c_;
  bool restarts_ = false, exact_ = false, searches_ = false;
  claros::Index N_ = 0, most_ = 0;  ///< most_: of a batch; 0: no cap
};
