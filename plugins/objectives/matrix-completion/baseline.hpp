// SPDX-License-Identifier: BSD-3-Clause
/// @file baseline.hpp  The mean and the biases of ratings, fitted before X and then held.
#pragma once

#include <claros/io/ratings.hpp>
#include <claros/io/training.hpp>
#include <claros/parameters.hpp>
#include <claros/sdk/loss.hpp>

#include <vector>

namespace matrix_completion {

enum class Center { none, mean, biases };

/// The words of `center`.
inline const claros::EnumWords<Center>& center_words() {
  static const claros::EnumWords<Center> words{
      {Center::none, "none"}, {Center::mean, "mean"}, {Center::biases, "biases"}};
  return words;
}

struct BaselineOptions {
  Center center = Center::none;
  double row_bias_regularization = 5.0, col_bias_regularization = 3.0;
};

/// The baseline of a loss psi(x, y) = rho(x - y) that is smallest at 0, L = rho''(0) its largest curvature:
///
/// - mean: mu = argmin sum rho(mu - y), the mean of the values for the squared loss. If rho is not convex,
///   the minimiser that descent from the median leads to.
/// - biases: with that mu, argmin over b in R^rows, c in R^cols of
///       (1/L) sum over the entries of rho(mu + b_i + c_j - y_ij)
///       + (lambda_b/2) ||b||^2 + (lambda_c/2) ||c||^2,
///   so that lambda is a number of entries that agree with the mean, whatever L is. A row without entries has
///   bias 0.
///
/// Both are fitted by reweighting with w(r) = rho'(r)/(L r), which does not grow with |r|. Every round solves
/// a weighted least-squares problem and descends (a majorisation; Huber, Robust Statistics, 1981, section
/// 7.8). The squared loss has w = 1: one round, the solution of its normal equations to rounding. Other
/// losses stop at a change of 1e-10 of the values' spread, or after 200 rounds. The model is that of Koren,
/// Bell, Volinsky, Matrix factorization techniques for recommender systems, Computer 42 (2009), p. 33.
///
/// With weights of the entries, of mean 1, every sum is weighted.
///
/// Throws Error(numerical) if regularisation is so small that rounding hides the solution.
claros::Baseline fit_baseline(const claros::Ratings& ratings, const claros::Loss& loss,
                              const BaselineOptions& options);

/// Rounds at the most, and the change, in units of the values' spread, that ends them.
inline constexpr int kBaselineRounds = 200;
inline constexpr double kBaselineSettled = 1e-10;

/// w_e rho'(z_e - y_e) / (L (z_e - y_e)), w_e in the limit; `of_entries`, w, is empty for 1.
std::vector<double> reweighted(const std::vector<double>& z, const std::vector<double>& y,
                               const claros::Loss& loss, const std::vector<double>& of_entries);

}  // namespace matrix_completion
