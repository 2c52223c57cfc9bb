// SPDX-License-Identifier: BSD-3-Clause
/// @file factor_function.hpp  f + h as a smooth function of the factors of a matrix.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/spectral/spectral.hpp>
#include <claros/state/state.hpp>
#include <shared/sets/spectral_sum.hpp>

#include <span>
#include <vector>

/// F(w) of the numbers w = (U, V), or (U, V, s) below the bound of a set:
/// - over {||X||_* <= tau}: F(w) = f(X), X = (2 tau / ||w||^2) U V'. The slack s makes the ball of factors,
/// ||U||^2 + ||V||^2 <= 2 tau, a sphere. F does not change with the length of w, so no constraint is left. At
/// s = 0 the slope along s is 0, so that a start on the boundary has no s.
/// - over {X psd, tr X <= tau}: V = U, w = (U, s) and X = (tau / ||w||^2) U U'; there is no s if the trace is
/// tau everywhere.
/// - with lambda ||X||_*: F(w) = f(U V') + (lambda/2) (||U||^2 + ||V||^2).
/// (Burer, Monteiro 2003; Srebro, Rennie, Jaakkola 2004; Journee, Bach, Absil, Sepulchre 2010.)
class FactorFunction {
 public:
  void start(const claros::Problem& problem, const claros::sdk::SpectralSum::Form& form);

  /// The factors sqrt(s_k) u_k, sqrt(s_k) v_k of X = sum_k s_k u_k v_k', as proximal steps and projections
  /// give it; F is a function of as many numbers from then on. Empty of X = 0 and of X in another form.
  std::vector<double> factors(const claros::Element& X);
  /// The multiplier lambda with (G V, G'U) = -lambda (U, V) at a stationary (U, V). With a penalty it is the
  /// penalty's lambda; over a set it is -<G, X> over the size of the set.
  double multiplier(const claros::Element& X, const claros::Element& G) const;
  /// w with the columns sqrt(weights_k) (u_k, v_k) besides, of `pairs`: F is a function of them, too.
  std::vector<double> with_columns(std::span<const double> w, const claros::TruncatedSvd& pairs,
                                   std::span<const double> weights);
  /// w with the last pairs of columns, as many as `count`, sqrt(factor) times as long each.
  std::vector<double> with_longer(std::span<const double> w, claros::Index count, double factor) const;
  /// F(w); `point` is its X.
  double value(std::span<const double> w, claros::Element& point) const;
  /// out <- grad F(w), for the X that `value` has made of w and G = grad f(X).
  void gradient(std::span<const double> w, const claros::Element& G, std::span<double> out) const;
  /// out <- the inverse of an estimate of the diagonal of F'' at w, for the X and G as above. For a loss of
  /// observed entries the estimate is exact up to the curvature of X; else it takes f'' as `curvature` times
  /// the identity.
  void inverse_diagonal(std::span<const double> w, const claros::Element& X, const claros::Element& G,
                        double curvature, std::span<double> out) const;
  /// Names and requires the numbers of a state.
  void state(claros::StateVisitor& v);
  claros::Index rank() const noexcept { return rank_; }
  const claros::sdk::SpectralSum::Form& form() const noexcept { return form_; }
  claros::Index numbers() const noexcept { return rank_ * (rows_ + (form_.symmetric ? 0 : cols_)) + slack_; }

 private:
  struct Blocks;
  Blocks blocks(std::span<const double> w) const;
  double scale(std::span<const double> w) const;
  claros::Element entry_curvature(const claros::Element& X) const;
  void diagonal_of_entries(std::span<const double> w, const claros::Element& X, std::span<double> out) const;
  void diagonal_of_norms(std::span<const double> w, double curvature, std::span<double> out) const;

  claros::Objective* f_ = nullptr;
  claros::TermCoefficients* terms_ = nullptr;
  claros::Curvature* curvature_ = nullptr;
  bool entries_ = false;  ///< whether A reads entries, one an output
  bool is_set_ = false;
  claros::sdk::SpectralSum::Form form_;
  claros::Index rows_ = 0, cols_ = 0, rank_ = 0, slack_ = 0;
};
