// SPDX-License-Identifier: BSD-3-Clause
/// @file nearest_point.hpp  The point of a polytope nearest to another, from nothing but its corners.
#pragma once

#include <claros/sdk/entries.hpp>

#include <Eigen/Dense>
#include <Eigen/Jacobi>

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace claros::sdk {

/// argmin ||x - v|| over the convex hull of the corners that `corner(c, x)` returns, minimisers of <c, x>.
/// Wolfe's method adds a corner that the hull so far does not see. Then it finds the nearest point of the
/// affine hull of all, and drops corners whose weights would be negative. It ends at the face that holds the
/// solution, or when no corner is nearer by more than rounding. The edges from the first corner that is held
/// are kept as Q R. A step costs O(n k), k <= n + 1 corners, or O(n k^2) if the first is dropped. (Wolfe:
/// Finding the nearest point in a polytope, Mathematical Programming 11, 1976.)
class NearestPoint {
 public:
  using Corner = std::function<void(std::span<const double> c, std::span<double> x)>;

  /// The squared distance, with the point in x; x may be v. `size`: a length of the order of the polytope's.
  /// v is finite.
  double operator()(std::span<const double> v, double size, const Corner& corner, std::span<double> x) {
    v_ = Eigen::Map<const Vector>(v.data(), static_cast<Eigen::Index>(v.size()));
    corners_.clear(), weights_.clear();
    // For a v far outside, the method starts at the corner that v points to.
    corners_.push_back(found(-v_, corner));
    weights_.assign(1, 1.0);
    y_ = corners_.front();
    const double unit = size + v_.cwiseAbs().maxCoeff() * 1e-3;
    factor();
    gap_ = kInfinity;
    Vector best = y_;
    double least = y_.norm();
    for (Eigen::Index step = 0, idle = 0; step < 100 + 20 * v_.size() && idle < 20 + v_.size(); ++step) {
      const double length = y_.norm();
      Vector next = found(length > 0.0 ? Vector(y_ / length) : y_, corner);
      const double gap = y_.dot(y_ - next);
      if (gap < gap_) gap_ = gap, best = y_;
      if (gap <= 1e-14 * length * unit || length <= 1e-14 * unit ||
          std::find(corners_.begin(), corners_.end(), next) != corners_.end() || !hold(std::move(next)))
        break;
      descend();
      // Near the end a step gains less than the last bit of the length, and much of the gap. If rounding
      // makes it return, only the count ends it.
      idle = y_.norm() < least ? 0 : idle + 1;
      least = std::min(least, y_.norm());
    }
    y_ = best;
    // Weights that sum to 1, and numbers of the size of v, allow no better accuracy.
    slack_ = 4.0 * std::numeric_limits<double>::epsilon() * (y_.norm() + v_.norm()) * (y_.norm() + size);
    for (std::size_t j = 0; j < x.size(); ++j)
      x[j] = v_[static_cast<Eigen::Index>(j)] + y_[static_cast<Eigen::Index>(j)];
    return y_.squaredNorm();
  }

  /// A bound on the distance of the last result x to the exact one. Its square is at most max <x - v, x - u>
  /// over the corners u. It is no less than rounding may hide.
  double error() const { return std::sqrt(std::max(gap_, 0.0) + slack_); }

 private:
  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;

  /// The corner for that direction, from v on.
  Vector found(const Vector& direction, const Corner& corner) {
    found_.resize(static_cast<std::size_t>(v_.size()));
    corner({direction.data(), found_.size()}, found_);
    return Eigen::Map<const Vector>(found_.data(), v_.size()) - v_;
  }

  void mix() {
    y_.setZero(v_.size());
    for (std::size_t k = 0; k < corners_.size(); ++k) y_ += weights_[k] * corners_[k];
  }

  /// One more column of Q R, orthogonalised twice; false if the edge lies in the span of the others.
  bool append(Vector edge) {
    const Eigen::Index k = filled_;
    if (k >= v_.size()) return false;
    if (k >= Q_.cols())
      Q_.conservativeResize(v_.size(), 2 * k + 8), R_.conservativeResize(2 * k + 8, 2 * k + 8);
    const double length = edge.norm();
    R_.col(k).setZero(), R_.row(k).setZero();
    for (int pass = 0; pass < 2; ++pass) {
      const Vector along = Q_.leftCols(k).transpose() * edge;
      edge -= Q_.leftCols(k) * along;
      R_.col(k).head(k) += along;
    }
    const double across = edge.norm();
    if (!(across > 1e-14 * length)) return false;
    Q_.col(k) = edge / across;
    R_(k, k) = across;
    ++filled_;
    return true;
  }
  /// Q R anew. Corners that lie in the affine hull of those before them are let go, and their weights with
  /// them.
  void factor() {
    Q_.resize(v_.size(), 0), R_.resize(0, 0), filled_ = 0;
    for (std::size_t k = 1; k < corners_.size();)
      if (append(corners_[k] - corners_.front()))
        ++k;
      else
        erase(k);
  }

  bool hold(Vector next) {
    if (!append(next - corners_.front())) return false;
    corners_.push_back(std::move(next)), weights_.push_back(0.0);
    return true;
  }
  void erase(std::size_t k) {
    corners_.erase(corners_.begin() + static_cast<std::ptrdiff_t>(k)),
        weights_.erase(weights_.begin() + static_cast<std::ptrdiff_t>(k));
  }
  /// Columns of R behind that of corner k move up, and rotations make them triangular again.
  void let_go(std::size_t k) {
    erase(k);
    if (k == 0) return factor();
    --filled_;
    for (auto j = static_cast<Eigen::Index>(k) - 1; j < filled_; ++j)
      R_.col(j).head(j + 2) = R_.col(j + 1).head(j + 2);
    for (auto j = static_cast<Eigen::Index>(k) - 1; j < filled_; ++j) {
      Eigen::JacobiRotation<double> turn;
      turn.makeGivens(R_(j, j), R_(j + 1, j));
      R_.middleCols(j, filled_ - j).applyOnTheLeft(j, j + 1, turn.adjoint());
      Q_.applyOnTheRight(j, j + 1, turn);
    }
  }

  /// Weights of the point of the affine hull that is nearest to 0, which sum to 1.
  Vector affine() const {
    Vector a(filled_ + 1);
    a.tail(filled_) = R_.topLeftCorner(filled_, filled_)
                          .triangularView<Eigen::Upper>()
                          .solve(Q_.leftCols(filled_).transpose() * -corners_.front());
    a[0] = 1.0 - a.tail(filled_).sum();
    return a;
  }

  void descend() {
    while (true) {
      const Vector a = affine();
      double stretch = 1.0;
      for (std::size_t k = 0; k < weights_.size(); ++k)
        if (const double to = a[static_cast<Eigen::Index>(k)]; to < 0.0)
          stretch = std::min(stretch, weights_[k] / (weights_[k] - to));
      for (std::size_t k = 0; k < weights_.size(); ++k)
        weights_[k] += stretch * (a[static_cast<Eigen::Index>(k)] - weights_[k]);
      if (stretch == 1.0) return mix();
      bool dropped = false;
      for (std::size_t k = weights_.size(); k-- > 0;)
        if (weights_.size() > 1 && a[static_cast<Eigen::Index>(k)] < 0.0 && weights_[k] <= 1e-15)
          let_go(k), dropped = true;
      if (!dropped) return mix();  // rounding has eaten the step
    }
  }

  Vector v_, y_;
  std::vector<Vector> corners_;  ///< minus v
  std::vector<double> weights_, found_;
  Matrix Q_, R_;  ///< of the edges from the first corner, in the first `filled_` columns
  Eigen::Index filled_ = 0;
  double gap_ = kInfinity, slack_ = 0.0;
};

}  // namespace claros::sdk
