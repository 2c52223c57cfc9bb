// SPDX-License-Identifier: BSD-3-Clause
/// @file loss_model.hpp  What a loss of a linear image is made of.
#pragma once

#include <claros/element/parallel.hpp>
#include <claros/error.hpp>
#include <claros/loss.hpp>
#include <claros/map/linear_map.hpp>
#include <claros/sdk/losses/quadratic_form.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace claros::sdk {

/// Sums that an error bound is made of (Rounding).
struct RoundingSums {
  double products = 0.0;  ///< sum_i |w_i psi'_i| ||a_i||
  double targets = 0.0;   ///< sum_i |w_i psi'_i| |y_i|
  double bend = 0.0;      ///< sum_i of the change of psi_i beyond its slope, for errors unit ||a_i|| of z_i
};

/// The parts of f(x) = (1/n) sum_i w_i psi(A_i x, y_i) - x'Sx/2 (see LossOnMap).
struct LossModel {
  MapPtr map;                   ///< outputs() outputs a component
  std::vector<double> targets;  ///< y, one a component
  std::shared_ptr<const Loss> loss;
  std::vector<double> weights = {};                      ///< w, one a component, or empty for 1
  std::shared_ptr<const QuadraticForm> covariance = {};  ///< S; null for 0
  Index free_tail = 0;     ///< so many coordinates come last that no penalty or set sees
  Shape constrained = {};  ///< the shape of the others, if there are some
  std::vector<double> target_sizes =
      {};  ///< what psi(z, y_i) adds z and numbers of; empty: |y_i|, as of targets that are numbers
  bool entrywise = false;  ///< whether psi is a sum of functions of one output each

  Index outputs() const { return loss->outputs(); }
  Index terms() const { return static_cast<Index>(targets.size()); }
  double weight(std::size_t i) const { return weights.empty() ? 1.0 : weights[i]; }

  void require_sizes() const {
    const Index n = terms();
    if (n == 0) throw Error(ErrorKind::data, "", "no observation given", "give at least one");
    if (n * outputs() != map->size())
      throw Error(
          ErrorKind::data, "",
          std::to_string(n) + " targets for " + std::to_string(map->size() / outputs()) + " observations");
    if (!weights.empty() && static_cast<Index>(weights.size()) != n)
      throw Error(ErrorKind::data, "",
                  std::to_string(weights.size()) + " weights for " + std::to_string(n) + " observations");
  }

  double target_size(std::size_t i) const {
    return target_sizes.empty() ? std::abs(targets[i]) : target_sizes[i];
  }

  /// The range of an array that belongs to the components [first, last): the array has one number for each,
  /// or outputs() numbers for each.
  static std::span<const double> part(const std::vector<double>& all, Index first, Index last) {
    return std::span<const double>(all).subspan(static_cast<std::size_t>(first),
                                                static_cast<std::size_t>(last - first));
  }
  template <class T>
  std::span<T> outputs_of(std::span<T> all, Index first, Index last) const {
    return all.subspan(static_cast<std::size_t>(first * outputs()),
                       static_cast<std::size_t>((last - first) * outputs()));
  }

  /// sum over [first, last) of w_i psi(z_i, y_i); z are all outputs.
  double sum(Index first, Index last, std::span<const double> z) const {
    const auto images = outputs_of(z, first, last), y = part(targets, first, last);
    return weights.empty() ? loss->sum(images, y) : loss->weighted_sum(images, y, part(weights, first, last));
  }
  /// c <- a w c for the outputs of the components from `first` on.
  void scale(double a, Index first, std::span<double> c) const {
    const auto K = static_cast<std::size_t>(outputs());
    for (std::size_t k = 0; k < c.size(); ++k)
      c[k] *= weights.empty() ? a : a * weights[static_cast<std::size_t>(first) + k / K];
  }

