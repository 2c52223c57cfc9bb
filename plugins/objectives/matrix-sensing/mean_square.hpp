// SPDX-License-Identifier: BSD-3-Clause
/// @file mean_square.hpp  The expected square of Gaussian measurements, in closed form.
#pragma once

#include "draws.hpp"

#include <claros/objective.hpp>

#include <utility>

namespace matrix_sensing {

/// (c/2) E (<A, D> - noise N(0, 1))^2, D = X - X*. For Gaussian entries and for a b' it is (c/2) (||D||_F^2 +
/// noise^2), since E <A, D>^2 = ||D||_F^2. For a a' it is (c/2) (2 ||S||_F^2 + (tr S)^2 + noise^2), S = (D +
/// D')/2 (the fourth moments of a Gaussian vector). That is (p + 2) c-smooth and sees S alone.
class MeanSquare final : public claros::Objective {
 public:
  MeanSquare(claros::Element truth, Draws::Kind kind, double noise, double c)
      : truth_(std::move(truth)), symmetric_(kind == Draws::Kind::symmetric), noise_(noise), c_(c) {}

  claros::Shape shape() const override { return truth_.shape(); }
  claros::Index terms() const override { return 1; }
  double value(const claros::Element& x) override {
    const claros::Element d = error(x);
    double square = inner(d, d);
    if (symmetric_) square = inner(d, d) + inner(d, transposed(d)) + trace(d) * trace(d);
    return 0.5 * c_ * (square + noise_ * noise_);
  }
  void add_gradient(const claros::Element& x, const claros::Batch&, double a, claros::Element& g) override {
    const claros::Element d = error(x);
    g.add(a * c_, d);
    if (!symmetric_) return;
    g.add(a * c_, transposed(d));
    const double t = a * c_ * trace(d);
    const std::span<double> values = g.dense_values();
    for (claros::Index j = 0; j < shape().rows; ++j)
      values[static_cast<std::size_t>(j * (shape().rows + 1))] += t;
  }
  claros::Constants constants() const override {
    const double p = static_cast<double>(shape().rows), L = c_ * (symmetric_ ? p + 2.0 : 1.0);
    claros::Constants k;
    k.convex = true;
    k.smoothness = k.term_smoothness = L;
    if (!symmetric_) k.strong_convexity = L;
    k.lower_smoothness = k.hessian_smoothness = k.term_hessian_smoothness = 0.0;
    k.lower_bound = 0.5 * c_ * noise_ * noise_;
    return k;
  }

 private:
  claros::Element error(const claros::Element& x) const {
    claros::Element d(x);
    d.add(-1.0, truth_);
    (void)d.dense_values();
    return d;
  }
  static double trace(const claros::Element& d) {
    const std::vector<double> v = d.to_dense();
    double sum = 0.0;
    for (std::size_t j = 0, n = static_cast<std::size_t>(d.shape().rows); j < n; ++j) sum += v[j * (n + 1)];
    return sum;
  }
  static claros::Element transposed(const claros::Element& d) {
    const auto n = static_cast<std::size_t>(d.shape().rows);
    const std::vector<double> v = d.to_dense();
    std::vector<double> t(v.size());
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) t[j * n + i] = v[i * n + j];
    return claros::Element::dense(d.shape(), std::move(t));
  }

  claros::Element truth_;
  bool symmetric_;
  double noise_, c_;
};

}  // namespace matrix_sensing
