// SPDX-License-Identifier: BSD-3-Clause
/// @file network_projection.hpp  The flow through a network that is nearest to given numbers.
#pragma once

#include <claros/sdk/entries.hpp>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace claros::sdk {

/// x = argmin ||x - v|| over 0 <= x <= cap, B x = supply, (B x)_i the flow out of node i less the flow into
/// it.
///
/// By duality x = clip(v + B' q, 0, cap) for the potentials q that minimise a convex, piecewise quadratic
/// function. Its gradient is r = B x - supply, and its Hessian B_I B_I', the Laplacian of the arcs I strictly
/// between their bounds. Newton's method, with a little of the identity if that Laplacian is singular, and a
/// line search that cannot fail end at the exact piece. The point v + B' q has the same projection as v. So
/// no potentials are kept, and a v far outside costs no digit of B x = supply. (Li, Sun, Toh: On the
/// efficient computation of a generalized Jacobian of the projector over the Birkhoff polytope, Mathematical
/// Programming 179, 2020, with a factorisation in the place of conjugate gradients.)
class NetworkProjection {
 public:
  struct Arc {
    std::uint32_t tail, head;
  };

  /// supply sums to 0, and some flow within the bounds has it.
  void start(std::vector<Arc> arcs, std::vector<double> supply, double cap) {
    arcs_ = std::move(arcs);
    cap_ = cap;
    supply_ = Eigen::Map<const Vector>(supply.data(), static_cast<Eigen::Index>(supply.size()));
    if (supply_.any()) norm_ = supply_.norm(), largest_ = supply_.cwiseAbs().maxCoeff();
  }
  bool started() const noexcept { return supply_.size() > 0; }
  std::size_t nodes() const noexcept { return static_cast<std::size_t>(supply_.size()); }

  /// x, and a bound on its distance to the exact answer; x may be v. v is finite.
  double operator()(std::span<const double> v, std::span<double> x) {
    // A v far outside comes down by powers of 8. The v + B' q of a result is the start of the next level, 8
    // times as large, and no digit is lost.
    const double far = largest_magnitude(v) / (kFar * largest_);
    int levels = far > 1.0 ? static_cast<int>(std::ceil(std::log2(far) / 3.0)) : 0;
    z_.resize(v.size());
    for (std::size_t a = 0; a < v.size(); ++a) z_[a] = std::ldexp(v[a], -3 * levels);
    lost_.assign(v.size(), 0.0);
    for (; levels > 0; --levels) {
      descend(kRough);
      for (double& z : z_) z *= 8.0;
      for (double& lost : lost_) lost *= 8.0;
    }
    descend(0.0);
    double lost = 0.0;
    for (std::size_t a = 0; a < z_.size(); ++a) {
      x[a] = clipped(z_[a]);
      // A number beyond its bound may be another there.
      if (z_[a] > -lost_[a] && z_[a] < cap_ + lost_[a]) lost = std::hypot(lost, lost_[a]);
    }
    // x is the nearest point for the supply + r. Supplies are met by trees, in which an arc carries at most
    // half of their sum.
    return lost + 0.5 * std::sqrt(static_cast<double>(nodes())) * excess(z_).cwiseAbs().sum();
  }

 private:
  using Vector = Eigen::VectorXd;
  static constexpr int kMostSteps = 500, kIdle = 12;
  static constexpr double kFar = 16.0, kRough = 1e-2, kSmall = 1e-9, kMore = 30.0, kNear = 0.5, kAbove = 1e-6,
                          kEpsilon = std::numeric_limits<double>::epsilon();

  /// Newton's method for z, to a residual of that share of the supply, or as far as rounding lets it.
  void descend(double share) {
    double least = kInfinity;
    Vector r = excess(z_);
    for (int step = 0, idle = 0; step < kMostSteps && idle < kIdle; ++step) {
      const double residual = r.norm() / norm_;
      // It need not fall from step to step; in the end it only has the last bits to lose.
      idle = residual > kSmall || residual < 0.5 * least ? 0 : idle + 1;
      if (residual < least) least = residual, best_ = z_;
      if (residual <= std::max(share, kEpsilon)) break;
      const Vector d = -solved(r, residual * std::pow(kMore, idle));
      const double slope = r.dot(d);
      if (!(slope < 0.0)) break;
      r = moved(length(d, slope), d);
      z_.swap(trial_);
      for (std::size_t a = 0; a < z_.size(); ++a)
        lost_[a] += kEpsilon * (std::abs(z_[a]) + std::abs(trial_[a]));
    }
    z_.swap(best_);
  }

