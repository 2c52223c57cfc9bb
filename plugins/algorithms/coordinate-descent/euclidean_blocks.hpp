// SPDX-License-Identifier: BSD-3-Clause
/// @file euclidean_blocks.hpp  The minimum of a quadratic and a Euclidean norm along a block of coordinates.
#pragma once

#include "curvatures.hpp"

#include <claros/abilities.hpp>

#include <Eigen/Dense>

#include <cmath>
#include <limits>
#include <span>
#include <vector>

/// The lambda > 0 of h_b(x) = lambda ||x||_2, found by the proximal steps of h_b in several directions and of
/// two lengths. It is 0 if they are not those of such a norm.
inline double euclidean_factor(const claros::BlockStep& step_of, claros::Index block, Eigen::Index size) {
  constexpr double kSame = 1e-12, kLeast = 1e-140;  // whose square is a number
  constexpr int kMostScalings = 400;
  Eigen::MatrixXd directions(size, 3);
  directions.col(0).setLinSpaced(size, 1.0, 2.0);
  directions.col(1) = -Eigen::VectorXd::Ones(size);
  directions.col(2) = Eigen::VectorXd::Unit(size, size - 1);
  directions.colwise().normalize();
  Eigen::VectorXd v(size), x(size);
  const auto shrinks = [&](Eigen::Index k, double length) {  // by how much; NaN if not along itself
    v = length * directions.col(k);
    step_of(block, v.data(), 1.0, x.data());
    const double left = x.norm();
    return (x - left * directions.col(k)).norm() <= kSame * length ? length - left
                                                                   : std::numeric_limits<double>::quiet_NaN();
  };
  double length = 1.0, lambda = shrinks(0, length);
  for (int k = 0; k < kMostScalings && !(lambda < 0.9 * length && lambda > 0.1 * length); ++k) {
    if (!(lambda >= 0.0) || !(length > kLeast && length < 1.0 / kLeast)) return 0.0;
    length = lambda == 0.0 ? 1e-8 * length : lambda < length ? 2.0 * lambda : 16.0 * length;
    lambda = shrinks(0, length);
  }
  for (const Eigen::Index k : {0, 1, 2})
    for (const double times : {1.0, 3.0})
      if (!(std::abs(shrinks(k, times * length) - lambda) <= 10.0 * kSame * length)) return 0.0;
  return lambda;
}

/// Minimises <p, x - x0> + (x - x0)' G (x - x0) / 2 + lambda ||x||_2, G of a block. In the coordinates of G's
/// eigenvectors x_i = c_i r / (l_i r + lambda), c = G x0 - p, and r = ||x|| is the root of a decreasing
/// function. (Qin, Scheinberg, Goldfarb 2013; Yuan, Lin 2006 if G is a multiple of I.)
class EuclideanBlock {
 public:
  EuclideanBlock() = default;
  EuclideanBlock(const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>& eigen, double lambda)
      : vectors_(eigen.eigenvectors()), values_(eigen.eigenvalues().cwiseMax(0.0)), lambda_(lambda) {}
  bool is_known() const { return lambda_ > 0.0; }

  /// x <- the minimum; false, where rounding hides it, with x anything. `slope` <- p + G (x - x0).
  bool minimise(std::span<const double> x0, std::span<const double> p, std::span<double> x,
                std::span<double> slope) const {
    const auto size = values_.size();
    const Eigen::Map<const Eigen::VectorXd> from(x0.data(), size), partial(p.data(), size);
    const Eigen::VectorXd y0 = vectors_.transpose() * from, q = vectors_.transpose() * partial;
    const Eigen::VectorXd c = values_.cwiseProduct(y0) - q;
    Eigen::VectorXd y = Eigen::VectorXd::Zero(size);
    if (c.norm() > lambda_) {
      const double r = length(c);
      if (!(r > 0.0 && std::isfinite(r))) return false;
      y = r * c.cwiseQuotient((values_.array() * r + lambda_).matrix());
    }
    const Eigen::VectorXd d = y - y0, bent = values_.cwiseProduct(d);
    // lambda (||y|| - ||y0||) as a product with d, which keeps its digits where d is small.
    const double norms = y.norm() + y0.norm();
    const Eigen::VectorXd slope_of_norms =
        norms > 0.0 ? Eigen::VectorXd(lambda_ / norms * (y + y0)) : Eigen::VectorXd::Zero(size);
    if (!is_fall(d, -d.dot(q + 0.5 * bent + slope_of_norms))) return false;
    Eigen::Map<Eigen::VectorXd>(x.data(), size) = vectors_ * y;
    Eigen::Map<Eigen::VectorXd>(slope.data(), size) = partial + vectors_ * bent;
    return true;
  }

