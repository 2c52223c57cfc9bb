// SPDX-License-Identifier: BSD-3-Clause
/// @file vertex.hpp  The vertex of a pinball loss with an l1 norm, from a point near it.
#pragma once

#include <claros/corners.hpp>
#include <claros/map/columns.hpp>

#include <Eigen/Dense>

#include <optional>
#include <span>
#include <vector>

namespace multipliers {

/// min F(x) = (1/n) sum_i w_i psi(<a_i, x> - y_i) + sum_j c_j |x_j|, a linear program. A vertex has a set S
/// of columns and as many rows I with <a_i, x> = y_i, and x_j = 0 outside S. A pivot leaves the row or enters
/// the column whose slope is out of bounds most. It moves as far as F falls (Barrodale, Roberts 1973). The
/// y_i are perturbed, so that no pivot has the length 0; the last vertex is that of the y_i themselves.
class Vertex {
 public:
  Vertex(const claros::Columns& A, const claros::CornerRows& rows, std::vector<double> prices);

  /// The vertex that solves the problem, and its slopes; nothing if it is too many pivots away from x.
  struct Found {
    std::vector<double> x, slopes;
  };
  std::optional<Found> from(std::span<const double> x, std::span<const double> z, double spread);

 private:
  struct Violation {
    claros::Index at = -1;  ///< a place in I, or a column
    bool is_row = false;
    double sign = 0.0, slope = 0.0;
  };
  double entry(claros::Index i, claros::Index j) const;
  Eigen::MatrixXd entries(std::span<const claros::Index> rows, std::span<const claros::Index> columns) const;
  bool choose_basis(std::span<const double> x, std::span<const double> z);
  void move_to_vertex(std::span<const double> y);
  Eigen::VectorXd solved(const Eigen::VectorXd& b) const {
    return b.size() > 0 ? Eigen::VectorXd(lu_.solve(b)) : b;
  }
  Violation worst();
  bool pivot(const Violation& violation);

  const claros::Columns& A_;
  claros::CornerRows rows_;
  std::vector<double> prices_, weights_, y_, r_, u_, c_, size_;
  std::vector<claros::Index> S_, I_;
  std::vector<char> held_;  ///< the rows of I
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  Eigen::VectorXd x_;
};

}  // namespace multipliers
