// SPDX-License-Identifier: BSD-3-Clause
/// @file composed_penalty.hpp  Penalties of a linear image, h(x) = g(B x), as primal-dual methods see them.
#pragma once

#include <claros/algorithm.hpp>
#include <claros/map/linear_operator.hpp>
#include <claros/proximal_oracle.hpp>
#include <claros/watch/watcher.hpp>

#include <span>
#include <string_view>

namespace claros::sdk {

/// Ability of penalties h(x) = g(B x), g convex: the map and the outer function apart, for methods that take
/// steps of g alone. Points and images are arrays, column-major.
class ComposedPenalty {
 public:
  static constexpr std::string_view kAbility = "claros.sdk.composed-penalty/1";
  static constexpr std::string_view kWords = "a map and a function of its image";
  struct Watched;
  virtual ~ComposedPenalty() = default;
  /// B, of variables of that shape; lives until the next call. Throws Error(usage) if it does not fit.
  virtual const LinearOperator& map(const Shape& shape) = 0;
  /// The shape of B x, of the variables of the last call of `map`.
  virtual Shape image_shape() const = 0;
  /// A number not below ||B||^2, likewise.
  virtual double squared_norm() = 0;
  virtual ProximalOracle& outer() = 0;  ///< g
  /// u near a solution of the dual problem, B'u a subgradient of h: h* is bounded from there.
  virtual void follow_dual(std::span<const double> u) = 0;
};

/// The outer function is a part of the penalty, with a watcher of its own.
struct ComposedPenalty::Watched final : Watcher<ComposedPenalty> {
  using Watcher::Watcher;
  const LinearOperator& map(const Shape& shape) override {
    return call([&]() -> const LinearOperator& { return inner_.map(shape); });
  }
  Shape image_shape() const override {
    return call([&] { return inner_.image_shape(); });
  }
  double squared_norm() override {
    return call([&] { return inner_.squared_norm(); });
  }
  ProximalOracle& outer() override {
    return call([&]() -> ProximalOracle& { return inner_.outer(); });
  }
  void follow_dual(std::span<const double> u) override {
    call([&] { inner_.follow_dual(u); });
  }
};

/// v <- prox_{sigma g*}(v) = v - sigma prox_{g/sigma}(v / sigma) (Moreau).
inline void conjugate_step(ProximalOracle& g, double sigma, Element& v, Element& scratch) {
  scratch = v;
  scratch.scale(1.0 / sigma);
  (void)g.apply(scratch, 1.0 / sigma, scratch, Accuracy{});
  v.add(-sigma, scratch);
}

/// The penalty of the problem as a composed one, or null. Problem has the penalty as a proximal oracle only;
/// the component that offers it is among those whose state is saved. With free coordinates the oracle is that
/// of the others, by an adapter.
inline ComposedPenalty* composed_penalty(const Problem& problem) {
  if (!problem.penalty) return nullptr;
  const bool adapted = query<FreeTail>(*problem.objective) != nullptr;
  for (const Kept& kept : problem.kept) {
    if (!kept.component) continue;
    auto* oracle = query<ProximalOracle>(*kept.component);
    if (oracle == problem.penalty || (oracle && adapted && kept.name == "penalty"))
      return query<ComposedPenalty>(*kept.component);
  }
  return nullptr;
}

}  // namespace claros::sdk
