// SPDX-License-Identifier: BSD-3-Clause
/// @file root_mean_square.hpp  The root mean square of residuals, made smooth where it is small.
#pragma once

#include <claros/abilities.hpp>
#include <shared/losses/image_function.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace square_root {

/// With r = z - y and s^2 = (1/n) sum_i w_i r_i^2, w of sum n,
///   phi(z) = min over sigma >= sigma_0 of s^2 / (2 sigma) + sigma / 2
///          = s if s >= sigma_0, s^2 / (2 sigma_0) + sigma_0 / 2 elsewhere
/// (Ndiaye, Fercoq, Gramfort, Leclere, Salmon 2017). The sigma of the minimum is max(s, sigma_0), and grad
/// phi = w r / (n sigma). The conjugate is phi*(u) = <u, y> + (sigma_0 / 2) (n sum_i u_i^2 / w_i - 1) if n
/// sum_i u_i^2 / w_i <= 1. Centred, phi is the minimum of phi(z + b) over b: r = z - y - b, b the weighted
/// mean of z - y. Then phi*(u) is infinite unless sum_i u_i is 0, as it is for every gradient.
class RootMeanSquare final : public claros::sdk::ImageFunction {
 public:
  /// `weights`: of sum n, or empty for 1. sigma_0 > 0.
  RootMeanSquare(std::vector<double> y, std::vector<double> weights, double sigma_0, bool centred)
      : y_(std::move(y)), weights_(std::move(weights)), least_(sigma_0), centred_(centred) {}

  double value(Numbers z) const override {
    const double s = spread(z);
    return s >= least_ ? s : 0.5 * s * (s / least_) + 0.5 * least_;
  }
  void gradient(Numbers z, std::span<double> out) const override {
    const double b = mean(z), scale = n() * sigma(spread(z));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = weight(i) * ((z[i] - y_[i] - b) / scale);
  }
  void curvature(Numbers z, std::span<double> out) const override {
    const Bend bend = bend_at(z);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = weight(i) * (centred_ ? 1.0 - weight(i) / n() : 1.0) / bend.scale -
               (bend.slope.empty() ? 0.0 : bend.slope[i] * bend.slope[i] / bend.sigma);
  }
  Product hessian(Numbers z) const override {
    return [this, bend = bend_at(z)](Numbers d, std::span<double> out) {
      double along = 0.0, middle = 0.0;
      for (std::size_t i = 0; i < bend.slope.size(); ++i) along += bend.slope[i] * d[i];
      for (std::size_t i = 0; centred_ && i < out.size(); ++i) middle += weight(i) * d[i] / n();
      for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = weight(i) * (d[i] - middle) / bend.scale -
                 (bend.slope.empty() ? 0.0 : bend.slope[i] * (along / bend.sigma));
    };
  }
  double conjugate(Numbers z, double a) const override {
    const double b = mean(z), s = spread(z), scale = n() * sigma(s), share = a * (s / sigma(s));
    double product = 0.0;
    for (std::size_t i = 0; i < y_.size(); ++i) product += weight(i) * ((z[i] - y_[i] - b) / scale) * y_[i];
    return a * product + 0.5 * least_ * (share * share - 1.0);
  }
  double lower_bound() const override { return 0.5 * least_; }
  void diagonal_bound(std::span<double> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = weight(i) / (n() * least_);
  }
  double largest_curvature() const override { return 1.0 / least_; }
  bool ignores_shifts() const override { return centred_; }
  double value_error(Numbers z) const override { return unit() * (value(z) + std::abs(mean(z))); }
  void gradient_errors(Numbers z, std::span<double> out) const override {
    gradient(z, out);
    const double of_mean = std::abs(mean(z)) / (n() * sigma(spread(z)));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = unit() * (std::abs(out[i]) + weight(i) * of_mean);
  }

  double least() const { return least_; }
  /// s at z.
  double spread(Numbers z) const {
    const double b = mean(z);
    double sum = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < y_.size(); ++i) largest = std::max(largest, std::abs(z[i] - y_[i] - b));
    if (!(largest > 0.0) || !std::isfinite(largest)) return largest;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double r = (z[i] - y_[i] - b) / largest;
      sum += weight(i) * r * r;
    }
    return largest * std::sqrt(sum / n());
  }
  /// If phi is centred, the weighted mean of z - y, which is minus the b of the minimum. Else 0.
  double mean(Numbers z) const {
    double sum = 0.0;
    for (std::size_t i = 0; centred_ && i < y_.size(); ++i) sum += weight(i) * ((z[i] - y_[i]) / n());
    return sum;
  }

 private:
  /// phi'' = diag(w) / scale - slope slope' / sigma; no slope if phi is quadratic.
  struct Bend {
    double scale, sigma;
    std::vector<double> slope;
  };
  Bend bend_at(Numbers z) const {
    const double s = spread(z);
    Bend bend{n() * sigma(s), sigma(s), {}};
    if (s < least_) return bend;
    bend.slope.resize(y_.size());
    gradient(z, bend.slope);
    return bend;
  }
  double n() const { return static_cast<double>(y_.size()); }
  double unit() const { return 2.0 * claros::sum_rounding(static_cast<claros::Index>(y_.size())); }
  double weight(std::size_t i) const { return weights_.empty() ? 1.0 : weights_[i]; }
  double sigma(double s) const { return std::max(s, least_); }

  std::vector<double> y_, weights_;
  double least_;  ///< sigma_0
  bool centred_;
};

}  // namespace square_root
