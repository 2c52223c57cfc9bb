// SPDX-License-Identifier: BSD-3-Clause
/// @file low_rank_theory.hpp  Steps under which every projection of stochastic gradients keeps the rank of
/// the optimum.
#pragma once

#include <claros/element/shape.hpp>
#include <claros/error.hpp>
#include <claros/parameters.hpp>

#include <cmath>
#include <string>
#include <vector>

/// The numbers of the problem that Theorem 1 of Garber (2020) needs; 0 if not given. The set is {X psd, tr X
/// = tau} or {||X||_* <= tau}.
struct LowRankTheoryOptions {
  double eigengap = 0.0, least_value = 0.0, gradient_bound = 0.0, spectral_bound = 0.0;
  claros::Index horizon = 0;
};

inline std::vector<claros::ParameterRow<LowRankTheoryOptions>> low_rank_theory_rows() {
  using namespace claros;
  using O = LowRankTheoryOptions;
  return {row("eigengap", &O::eigengap, at_least(0),
              "of step = low-rank-theory: the gap between the r-th and the next leading value of minus the "
              "gradient at the optimum; a run of the full gradient "
              "with trace.certificate=yes reports it as eigengap",
              "delta"),
          row("least_value", &O::least_value, at_least(0),
              "of step = low-rank-theory: the r-th value of the optimum", "lambda_r"),
          row("gradient_bound", &O::gradient_bound, at_least(0),
              "of step = low-rank-theory: bound on the Frobenius norm of a batch's gradient", "G"),
          row("spectral_bound", &O::spectral_bound, at_least(0),
              "of step = low-rank-theory: bound on its largest singular value", "B"),
          row("horizon", &O::horizon, at_least(0),
              "of step = low-rank-theory: the number of steps that the run is to make", "T")};
}

/// eta = R_0 / (10 G sqrt(T) log(8 T)), R_0 = (delta/8) / (r beta + sqrt(2 r) B / lambda_r). (Garber 2020,
/// Theorem 1.) It does not depend on tau, which is 1 there: with X = tau Z the factors cancel.
///
/// The batch keeps the error xi of a gradient, in spectral norm, at delta/(8r) in all T steps. Lemma 4 asks
/// for a distance of (1/4)(...)^{-1} (delta - 4 r xi). That is R_0 at delta/(8r), and negative at the
/// delta/(2r) that the proof of Theorem 1 prints. By the matrix Hoeffding bound (Tropp 2012, Theorem 1.3) on
/// the dilation of m x p matrices, 2 (m + p) T exp(-L xi^2 / (32 B^2)) <= 1/10 at L = 32 (B/xi)^2 log(20 (m +
/// p) T).
struct LowRankStep {
  double length, radius, batch;  ///< eta, R_0, L where B bounds the gradient of every term

  static LowRankStep of(const LowRankTheoryOptions& o, claros::Index rank, double beta,
                        const claros::Shape& shape) {
    std::string missing;
    const auto need = [&](bool known, const char* name) {
      if (!known) missing += (missing.empty() ? "" : ", ") + std::string(name);
    };
    need(rank > 0, "rank");
    need(o.eigengap > 0.0, "eigengap");
    need(o.least_value > 0.0, "least_value");
    need(o.gradient_bound > 0.0, "gradient_bound");
    need(o.spectral_bound > 0.0, "spectral_bound");
    need(o.horizon > 0, "horizon");
    if (!missing.empty())
      throw claros::Error(claros::ErrorKind::usage, "step",
                          "'low-rank-theory' needs numbers that cannot be found before the run",
                          "give " + missing + ", or step = NUMBER");
    const auto r = static_cast<double>(rank), T = static_cast<double>(o.horizon);
    const double R0 = o.eigengap / 8.0 / (r * beta + std::sqrt(2.0 * r) * o.spectral_bound / o.least_value);
    const double error = o.eigengap / (8.0 * r), B_over_error = o.spectral_bound / error;
    const auto sides = static_cast<double>(shape.rows + shape.cols);
    return {R0 / (10.0 * o.gradient_bound * std::sqrt(T) * std::log(8.0 * T)), R0,
            std::ceil(32.0 * B_over_error * B_over_error * std::log(20.0 * sides * T))};
  }
};
