// SPDX-License-Identifier: BSD-3-Clause
/// @file form.hpp  Symmetric matrices Q that are dense, sparse, or a product of factors and a diagonal.
#pragma once

#include <claros/io/matrix_market.hpp>
#include <claros/map/linear_operator.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace quadratic {

/// The proved facts about the eigenvalues of Q.
struct Spectrum {
  bool semidefinite = false;  ///< to the rounding of its entries: Q + shift I is
  double least = 0.0;         ///< at least 0, and not above the smallest eigenvalue of Q + shift I
  double shift = 0.0;         ///< 0 where least is above 0
  std::string evidence;       ///< why Q is not proved semidefinite; empty if it is
};

/// Q, n x n.
class Form : public claros::LinearOperator {
 public:
  claros::Index cols() const final { return rows(); }
  void apply_adjoint(std::span<const double> y, std::span<double> x) const final { apply(y, x); }
  virtual Spectrum spectrum() const = 0;
  /// A number that is surely not below ||Q||_2.
  virtual double norm_bound() const = 0;
};

/// Throw Error(data) at `where` for a matrix that is not square or not symmetric to 1e-9 of its entries.
std::unique_ptr<Form> dense_form(claros::DenseTable q, const std::string& where);
std::unique_ptr<Form> sparse_form(const claros::Ratings& q, const std::string& where);
/// F F', F n x k: nothing of n x n is made.
std::unique_ptr<Form> factor_form(claros::DenseTable f);
/// Q + diag(d), n numbers: d >= 0 if Q is null, else of any sign.
std::unique_ptr<Form> with_diagonal(std::unique_ptr<Form> q, std::vector<double> d);

/// ||Q||_2 by Lanczos from a random start, times 1 + 2e-3, and the sure bound if that is smaller.
double largest_magnitude(const Form& q);

}  // namespace quadratic
