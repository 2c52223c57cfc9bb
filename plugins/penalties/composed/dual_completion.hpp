// SPDX-License-Identifier: BSD-3-Clause
/// @file dual_completion.hpp  Points u with B'u = s.
#pragma once

#include "column_map.hpp"

#include <claros/sdk/entries.hpp>

#include <Eigen/SparseCholesky>

#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace composed {

/// u + B q with B'(u + B q) = s, q of least norm: the point with that image under B' that is nearest to u.
/// B'B q = s - B'u is solved by a factorisation of B'B + delta I, delta a unit of rounding. The solve is
/// repeated on the residual. The part of s outside the range of B' stays in it, and shows.
class DualCompletion {
 public:
  /// u <- that point; false, with u anything, where s - B'u does not vanish to rounding.
  bool complete(const ColumnMap& map, std::span<const double> s, std::span<double> u) {
    constexpr int kMostRounds = 30;
    const std::size_t n = s.size();
    left_.resize(n);
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0;; ++round) {
      const double left = what_is_left(map, s, u);
      if (left <= allowed(map, s, u)) return true;
      if (!(left < last) || round == kMostRounds) return false;
      last = left;
      if (!add(map, u)) return false;
    }
  }
  /// The map has changed.
  void forget() noexcept { factor_.reset(); }

 private:
  using Factor = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double, Eigen::ColMajor, int>>;

  double what_is_left(const ColumnMap& map, std::span<const double> s, std::span<const double> u) {
    map.apply_adjoint(u, left_);
    double sum = 0.0;
    for (std::size_t j = 0; j < s.size(); ++j) left_[j] = s[j] - left_[j], sum += std::abs(left_[j]);
    return sum;
  }
  /// The rounding of sums of that many numbers: the entries of s, and the products that make up B'u.
  double allowed(const ColumnMap& map, std::span<const double> s, std::span<const double> u) const {
    const SparseRows& B = map.matrix();
    double size = claros::sdk::sum_of_magnitudes(s);
    for (claros::Index c = 0; c < map.count(); ++c)
      for (std::ptrdiff_t i = 0; i < B.rows(); ++i)
        for (SparseRows::InnerIterator entry(B, i); entry; ++entry)
          size += std::abs(entry.value() * u[static_cast<std::size_t>(c * B.rows() + i)]);
    return (8.0 + std::sqrt(static_cast<double>(s.size()))) * std::numeric_limits<double>::epsilon() * size;
  }
  /// u <- u + B q, (B'B + delta I) q = the residual.
  bool add(const ColumnMap& map, std::span<double> u) {
    if (!factor_ && !factorise(map)) return false;
    const auto n = map.matrix().cols(), m = map.matrix().rows();
    for (claros::Index c = 0; c < map.count(); ++c) {
      const Eigen::Map<const Eigen::VectorXd> left(left_.data() + c * n, n);
      Eigen::Map<Eigen::VectorXd> to(u.data() + c * m, m);
      const Eigen::VectorXd q = factor_->solve(left);
      to.noalias() += map.matrix() * q;
    }
    return claros::sdk::all_finite(u);
  }
  bool factorise(const ColumnMap& map) {
    constexpr double kUnit = 1e-13;
    const SparseRows product = map.transposed() * map.matrix();
    Eigen::SparseMatrix<double, Eigen::ColMajor, int> shifted = product;
    double largest = 0.0;
    for (Eigen::Index j = 0; j < shifted.cols(); ++j) largest = std::max(largest, shifted.coeff(j, j));
    for (Eigen::Index j = 0; j < shifted.cols(); ++j) shifted.coeffRef(j, j) += kUnit * largest;
    auto factor = std::make_unique<Factor>(shifted);
    if (!(largest > 0.0) || factor->info() != Eigen::Success) return false;
    factor_ = std::move(factor);
    return true;
  }

  std::unique_ptr<Factor> factor_;
  std::vector<double> left_;
};

}  // namespace composed
