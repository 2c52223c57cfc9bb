// SPDX-License-Identifier: BSD-3-Clause
/// @file estimator_problems.hpp  Small finite sums, twice: as objectives, and as plain loops over dense
/// arrays.
#pragma once

#include <claros/gradient_estimator.hpp>
#include <claros/map/sampling_map.hpp>
#include <claros/plugin/catalog.hpp>
#include <claros/sdk/loss_on_map.hpp>
#include <claros/watch/watched.hpp>

#include "../core/numbers.hpp"
#include "compose_for_test.hpp"

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace claros::test {

using Dense = std::vector<double>;

/// {{"batch", "7"}} as settings of an estimator.
using Numbers = std::vector<std::pair<std::string, std::string>>;
inline Numbers operator+(Numbers first, const Numbers& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// A component of the build by name, with parameters.
inline std::shared_ptr<Component> part(Kind kind, const std::string& name, const Numbers& numbers) {
  std::vector<Setting> settings;
  for (const auto& [key, value] : numbers) settings.push_back({key, value, {}, {}});
  return create_component(build_catalog(), kind, name, settings, Context{});
}

inline std::shared_ptr<GradientEstimator> estimator(const std::string& name, const Numbers& numbers) {
  return std::static_pointer_cast<GradientEstimator>(part(Kind::estimator, name, numbers));
}

inline Dense normals(std::uint64_t seed, Index n) {
  Dense values(static_cast<std::size_t>(n));
  RandomStream(seed, Purpose::test).fill_normal(values);
  return values;
}

/// f(X) = (1/n) sum_e psi(X_e, y_e) over a random part of the entries of a matrix.
template <class Psi>
class Entries : public sdk::LossOnMap {
 public:
  /// Data measured in `unit`.
  Entries(Index rows, Index cols, double density, Psi psi_, std::uint64_t seed = 1, double unit = 1.0)
      : psi(psi_) {
    RandomStream random(seed, Purpose::test, 7);
    std::vector<std::int32_t> row, col;
    for (std::int32_t i = 0; i < rows; ++i)
      for (std::int32_t j = 0; j < cols; ++j)
        if (random.uniform() < density) row.push_back(i), col.push_back(j), position.push_back(j * rows + i);
    y = normals(seed, static_cast<Index>(row.size()));
    for (double& value : y) value *= unit;
    set_model(std::make_shared<SamplingMap>(std::make_shared<Pattern>(rows, cols, row, col)), y,
              std::make_shared<sdk::LossOf<Psi>>(psi));
  }
  Constants constants() const override {
    const auto c = psi.constants();
    Constants known;
    known.term_smoothness = c.smoothness;
    known.term_hessian_smoothness = c.third;
    return known;
  }

  Psi psi;
  Dense y;
  std::vector<Index> position;  ///< of entry e in a column-major array
};

/// The same sum, component by component on dense arrays.
template <class Psi>
struct PlainSum {
  const Entries<Psi>& f;

  std::vector<Index> everything() const {
    std::vector<Index> all(f.y.size());
    for (std::size_t e = 0; e < all.size(); ++e) all[e] = static_cast<Index>(e);
    return all;
  }
  /// (1/|S|) sum_S grad f_i(x)
  Dense gradient(const Dense& x, const std::vector<Index>& S) const {
    return mean(x.size(), S, [&](std::size_t e, std::size_t k) { return f.psi.derivative(x[k], f.y[e]); });
  }
  /// (1/|S|) sum_S hess f_i(at) d
  Dense hessian_product(const Dense& at, const Dense& d, const std::vector<Index>& S) const {
    return mean(at.size(), S,
                [&](std::size_t e, std::size_t k) { return f.psi.second_derivative(at[k], f.y[e]) * d[k]; });
  }

 private:
  template <class Component>
  Dense mean(std::size_t size, const std::vector<Index>& S, Component component) const {
    Dense sum(size, 0.0);
    for (const Index i : S) {
      const auto e = static_cast<std::size_t>(i), k = static_cast<std::size_t>(f.position[e]);
      sum[k] += component(e, k) / static_cast<double>(S.size());
    }
    return sum;
  }
};

inline Dense plus(Dense a, double w, const Dense& b) {
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += w * b[k];
  return a;
}

inline Element rank_one(const Shape& shape, std::uint64_t seed, double weight = 1.0) {
  return Element::rank_one(weight, normals(2 * seed, shape.rows), normals(2 * seed + 1, shape.cols));
}

/// x_0, x_1, ...: convex combinations with rank-one vertices, as Frank-Wolfe makes them.
struct Path {
  Element x;
  std::uint64_t t = 0;
  explicit Path(const Shape& shape, std::uint64_t seed = 100) : x(rank_one(shape, seed)), t(seed) {}
  void step(double weight = 0.2) {
    const Element v = rank_one(x.shape(), ++t);
    x.blend(weight, v);
  }
};

/// As an algorithm calls it, with the snapshot at the iterate.
inline const Element& next(GradientEstimator& e, const Element& x) {
  if (e.epoch_due()) e.begin_epoch(x);
  return e.estimate(x);
}

/// |S| and p that an estimator works with.
struct InForce {
  Index batch = 0, length = 0;
  bool operator==(const InForce&) const = default;
};

/// |S| of the first estimate that draws, and the steps of the first epoch.
inline InForce numbers_in_force(const std::string& name, const Numbers& numbers, Objective& bare,
                                const EpochPlan& plan = {}) {
  Counts counts;
  ComponentSeconds seconds;
  WatchedObjective f(bare, "objective", counts, seconds);
  const auto e = estimator(name, numbers);
  Sampler sampler(RandomStream(5, Purpose::test), f.terms());
  e->start(f, sampler);
  e->begin_epoch(rank_one(f.shape(), 3), plan);
  const Element x = rank_one(f.shape(), 4);
  const Index before = counts.sfo_indices;
  (void)e->estimate(x);
  InForce result{counts.sfo_indices - before, 1};
  while (!e->epoch_due()) (void)e->estimate(x), ++result.length;
  return result;
}

}  // namespace claros::test
