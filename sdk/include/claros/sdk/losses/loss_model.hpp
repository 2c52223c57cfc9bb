// SPDX-License-Identifier: BSD-3-Clause
/// @file loss_model.hpp  What a loss of a linear image is made of.
#pragma once

#include <claros/error.hpp>
#include <claros/loss.hpp>
#include <claros/map/linear_map.hpp>
#include <claros/sdk/losses/quadratic_form.hpp>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace claros::sdk {

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

  void require_sizes() const {
    const auto n = static_cast<Index>(targets.size());
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
};

}  // namespace claros::sdk
