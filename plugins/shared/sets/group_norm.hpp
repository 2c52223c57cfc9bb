// SPDX-License-Identifier: BSD-3-Clause
/// @file group_norm.hpp  psi(x) = sum_g w_g ||x_g||, with the l2 or the l-infinity norm: what the penalty and
/// the ball share.
#pragma once

#include <claros/abilities.hpp>
#include <claros/element/falling_root.hpp>
#include <claros/sdk/entries.hpp>
#include <shared/sets/groups.hpp>
#include <shared/sets/water_level.hpp>

#include <span>
#include <string>
#include <vector>

namespace claros::sdk {

enum class BlockNorm { l2, linf };

struct GroupNormOptions {
  BlockNorm norm = BlockNorm::l2;
  GroupOptions groups;
};

/// `more`: what is said of the weights.
inline std::vector<ParameterRow<GroupNormOptions>> group_norm_rows(const std::string& more = "") {
  std::vector<ParameterRow<GroupNormOptions>> rows{row(
      "norm", &GroupNormOptions::norm, one_of<BlockNorm>({{BlockNorm::l2, "l2"}, {BlockNorm::linf, "linf"}}),
      "the norm of each group: Euclidean, or largest magnitude", "gamma")};
  for (auto& r : include(&GroupNormOptions::groups, group_rows("", more))) rows.push_back(std::move(r));
  return rows;
}

/// Arrays hold all entries of a variable of the last shape of `fit`; x may be v. Keeps its buffers between
/// calls.
class GroupNorm {
 public:
  GroupNorm(const GroupNormOptions& options, const Context& context,
            GroupWeights taken = GroupWeights::positive)
      : groups_(options.groups, context, false, taken), euclidean_(options.norm == BlockNorm::l2) {}

  /// The norm of some groups, one after the other.
  GroupNorm chosen(std::span<const Index> groups) const { return {groups_.chosen(groups), euclidean_}; }

  void fit(const Shape& shape) { groups_.fit(shape); }
  const Groups& groups() const noexcept { return groups_; }

  /// psi(x)
  double value(std::span<const double> x) {
    measure(x, euclidean_);
    return weighted_sum();
  }

  /// The dual norm: max_g ||s_g||_* / w_g, the l1 norm being dual to l-infinity, over groups that are not
  /// free.
  double dual(std::span<const double> s) {
    measure_dual(s);
    return norms_.empty() ? 0.0 : steepness(steepest());
  }

  /// x = argmin t psi(x) + ||x - v||^2 / 2. For l2, every group is scaled by max(1 - t w_g / ||v_g||, 0). For
  /// l-infinity, it is cut at the level at which the cuts sum to t w_g (by duality with the l1 ball).
  void prox(std::span<const double> v, double t, std::span<double> x) {
    if (!euclidean_) return cut(v, t, x);
    rescale(v, x, [&](std::size_t g, double norm) { return norm - scaled(g, t); });
  }

  /// Every group of v at the norm to(g, ||v_g||_2), 0 if that is not positive.
  template <class To>
  void rescale(std::span<const double> v, std::span<double> x, To to) {
    measure(v, true);
    for (std::size_t g = 0; g < norms_.size(); ++g) {
      const double rest = to(g, norms_[g]);
      scale(g, v, x, rest <= 0.0 ? 0.0 : rest / norms_[g]);
    }
  }
  /// sum_g f(g, ||x_g||_2)
  template <class F>
  double sum_over_groups(std::span<const double> x, F f) {
    measure(x, true);
    return sum_indices(norms_.size(), [&](std::size_t g) { return f(g, norms_[g]); });
  }

  /// That of group g alone, whose entries v and x are.
  void prox_group(Index group, const double* v, double t, double* x) const {
    const auto g = static_cast<std::size_t>(group);
    shrink({v, groups_.size(g)}, scaled(g, t), x);
  }

  /// x = argmin ||x - v|| over psi(x) <= radius. All v finite.
  void project(std::span<const double> v, double radius, std::span<double> x) {
    if (value(v) <= radius) return map_entries(v, x, [](double entry) { return entry; });
    euclidean_ ? project_euclidean(v, radius, x) : project_cut(v, radius, x);
  }

