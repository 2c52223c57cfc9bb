// SPDX-License-Identifier: BSD-3-Clause
/// @file finite_point.hpp  A point of the set where the penalty is finite.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/element/element.hpp>
#include <claros/proximal_sum.hpp>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace claros::sdk {

/// x_C lies in C. If h is not finite everywhere (bounds, a side constraint), it may lie outside the domain of
/// h before the end. Then prox_{gamma (h + I_C)}(x_C) is reported, which x_C converges to. Without a set a
/// point that rounding alone leaves outside, where values are still finite, is moved inside.
class FinitePoint {
 public:
  /// `algorithm` is its name in errors, "algorithm/three-operator".
  explicit FinitePoint(std::string algorithm) : where_(std::move(algorithm) + ": the penalty on the set") {}

  /// Three points far out show if h has a domain. An h whose domain they do not show makes values infinite,
  /// which end the run.
  void start(const Problem& problem, const Shape& shape) {
    h_ = problem.penalty;
    projection_ = problem.projection;
    bounded_ = false;
    const auto size = static_cast<std::size_t>(shape.size());
    for (const auto& signs : {std::array{1.0, 1.0}, {-1.0, -1.0}, {1.0, -1.0}}) {
      if (!h_ || bounded_ || shape.is_product()) break;
      std::vector<double> far(size);
      for (std::size_t j = 0; j < size; ++j) far[j] = kFar * signs[j % 2];
      bounded_ = !std::isfinite(h_->value(Element::dense(shape, std::move(far))));
    }
    bounded_ = bounded_ || (h_ && shape.is_product());
  }
  /// Called after a step of length gamma to x.
  void follow(const Element& x, double gamma) {
    const bool is_infinite = bounded_ && !std::isfinite(h_->value(x));
    moved_ = is_infinite || (bounded_ && !projection_);
    if (!moved_) return;
    const double mu = convexifying(*h_), longest = is_infinite ? gamma : kShort,
                 step = mu > 0.0 ? std::min(longest, 0.5 / mu) : longest;
    if (projection_)
      (void)apply_sum(std::array{h_, projection_}, x, step, point_, {}, where_);
    else
      (void)h_->apply(x, step, point_, {});
  }
  const Element& of(const Element& x) const noexcept { return moved_ ? point_ : x; }

 private:
  static constexpr double kFar = 1e30, kShort = 1e-30;

  std::string where_;
  ProximalOracle *h_ = nullptr, *projection_ = nullptr;
  bool bounded_ = false, moved_ = false;
  Element point_;
};

}  // namespace claros::sdk
