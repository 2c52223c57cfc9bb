// SPDX-License-Identifier: BSD-3-Clause
/// @file extrapolation.hpp  Anderson extrapolation of a sequence of points.
#pragma once

#include <claros/state/state.hpp>

#include <Eigen/Dense>

#include <vector>

/// The last K + 1 points x_0 .. x_K of a sequence that converges as powers do. The differences u_k = x_k -
/// x_{k-1} give the point sum_k c_k x_k, c = argmin ||sum_k c_k u_k|| with sum_k c_k = 1. (Bertrand, Massias:
/// Anderson acceleration of coordinate descent, AISTATS 2021.)
class Extrapolation {
 public:
  static constexpr std::size_t kPoints = 5;

  void start(std::size_t size) { size_ = size, kept_.clear(); }
  /// True if there are K + 1 points now; `point` forgets them.
  bool add(const std::vector<double>& x) {
    kept_.insert(kept_.end(), x.begin(), x.end());
    return kept_.size() == (kPoints + 1) * size_;
  }
  /// False if the differences say nothing.
  bool point(std::vector<double>& x) {
    using Matrix = Eigen::Map<const Eigen::MatrixXd>;
    const auto n = static_cast<Eigen::Index>(size_), K = static_cast<Eigen::Index>(kPoints);
    const Matrix points(kept_.data(), n, K + 1);
    const Eigen::MatrixXd U = points.rightCols(K) - points.leftCols(K);
    Eigen::MatrixXd normal = U.transpose() * U;
    const double scale = normal.trace();
    bool useful = scale > 0.0;
    if (useful) {
      normal.diagonal().array() += 1e-12 * scale;
      Eigen::VectorXd c = normal.ldlt().solve(Eigen::VectorXd::Ones(K));
      const double sum = c.sum();
      useful = sum != 0.0 && c.allFinite();
      if (useful) Eigen::Map<Eigen::VectorXd>(x.data(), n).noalias() = points.rightCols(K) * (c / sum);
    }
    kept_.clear();
    return useful;
  }

  void state(claros::StateVisitor& v) {
    v("points", kept_);
    v.require(size_ == 0 ? kept_.empty() : kept_.size() % size_ == 0 && kept_.size() <= kPoints * size_,
              "points", "not whole points");
  }

 private:
  std::size_t size_ = 0;
  std::vector<double> kept_;  ///< one after the other
};
