// SPDX-License-Identifier: BSD-3-Clause
/// @file finite_point.hpp  A point of the set where the penalty is finite.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/element/element.hpp>
#include <claros/proximal_sum.hpp>

#include <array>
#include <cmath>
#include <vector>

/// x_C lies in C, and where h is not finite everywhere (bounds, a side constraint) outside its domain until
/// the end. What is reported then is prox_{gamma (h + I_C)}(x_C), which x_C comes to.
class FinitePoint {
 public:
  /// Whether h has a domain shows at points far out in three directions; one that hides from these ends the
  /// run, whose values it makes infinite.
  void start(const claros::Problem& problem, const claros::Shape& shape) {
    h_ = problem.penalty, projection_ = problem.projection;
    bounded_ = false;
    const auto size = static_cast<std::size_t>(shape.size());
    for (const auto& signs : {std::array{1.0, 1.0}, {-1.0, -1.0}, {1.0, -1.0}}) {
      if (!h_ || bounded_ || shape.is_product()) break;
      std::vector<double> far(size);
      for (std::size_t j = 0; j < size; ++j) far[j] = kFar * signs[j % 2];
      bounded_ = !std::isfinite(h_->value(claros::Element::dense(shape, std::move(far))));
    }
    bounded_ = bounded_ || (h_ && shape.is_product());
  }
  /// After a step of length gamma to x.
  void follow(const claros::Element& x, double gamma) {
    moved_ = bounded_ && !std::isfinite(h_->value(x));
    if (!moved_) return;
    const double mu = claros::convexifying(*h_), step = mu > 0.0 ? std::min(gamma, 0.5 / mu) : gamma;
    if (projection_)
      (void)claros::apply_sum(std::array{h_, projection_}, x, step, point_, {},
                              "algorithm/three-operator: the penalty on the set");
    else
      (void)h_->apply(x, step, point_, {});
  }
  const claros::Element& of(const claros::Element& x) const noexcept { return moved_ ? point_ : x; }

 private:
  static constexpr double kFar = 1e30;

  claros::ProximalOracle *h_ = nullptr, *projection_ = nullptr;
  bool bounded_ = false, moved_ = false;
  claros::Element point_;
};
