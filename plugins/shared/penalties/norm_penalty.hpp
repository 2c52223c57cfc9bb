// SPDX-License-Identifier: BSD-3-Clause
/// @file norm_penalty.hpp  Penalties that are sums over groups of one function of the group's norm.
#pragma once

#include <claros/abilities.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <shared/sets/group_norm.hpp>

#include <utility>

namespace claros::sdk {

/// h(x) = sum_g h_g(||x_g||_2), h_g = entry.weighted(w_g). `Entry` is as in EntrywisePenalty, and has
/// `weighted` and `slope_at_zero`. The function h_g(r) + (mu/2) r^2 is convex and rises from 0 on, so h +
/// (mu/2)||x||^2 is convex too. The proximal step of a group keeps its direction: its norm is that of the
/// step of h_g (Breheny, Huang 2015).
template <class Entry>
class NormPenalty : public ArrayPenalty, public Separable, public LambdaMax {
 public:
  NormPenalty(const Entry& entry, GroupNorm norm) : entry_(entry), norm_(std::move(norm)) {}

  double weak_convexity() const override { return entry_.weak_convexity(); }
  double lambda_max(const Element& gradient) override {
    return norm_.dual(read(gradient)) / entry_.slope_at_zero();
  }
  Blocks blocks(const Shape& shape) override {
    fit(shape);
    return norm_.groups().blocks();
  }
  BlockStep block_step() override {
    return {this, [](const void* self, Index g, const double* v, double step, double* x) {
              static_cast<const NormPenalty*>(self)->step_of(static_cast<std::size_t>(g), v, step, x);
            }};
  }
  std::unique_ptr<Component> restrict_to(std::span<const Index> blocks) override {
    return std::make_unique<NormPenalty>(entry_, norm_.chosen(blocks));
  }
  void* ability(std::string_view id) noexcept override {
    return offer<ProximalOracle, Separable, LambdaMax, State>(this, id);
  }

 private:
  Entry of(std::size_t g) const { return entry_.weighted(norm_.groups().weight(g)); }

  void fit(const Shape& shape) override { norm_.fit(shape); }
  double penalty(std::span<const double> x) override {
    return norm_.sum_over_groups(x, [this](std::size_t g, double norm) { return of(g).value(norm); });
  }
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    norm_.rescale(v, x, [=, this](std::size_t g, double norm) { return of(g).prox(step)(norm); });
  }
  void step_of(std::size_t g, const double* v, double step, double* x) const {
    const std::size_t size = norm_.groups().size(g);
    const double norm = euclidean_norm({v, size}), rest = of(g).prox(step)(norm);
    for (std::size_t k = 0; k < size; ++k) x[k] = rest <= 0.0 ? 0.0 : v[k] * (rest / norm);
  }

  Entry entry_;
  GroupNorm norm_;
};

}  // namespace claros::sdk