  /// sum_i w_i psi(z_i, y_i). Sums over all components are made in chunks: the error of one long sum would
  /// show in a gap.
  double sum(std::span<const double> z) const {
    return sum_chunks(terms(), kGrain, [&](Index first, Index last) { return sum(first, last, z); });
  }
  /// sum_i w_i psi*(u_i, y_i)
  double conjugate(std::span<const double> u) const {
    return sum_chunks(terms(), kGrain, [&](Index first, Index last) {
      const auto w = weights.empty() ? std::span<const double>() : part(weights, first, last);
      return loss->conjugate(outputs_of(u, first, last), part(targets, first, last), w);
    });
  }
  /// c <- a w psi'(z, y), for a block of outputs.
  LinearMap::Middle slopes(double a) const {
    return [this, a](Index first, std::span<const double> z, std::span<double> c) {
      const Index from = first / outputs(), to = from + static_cast<Index>(c.size()) / outputs();
      loss->derivative(z, part(targets, from, to), c);
      scale(a, from, c);
    };
  }
  /// Does so for all outputs.
  void slopes(double a, std::span<const double> z, std::span<double> c) const {
    const LinearMap::Middle derive = slopes(a);
    for_chunks(terms(), kGrain, [&](Index, Index first, Index last) {
      derive(first * outputs(), outputs_of(z, first, last), outputs_of(c, first, last));
    });
  }
  /// psi''(z, y)
  std::vector<double> curvatures(std::span<const double> z) const {
    std::vector<double> second(z.size());
    for_chunks(terms(), kGrain, [&](Index, Index first, Index last) {
      loss->second_derivative(outputs_of(z, first, last), part(targets, first, last),
                              outputs_of(std::span<double>(second), first, last));
    });
    return second;
  }
  /// The sums of an error bound at the images z, divided by `share`; c are the slopes there, divided by it.
  /// `squares` are the ||a_i||^2 of the components, empty for 1. An image z_i is off by up to delta_i = unit
  /// ||a_i||. A bounded curvature L bends psi by at most L delta_i^2 / 2, another convex psi bends by at most
  /// psi(z + delta) + psi(z - delta) - 2 psi(z).
  RoundingSums rounding(std::span<const double> z, std::span<const double> c,
                        const std::vector<double>& squares, double unit, double share = 1.0) const {
    const auto K = static_cast<std::size_t>(outputs());
    const auto square = [&](std::size_t i) { return squares.empty() ? 1.0 : squares[i]; };
    RoundingSums sums;
    for (std::size_t k = 0; k < z.size(); ++k) {
      sums.products += std::abs(c[k]) * std::sqrt(square(k / K));
      sums.targets += std::abs(c[k]) * target_size(k / K);
    }
    constexpr double kSlight = 1e-14;  // of a value, beside its rounding
    const LossConstants constants = loss->constants();
    double most = std::numeric_limits<double>::infinity();
    if (const auto L = constants.smoothness) {
      double sum = 0.0;
      for (std::size_t i = 0; i < targets.size(); ++i) sum += weight(i) * square(i);
      most = 0.5 * *L * unit * unit * sum / share;
    }
    // A loss that becomes linear, as huber, bends less over a long move than its largest curvature says. That
    // of several outputs does not see a move that is common to them.
    const bool bends_alike = K > 1 || !constants.convex || (constants.third && *constants.third == 0.0);
    const auto slight = [&] { return most <= kSlight * std::abs(sum(z) / share); };
    if (std::isfinite(most) && (bends_alike || slight())) {
      sums.bend = most;
      return sums;
    }
    std::vector<double> above(z.begin(), z.end()), below(above);
    for (std::size_t k = 0; k < z.size(); ++k) {
      const double delta = unit * std::sqrt(square(k / K));
      above[k] += delta;
      below[k] -= delta;
    }
    const double twice = sum(above) / share + sum(below) / share;
    const double bend = std::isfinite(twice) ? std::max(0.0, twice - 2.0 * (sum(z) / share)) : twice;
    sums.bend = bend < most ? bend : most;
    return sums;
  }

  static constexpr Index kGrain = 1 << 12;
};

}  // namespace claros::sdk
