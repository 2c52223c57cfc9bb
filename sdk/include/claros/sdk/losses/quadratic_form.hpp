// SPDX-License-Identifier: BSD-3-Clause
/// @file quadratic_form.hpp  The covariance of errors in variables, as the quadratic form x'Sx.
#pragma once

#include <claros/element/element.hpp>
#include <claros/error.hpp>
#include <claros/map/linear_operator.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace claros::sdk {

/// S on the first p numbers of the variable (column-major); what follows (an intercept) is not touched. S is
/// gamma I, or a covariance, positive semidefinite: diag(s), or a full p x p matrix.
class QuadraticForm {
 public:
  static QuadraticForm scalar(Index p, double gamma) { return QuadraticForm(p, gamma, {}); }
  /// p numbers, or p * p of a symmetric matrix. Throws Error(data) with `where` for another number of them,
  /// for a matrix that is not symmetric, and for a negative diagonal.
  QuadraticForm(Index p, std::vector<double> values, const std::string& where)
      : QuadraticForm(p, 0.0, std::move(values)) {
    if (count() != p && count() != p * p)
      throw Error(
          ErrorKind::data, where,
          std::to_string(count()) + " numbers for a covariance of " + std::to_string(p) + " variables",
          "give the diagonal, or the " + std::to_string(p) + " x " + std::to_string(p) + " matrix");
    for (Index j = 0; j < p; ++j) require_entry(j, where);
  }

  bool is_full() const noexcept { return count() > p_; }
  /// mu of S = -mu I, whose subtraction adds (mu/2) ||x||^2; 0 for any other S.
  double ridge() const noexcept { return values_.empty() ? std::max(-gamma_, 0.0) : 0.0; }
  /// g <- g + a S x
  void add(double a, const Element& x, Element& g) const {
    if (values_.empty() && x.shape().size() == p_) return g.add(a * gamma_, x);
    std::vector<double> v = product(x);
    for (double& value : v) value *= a;
    g.add(1.0, Element::dense(x.shape(), std::move(v)));
  }
  /// x'Sx
  double value(const Element& x) const {
    if (values_.empty() && x.shape().size() == p_) return gamma_ * inner(x, x);
    return inner(Element::dense(x.shape(), product(x)), x);
  }
  /// A number not below the largest eigenvalue. It is exact except for a full matrix, for which it is the
  /// smaller of the Frobenius norm and the largest absolute row sum.
  double largest() const {
    if (values_.empty()) return gamma_;
    if (!is_full()) return *std::max_element(values_.begin(), values_.end());
    double squares = 0.0, rows = 0.0;
    for (Index j = 0; j < p_; ++j) {
      double sum = 0.0;
      for (Index i = 0; i < p_; ++i) sum += std::abs(at(i, j)), squares += at(i, j) * at(i, j);
      rows = std::max(rows, sum);
    }
    return std::min(std::sqrt(squares), rows);
  }

 private:
  QuadraticForm(Index p, double gamma, std::vector<double> values)
      : p_(p), gamma_(gamma), values_(std::move(values)) {}
  Index count() const noexcept { return static_cast<Index>(values_.size()); }
  double at(Index i, Index j) const { return values_[static_cast<std::size_t>(j * p_ + i)]; }

  void require_entry(Index j, const std::string& where) const {
    const std::string number = std::to_string(j + 1);
    const double diagonal = is_full() ? at(j, j) : values_[static_cast<std::size_t>(j)];
    if (diagonal < 0.0)
      throw Error(ErrorKind::data, where, "variance " + number + " is negative",
                  "a covariance has a diagonal >= 0");
    for (Index i = 0; is_full() && i < j; ++i)
      if (std::abs(at(i, j) - at(j, i)) > 1e-9 * std::max(std::abs(at(i, j)), std::abs(at(j, i))))
        throw Error(ErrorKind::data, where,
                    "the covariance is not symmetric in row " + std::to_string(i + 1) + ", column " + number,
                    "give a symmetric matrix");
  }

  std::vector<double> product(const Element& x) const {
    std::vector<double> v = x.to_dense();
    const auto p = static_cast<std::size_t>(p_);
    if (is_full()) {
      const std::vector<double> from(v.begin(), v.begin() + p_);
      DenseOperator(p_, p_, values_).apply(from, std::span<double>(v).first(p));
    } else {
      for (std::size_t j = 0; j < p; ++j) v[j] *= values_.empty() ? gamma_ : values_[j];
    }
    std::fill(v.begin() + p_, v.end(), 0.0);
    return v;
  }

  Index p_;
  double gamma_;
  std::vector<double> values_;
};

}  // namespace claros::sdk