  /// x = argmin <c, x> over psi(x) <= radius: all of it in one group.
  void minimize(std::span<const double> c, double radius, std::span<double> x) {
    measure_dual(c);
    const std::size_t g = steepest();
    std::fill(x.begin(), x.end(), 0.0);
    const double height = radius / groups_.weight(g), norm = norms_[g];
    each(g, [&](std::size_t j) {
      x[j] = !euclidean_ ? std::copysign(height, -c[j]) : norm > 0.0 ? -height * (c[j] / norm) : 0.0;
    });
  }

  /// max ||x||_2 over psi(x) <= radius.
  double largest_norm(double radius) const {
    double most = 0.0;
    for (std::size_t g = 0; g < groups_.count(); ++g) {
      const double side = euclidean_ ? 1.0 : std::sqrt(static_cast<double>(groups_.size(g)));
      most = std::max(most, side * radius / groups_.weight(g));
    }
    return most;
  }

  /// Steps x <- prox_{t h}(x - t d) of single groups, h = lambda psi on {x >= least}, `least` 0 or -infinity.
  /// The result is valid until the next call, and as long as this object lives.
  LazySteps lazy_steps(double t, double lambda, double least = -kInfinity) {
    step_ = t;
    level_ = t * lambda;
    least_ = least;
    std::size_t largest = 0;
    group_of_.resize(groups_.offsets().back());
    for (std::size_t g = 0; g < groups_.count(); ++g) {
      largest = std::max(largest, groups_.size(g));
      each(g, [&](std::size_t j) { group_of_[j] = static_cast<std::int32_t>(g); });
    }
    moved_.resize(largest);
    return {.self = this,
            .group = &advance,
            .group_of = group_of_,
            .first = groups_.offsets(),
            .members = groups_.listed()};
  }

 private:
  GroupNorm(Groups groups, bool euclidean) : groups_(std::move(groups)), euclidean_(euclidean) {}
  /// One by one while the group moves: one that rests at 0 is seen to after a step.
  static void advance(const void* self, Index g, Index count, std::span<const double> d, std::span<double> x,
                      std::span<double> sum) {
    const auto& norm = *static_cast<const GroupNorm*>(self);
    const double level = norm.scaled(static_cast<std::size_t>(g), norm.level_);
    for (bool moves = true; count > 0; --count) {
      if (moves) moves = norm.step(level, d, x);
      const double times = moves ? 1.0 : static_cast<double>(count);
      for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += times * x[j];
      if (!moves) return;
    }
  }

  /// x = argmin threshold ||x|| + ||x - v||^2 / 2 over one group's entries; x may be v.
  void shrink(std::span<const double> v, double threshold, double* x) const {
    if (!euclidean_) {
      const double level = clip_level(v, threshold);
      for (std::size_t k = 0; k < v.size(); ++k) x[k] = std::min(std::max(v[k], -level), level);
      return;
    }
    const double length = euclidean_norm(v), rest = length - threshold,
                 factor = rest <= 0.0 ? 0.0 : rest / length;
    for (std::size_t k = 0; k < v.size(); ++k) x[k] = factor == 0.0 ? 0.0 : v[k] * factor;
  }

  /// True if the entries x of a group moved.
  bool step(double level, std::span<const double> d, std::span<double> x) const {
    const std::span<double> v = std::span(moved_).first(x.size());
    for (std::size_t j = 0; j < x.size(); ++j) v[j] = std::max(x[j] - step_ * d[j], least_);
    shrink(v, level, v.data());
    const bool moves = !std::equal(v.begin(), v.end(), x.begin());
    std::copy(v.begin(), v.end(), x.begin());
    return moves;
  }

  template <class F>
  void each(std::size_t g, F f) const {
    if (groups_.contiguous()) {
      const std::size_t end = groups_.first(g) + groups_.size(g);
      for (std::size_t j = groups_.first(g); j < end; ++j) f(j);
    } else {
      for (const std::int32_t j : groups_.members(g)) f(static_cast<std::size_t>(j));
    }
  }

