// SPDX-License-Identifier: BSD-3-Clause
/// @file nearest_point.hpp  The point of a polytope nearest to another, from nothing but its corners.
#pragma once

#include <claros/sdk/entries.hpp>

#include <Eigen/Dense>

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace claros::sdk {

/// argmin ||x - v|| over the convex hull of the corners that `corner(c, x)` answers with, a minimiser of <c, x>, by Wolfe's method: a corner that the
/// hull so far does not see is taken in, the nearest point of the affine hull of all is found, and corners whose weights would be negative are let go.
/// Ends at the face that holds the answer, or where no corner is nearer by more than rounding. For sets of small dimension: a step costs O(n k^2),
/// k <= n + 1 corners. (Wolfe: Finding the nearest point in a polytope, Mathematical Programming 11, 1976.)
class NearestPoint {
 public:
  using Corner = std::function<void(std::span<const double> c, std::span<double> x)>;

  /// The squared distance, with the point in x; x may be v. `size`: a length of the order of the polytope's. v is finite.
  double operator()(std::span<const double> v, double size, const Corner& corner, std::span<double> x) {
    v_ = Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
    corners_.clear(), weights_.clear();
    // Of a v far outside the corner that it points to.
    take(Eigen::VectorXd(-v_), corner);
    weights_.assign(1, 1.0);
    y_ = corners_.front();
    const double unit = size + v_.cwiseAbs().maxCoeff() * 1e-3;
    for (Eigen::Index step = 0; step < 100 + 20 * v_.size(); ++step) {
      const double length = y_.norm();
      if (length <= 1e-14 * unit || !take(y_ / length, corner)) break;
      if (y_.dot(y_ - corners_.back()) <= 1e-14 * length * unit) {
        corners_.pop_back();
        break;
      }
      const std::vector<Eigen::VectorXd> kept_corners = corners_;
      const std::vector<double> kept_weights = weights_;
      weights_.push_back(0.0);
      descend();
      if (y_.norm() < length) continue;
      // Rounding: no nearer than before.
      corners_ = kept_corners, weights_ = kept_weights;
      corners_.pop_back();
      mix();
      break;
    }
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = v_[static_cast<Eigen::Index>(j)] + y_[static_cast<Eigen::Index>(j)];
    return y_.squaredNorm();
  }

 private:
  /// The corner for that direction, from v on; false where it is held already.
  bool take(const Eigen::VectorXd& direction, const Corner& corner) {
    found_.resize(static_cast<std::size_t>(v_.size()));
    corner({direction.data(), found_.size()}, found_);
    Eigen::VectorXd from = Eigen::Map<const Eigen::VectorXd>(found_.data(), v_.size()) - v_;
    if (std::find(corners_.begin(), corners_.end(), from) != corners_.end()) return false;
    corners_.push_back(std::move(from));
    return true;
  }

  void mix() {
    y_.setZero(v_.size());
    for (std::size_t k = 0; k < corners_.size(); ++k) y_ += weights_[k] * corners_[k];
  }

  /// Weights of the point of the affine hull that is nearest to 0, which sum to 1.
  Eigen::VectorXd affine() const {
    const auto k = static_cast<Eigen::Index>(corners_.size());
    Eigen::VectorXd a(k);
    a[0] = 1.0;
    if (k == 1) return a;
    Eigen::MatrixXd edges(v_.size(), k - 1);
    for (Eigen::Index j = 1; j < k; ++j) edges.col(j - 1) = corners_[static_cast<std::size_t>(j)] - corners_.front();
    a.tail(k - 1) = edges.colPivHouseholderQr().solve(-corners_.front());
    a[0] = 1.0 - a.tail(k - 1).sum();
    return a;
  }

  void descend() {
    while (true) {
      const Eigen::VectorXd a = affine();
      double stretch = 1.0;
      for (std::size_t k = 0; k < weights_.size(); ++k)
        if (const double to = a[static_cast<Eigen::Index>(k)]; to < 0.0) stretch = std::min(stretch, weights_[k] / (weights_[k] - to));
      for (std::size_t k = 0; k < weights_.size(); ++k) weights_[k] += stretch * (a[static_cast<Eigen::Index>(k)] - weights_[k]);
      if (stretch == 1.0) return mix();
      bool dropped = false;
      for (std::size_t k = weights_.size(); k-- > 0;)
        if (weights_.size() > 1 && a[static_cast<Eigen::Index>(k)] < 0.0 && weights_[k] <= 1e-15)
          corners_.erase(corners_.begin() + static_cast<std::ptrdiff_t>(k)), weights_.erase(weights_.begin() + static_cast<std::ptrdiff_t>(k)), dropped = true;
      if (!dropped) return mix();  // rounding has eaten the step
    }
  }

  Eigen::VectorXd v_, y_;
  std::vector<Eigen::VectorXd> corners_;  ///< minus v
  std::vector<double> weights_, found_;
};

}  // namespace claros::sdk