  double clipped(double z) const { return std::min(std::max(z, 0.0), cap_); }
  bool between(double z) const { return z > 0.0 && z < cap_; }

  Vector excess(std::span<const double> z) const {
    Vector r = -supply_;
    for (std::size_t a = 0; a < z.size(); ++a)
      if (const double flow = clipped(z[a]); flow != 0.0) r[arcs_[a].tail] += flow, r[arcs_[a].head] -= flow;
    return r;
  }
  /// trial <- z + t B' d, and its excess.
  Vector moved(double t, const Vector& d) {
    trial_.resize(z_.size());
    for (std::size_t a = 0; a < z_.size(); ++a) trial_[a] = z_[a] + t * (d[arcs_[a].tail] - d[arcs_[a].head]);
    return excess(trial_);
  }

  /// (B_I B_I' + e 1) q = r, e of the size of the residual over the supply, so that the last steps are
  /// Newton's. If steps gain nothing, e is larger.
  Vector solved(const Vector& r, double residual) {
    const double shift = std::clamp(1e-3 * residual, 1e-11, 1e-2);
    std::size_t count = 0;
    for (const double z : z_) count += between(z);
    const Eigen::Index n = r.size();
    if (2 * count > static_cast<std::size_t>(n * n) / 8) {
      Eigen::MatrixXd laplacian = Eigen::MatrixXd::Zero(n, n);
      laplacian.diagonal().setConstant(shift);
      each_between([&](Eigen::Index i, Eigen::Index j) {
        laplacian(i, i) += 1.0;
        laplacian(j, j) += 1.0;
        laplacian(std::max(i, j), std::min(i, j)) -= 1.0;
      });
      return Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>>(laplacian).solve(r);
    }
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(3 * count + nodes());
    for (Eigen::Index i = 0; i < n; ++i) entries.emplace_back(i, i, shift);
    each_between([&](Eigen::Index i, Eigen::Index j) {
      entries.emplace_back(i, i, 1.0), entries.emplace_back(j, j, 1.0),
          entries.emplace_back(std::max(i, j), std::min(i, j), -1.0);
    });
    Eigen::SparseMatrix<double> laplacian(n, n);
    laplacian.setFromTriplets(entries.begin(), entries.end());
    return Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(laplacian).solve(r);
  }
  template <class F>
  void each_between(F f) const {
    for (std::size_t a = 0; a < z_.size(); ++a)
      if (between(z_[a])) f(arcs_[a].tail, arcs_[a].head);
  }

  /// t > 0 along d where the slope, which rises from `slope` < 0, is nearer to 0 but not above it by more
  /// than rounding. So the function has fallen. If t = 1 satisfies this, it is 1.
  double length(const Vector& d, double slope) {
    const auto at = [&](double t) { return moved(t, d).dot(d); };
    const double above = std::max(-kAbove * slope, kEpsilon * norm_ * d.norm());
    double low = 0.0, high = 1.0, at_low = slope, at_high = at(1.0);
    for (int doubling = 0; at_high < kNear * slope && doubling < 60; ++doubling) {
      low = high;
      at_low = at_high;
      high *= 2.0;
      at_high = at(high);
    }
    double t = high, value = at_high;
    for (int halving = 0; !(value >= kNear * slope && value <= above) && halving < 200; ++halving) {
      // Every third time the middle, in the logarithm while the ends are far apart.
      t = halving % 3 == 2 ? (low > 0.0 && high > 4.0 * low ? std::sqrt(low * high) : 0.5 * (low + high))
                           : low + (high - low) * (at_low / (at_low - at_high));
      if (halving % 3 == 2 && low == 0.0) t = high * 1e-3;
      if (!(t > low && t < high)) break;
      value = at(t);
      (value < 0.0 ? low : high) = t;
      (value < 0.0 ? at_low : at_high) = value;
    }
    return t;
  }

  std::vector<Arc> arcs_;
  Vector supply_;
  double cap_ = kInfinity;
  double norm_ = 1.0, largest_ = 1.0;            ///< of the supply; 1 where nothing is supplied
  std::vector<double> z_, trial_, best_, lost_;  ///< lost_: what rounding may have moved each number of v by
};

}  // namespace claros::sdk