 private:
  /// True if the quadratic falls along d by at least half of what it seems to. Along d there may be only the
  /// rounding of the largest curvature; then the minimum lies as far out as numbers go.
  bool is_fall(const Eigen::VectorXd& d, double fall) const {
    const double rounding = static_cast<double>(d.size()) * std::numeric_limits<double>::epsilon();
    return std::isfinite(fall) && rounding * values_.maxCoeff() * d.squaredNorm() <= 0.5 * fall;
  }
  /// The r at which ||(c_i / (l_i r + lambda))_i|| = 1. Newton's method on the inverse of that norm, which is
  /// nearly straight, finds it between bounds that close in.
  double length(const Eigen::VectorXd& c) const {
    constexpr int kMostSteps = 100;
    constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
    double low = 0.0, high = std::numeric_limits<double>::infinity(), r = 0.0;
    for (int k = 0; k < kMostSteps; ++k) {
      const Eigen::ArrayXd below = values_.array() * r + lambda_, ratio = c.array() / below;
      const double square = ratio.square().sum(), norm = std::sqrt(square);
      (norm > 1.0 ? low : high) = r;
      if (std::abs(norm - 1.0) <= kRounding) return r;
      const double bends = (ratio.square() * values_.array() / below).sum();  // -d(square)/dr / 2
      double next = r + (norm - 1.0) * square / bends;
      if (!(next > low && next < high)) next = std::isfinite(high) ? 0.5 * (low + high) : 2.0 * r;
      if (!(std::abs(next - r) > kRounding * next)) return next;
      r = next;
    }
    return r;
  }

  Eigen::MatrixXd vectors_;
  Eigen::VectorXd values_;
  double lambda_ = 0.0;
};

/// The blocks whose minimum is known: their penalty is a Euclidean norm.
class EuclideanBlocks {
 public:
  /// None of `count` yet.
  void start(claros::Index count) { blocks_.assign(claros::at(count), {}), kept_ = 0; }

  /// Keeps the eigenvectors of a block with the coordinates `members`, as long as there is memory for them.
  /// Its largest eigenvalue; 0 if its minimum is not known.
  double keep(claros::Index b, const std::vector<claros::Index>& members, const Curvatures& curvatures,
              const claros::BlockStep& step_of) {
    constexpr std::size_t kMostKept = std::size_t{1} << 24;
    const std::size_t entries = members.size() * members.size();
    if (claros::at(b) >= blocks_.size() || kept_ + entries > kMostKept) return 0.0;
    const double lambda = euclidean_factor(step_of, b, static_cast<Eigen::Index>(members.size()));
    const Eigen::MatrixXd G = lambda > 0.0 ? curvatures.matrix(members) : Eigen::MatrixXd();
    if (G.rows() == 0) return 0.0;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(G);
    kept_ += entries;
    blocks_[claros::at(b)] = {eigen, lambda};
    return eigen.eigenvalues().maxCoeff();
  }

  /// x <- the minimum along b, if the proximal step of length s from there stays there: else x is left as it
  /// is.
  void move(claros::Index b, double s, std::span<const double> x0, std::span<const double> p,
            const claros::BlockStep& step_of, std::vector<double>& x) {
    constexpr double kStays = 1e-8, kRounding = 1e-14;
    if (blocks_.empty() || !blocks_[claros::at(b)].is_known()) return;
    const std::size_t m = x0.size();
    best_.resize(m), slope_.resize(m), stays_.resize(m);
    if (!blocks_[claros::at(b)].minimise(x0, p, best_, slope_)) return;
    for (std::size_t k = 0; k < m; ++k) stays_[k] = best_[k] - s * slope_[k];
    step_of(b, stays_.data(), s, stays_.data());
    double size = 0.0;
    for (const double entry : best_) size = std::max(size, std::abs(entry));
    const double most = kStays * distance(x0, best_) + kRounding * static_cast<double>(m) * size;
    if (distance(best_, stays_) <= most) x = best_;
  }

  static double distance(std::span<const double> a, std::span<const double> b) {
    double square = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) square += (a[k] - b[k]) * (a[k] - b[k]);
    return std::sqrt(square);
  }

 private:
  std::vector<EuclideanBlock> blocks_;
  std::size_t kept_ = 0;  ///< entries of eigenvectors
  std::vector<double> best_, slope_, stays_;
};
