// SPDX-License-Identifier: BSD-3-Clause
/// @file theory.hpp  eta_t, beta, T, k_t and k_s: of the theory, or given.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/parameters.hpp>

#include <optional>
#include <string>
#include <vector>

enum class Eta { automatic, theory, agnostic };
enum class Beta { theory };
enum class Numbers { own, theory };

struct TheoryOptions {
  claros::NumberOr<Eta> eta = Eta::automatic;
  claros::NumberOr<Beta> beta = Beta::theory;
  claros::NumberOr<Numbers, claros::Index> length = Numbers::own;
  Numbers batch = Numbers::own;
  double strong_convexity = 0.0, smoothness = 0.0, smoother_smoothness = 0.0, variance = 0.0;
  double initial_gap = 0.0, expected_error = 0.0;
};

std::vector<claros::ParameterRow<TheoryOptions>> theory_rows();

/// f + R of smoothness beta = beta_G + beta_R and of strong convexity alpha. beta_G is that of one component
/// of f, C_0 >= f(X_1) - f*, sigma^2 >= E||grad f_i - grad f||^2. (Garber, Kaplan 2019, Theorems 3 and 5.)
///
/// Along estimates eta = alpha/(2 beta), T - 1 = (8 beta/(3 alpha)) ln 8, k_t = 32 beta_G^2/alpha^2. For an
/// expectation k_s = (32 sigma^2/(alpha C_0)) 2^{s-1}, and E f(X_s) - f* <= C_0 2^{1-s}. For a finite sum
/// with full snapshots, the bound falls by 5/12 an epoch.
///
/// S = log2(C_0/eps) + 2 epochs leave an expected error of eps; of a finite sum log_{12/5}(2 C_0/eps) + 1 do.
/// Each V_t may be worse than X* by delta = 7 eps/(16 alpha). With a smoother delta is half of that, since mu
/// takes the rest. (Proofs of Theorems 1 and 2, Corollary 1.)
///
/// V_t minimises h(V) + <g, V - X_t> + (c/2) beta eta_t ||V - X_t||^2, a proximal step of length 1/(c beta
/// eta_t). The paper's c = 2 pays with beta eta_t/2 for the error of g. If g is exact, c = 1 is enough:
/// f(X_{t+1}) <= (1 - eta_t) f(X_t) + eta_t f(X*) - (eta_t/2)(alpha - beta eta_t) ||X* - X_t||^2,
/// so that eta = alpha/beta contracts by 1 - alpha/beta (Allen-Zhu, Hazan, Hu, Li 2017). Both only need a V_t
/// that is as good as X*. Without alpha, eta_t = 2/(t + 2), t from 0, and f(X_t) - f* <= 2 c beta D^2/(t +
/// 2).
class Theory {
 public:
  explicit Theory(TheoryOptions options);
  /// Throws Error(usage) that names every constant that is missing, alpha above beta, or steps that vanish.
  /// `mu` is the weak convexity of h.
  void start(const claros::Problem& problem, const claros::Element& x0, double mu);

  double eta(claros::Index t) const;
  /// 1/(c beta eta), the length of the proximal step.
  double proximal_length(double eta) const { return 1.0 / (c_ * *beta_ * eta); }
  claros::Index length() const noexcept { return length_; }  ///< T - 1; 0: the estimator's own
  claros::Index batch() const noexcept { return batch_; }    ///< k_t; likewise
  claros::Index snapshot(claros::Index s) const;             ///< k_s of epoch s = 1, 2, ...; likewise
  claros::Index steps() const noexcept {
    return epochs_ * length_;
  }  ///< S (T - 1); 0: no expected_error is given
  /// The reasons for the numbers.
  std::string told() const;

 private:
  void find_constants(const claros::Problem& problem, const claros::Element& x0, double mu);
  void require_constants(bool smoothed) const;
  void require_steps() const;
  void plan_epochs(bool smoothed);

  TheoryOptions options_;
  std::optional<double> alpha_, beta_, beta_f_, beta_R_, beta_G_, C0_, eta_;
  double c_ = 2.0, delta_ = 0.0;
  bool samples_ = false, samples_snapshots_ = false;  ///< k_t, k_s of the theory
  claros::Index length_ = 0, batch_ = 0, components_ = 0, epochs_ = 0;
};
