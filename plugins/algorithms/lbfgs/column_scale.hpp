// SPDX-License-Identifier: BSD-3-Clause
/// @file column_scale.hpp  Coordinates in which the columns of the data are of one size.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/map/design_map.hpp>
#include <claros/sdk/dense_access.hpp>
#include <claros/sdk/design_entries.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

/// x_j = s_j u_j, s_j the power of two next to one over the root mean square of column j. So nothing is
/// rounded on the way. L-BFGS begins from a multiple of the identity, which has one size. Beside a column of
/// size 5e4, steps along one of size 1 were never made. Used for linear models whose columns differ by more
/// than eightfold in size. There must be no set, and the penalty, if any, must be convex and a sum over
/// coordinates.
class ColumnScale {
 public:
  void start(const claros::Problem& problem, const claros::Shape& shape) {
    shape_ = shape;
    s_.clear();
    const auto* terms = claros::query<claros::TermCoefficients>(*problem.objective);
    const claros::DesignMap* map = terms ? terms->map()->design_map() : nullptr;
    if (!map || problem.set || shape.is_product() || shape.size() != map->domain().size()) return;
    penalised_ = 0;
    if (problem.penalty) {
      if (!problem.separable || problem.penalty->weak_convexity() != 0.0) return;
      const claros::Blocks blocks = problem.separable->blocks(map->shape());
      if (!blocks.are_single()) return;
      penalised_ = static_cast<std::size_t>(blocks.count());
      step_ = problem.separable->block_step();
    }
    const std::vector<double> sizes = sizes_of(*map->design());
    double least = 1.0, most = 1.0;  // of the intercept
    if (!map->has_intercept() && !sizes.empty()) least = most = sizes.front();
    for (const double size : sizes) least = std::min(least, size), most = std::max(most, size);
    if (!(most > kApart * least) || !std::isfinite(most)) return;
    s_.assign(static_cast<std::size_t>(shape.size()), 1.0);
    const auto entries = static_cast<std::size_t>(map->shape().size());
    for (std::size_t j = 0; j < entries; ++j)
      s_[j] = std::exp2(-std::round(std::log2(sizes[j % sizes.size()])));
  }

  bool is_used() const noexcept { return !s_.empty(); }
  /// x with x_j = s_j u_j; `u` itself if nothing is scaled.
  const claros::Element& data_point(const claros::Element& u, claros::Element& x) {
    if (!is_used()) return u;
    multiply(u, x, [&](std::size_t j) { return s_[j]; });
    x.drop_images();
    return x;
  }
  /// Scales a gradient with respect to x: g_j becomes s_j g_j.
  void to_slope(claros::Element& g) {
    if (is_used()) multiply(g, g, [&](std::size_t j) { return s_[j]; });
  }
  void to_coordinates(claros::Element& x) {
    if (!is_used()) return;
    multiply(x, x, [&](std::size_t j) { return 1.0 / s_[j]; });
    x.drop_images();
  }
  /// z <- the proximal step of u -> h(x): by coordinates, each of its own length.
  void proximal_step(const claros::Element& v, double step, claros::Element& z) {
    const std::span<const double> from = reader_.copy(v);
    const std::span<double> to = claros::sdk::overwrite_dense(shape_, z);
    for (std::size_t j = 0; j < to.size(); ++j) {
      to[j] = from[j];
      if (j >= penalised_) continue;
      const double x = s_[j] * from[j];
      double moved = x;
      step_(static_cast<claros::Index>(j), &x, step * s_[j] * s_[j], &moved);
      to[j] = moved / s_[j];
    }
  }

 private:
  static constexpr double kApart = 8.0;

  template <class Factor>
  void multiply(const claros::Element& from, claros::Element& to, const Factor& factor) {
    const std::span<const double> values = reader_.copy(from);
    const std::span<double> out = claros::sdk::overwrite_dense(shape_, to);
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = factor(j) * values[j];
  }

  /// Root mean squares; 1 of columns of zeros.
  static std::vector<double> sizes_of(const claros::Design& design) {
    std::vector<double> sizes = claros::sdk::column_squares(design);
    for (double& size : sizes)
      size = size > 0.0 && std::isfinite(size) ? std::sqrt(size / static_cast<double>(design.rows)) : 1.0;
    return sizes;
  }

  claros::Shape shape_;
  std::vector<double> s_;  ///< empty: nothing is scaled
  std::size_t penalised_ = 0;
  claros::BlockStep step_;
  claros::sdk::DenseReader reader_;
};