  /// The entries of one group, side by side.
  std::span<const double> gathered(std::span<const double> x, std::size_t g) {
    if (groups_.contiguous()) return x.subspan(groups_.first(g), groups_.size(g));
    scratch_.clear();
    for (const std::int32_t j : groups_.members(g)) scratch_.push_back(x[static_cast<std::size_t>(j)]);
    return scratch_;
  }

  void measure(std::span<const double> x, bool euclidean) {
    norms_.resize(groups_.count());
    for (std::size_t g = 0; g < norms_.size(); ++g)
      norms_[g] = euclidean ? euclidean_norm(gathered(x, g)) : largest_magnitude(gathered(x, g));
  }
  void measure_dual(std::span<const double> s) {
    if (euclidean_) return measure(s, true);
    norms_.resize(groups_.count());
    for (std::size_t g = 0; g < norms_.size(); ++g) norms_[g] = sum_of_magnitudes(gathered(s, g));
  }
  double weighted_sum() const {
    return sum_indices(norms_.size(),
                       [&](std::size_t g) { return norms_[g] == 0.0 ? 0.0 : scaled(g, norms_[g]); });
  }
  /// t w_g, also if t is 0 and w_g is infinite: such a group is 0.
  double scaled(std::size_t g, double t) const {
    const double weight = groups_.weight(g);
    return std::isinf(weight) ? weight : t * weight;
  }
  double steepness(std::size_t g) const {
    return groups_.weight(g) > 0.0 ? norms_[g] / groups_.weight(g) : 0.0;
  }
  /// The group of largest norm over weight; one with NaN before all others.
  std::size_t steepest() const {
    std::size_t best = 0;
    for (std::size_t g = 0; g < norms_.size(); ++g) {
      if (std::isnan(norms_[g])) return g;
      if (steepness(g) > steepness(best)) best = g;
    }
    return best;
  }

  /// 0 also of infinite entries.
  void scale(std::size_t g, std::span<const double> v, std::span<double> x, double factor) const {
    if (factor == 0.0) return each(g, [&](std::size_t j) { x[j] = 0.0; });
    each(g, [&](std::size_t j) { x[j] = v[j] * factor; });
  }

  /// Group g keeps the norm w_g max(y - (top - ||v_g|| / w_g), 0): the water level of the weighted simplex.
  void project_euclidean(std::span<const double> v, double radius, std::span<double> x) {
    const auto weights = groups_.weights();
    std::size_t peak = 0;
    for (std::size_t g = 0; g < norms_.size(); ++g) {
      norms_[g] /= weights[g];
      if (norms_[g] > norms_[peak]) peak = g;
    }
    const double top = norms_[peak];
    const auto depth = [&](std::size_t g) { return top - norms_[g]; };
    const double y = water_level(
        norms_.size(), depth, [&](std::size_t g) { return weights[g] * weights[g]; }, radius,
        radius / (weights[peak] * weights[peak]));
    for (std::size_t g = 0; g < norms_.size(); ++g) {
      const double rest = y - depth(g);
      scale(g, v, x, rest <= 0.0 ? 0.0 : rest / norms_[g]);
    }
  }

  /// The norms that the groups of v keep when t psi is added: the levels of `cut`.
  void measure_levels(std::span<const double> v, double t) {
    norms_.resize(groups_.count());
    for (std::size_t g = 0; g < norms_.size(); ++g) norms_[g] = clip_level(gathered(v, g), scaled(g, t));
  }

  void cut(std::span<const double> v, double t, std::span<double> x) {
    measure_levels(v, t);
    for (std::size_t g = 0; g < norms_.size(); ++g)
      each(g, [&, level = norms_[g]](std::size_t j) { x[j] = std::min(std::max(v[j], -level), level); });
  }

  void project_cut(std::span<const double> v, double radius, std::span<double> x) {
    const auto excess = [&](double t) {
      measure_levels(v, t);
      return weighted_sum() - radius;
    };
    cut(v, falling_root(excess, largest_magnitude(v)), x);
  }

  Groups groups_;
  bool euclidean_;
  std::vector<double> norms_, scratch_;
  double step_ = 0.0, level_ = 0.0, least_ = -kInfinity;  ///< t, t lambda and the bound of lazy_steps
  std::vector<std::int32_t> group_of_;
  mutable std::vector<double> moved_;
};

}  // namespace claros::sdk
