// SPDX-License-Identifier: BSD-3-Clause
/// @file entrywise_penalty.hpp  Penalties that are sums over entries, from a struct that knows one entry.
#pragma once

#include <claros/abilities.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/detail/alias.hpp>
#include <claros/sdk/penalties/piecewise_steps.hpp>

namespace claros::sdk {

/// h(x) = sum_j of one function of the entry. `Entry` has
///     double value(double x) const;        its h
///     auto prox(double step) const;        v -> prox_{step h}(v)
///     double weak_convexity() const;       0 where h is convex, infinite where nothing makes it so
/// and perhaps
///     double slope_at_zero() const;        psi'(0+), of h = lambda psi near 0, where 0 is the solution from
///     lambda =
///                                          max_j |g_j| / slope_at_zero() on (LambdaMax)
///     double psi(double x) const;          both where a side constraint psi(x) <= rho may be given
///     (ArrayPenalty); then auto prox_psi(double t) const;       v -> prox_{t psi}(v), and `prox` is that
///     without the constraint PiecewiseAffine pieces(double step) const;   `prox` once more, where it is
///     piecewise affine (LazyProximal) static constexpr bool kStepsAddUp = true;    prox(s) of prox(t) is
///     prox(s + t) (BlockStep)
/// The functions of v are small objects without branches, for the vectoriser's sake. Not final: the convex
/// ones add their Conjugate. A side constraint couples the entries: with one, the penalty is not Separable.
template <class Entry>
class EntrywisePenalty : public ArrayPenalty, public Separable, public LazyProximal, public LambdaMax {
  static constexpr bool kHasSlope = requires(const Entry& entry) { entry.slope_at_zero(); };
  static constexpr bool kHasConstraint = requires(const Entry& entry) {
    entry.psi(0.0), entry.prox_psi(1.0);
  };
  static constexpr bool kHasPieces = requires(const Entry& entry) { entry.pieces(1.0); };

 public:
  Blocks blocks(const Shape& shape) override { return Blocks::single(shape.size()); }
  BlockStep block_step() override {
    return {&entry_,
            [](const void* self, Index, const double* v, double step, double* x) {
              *x = static_cast<const Entry*>(self)->prox(step)(*v);
            },
            requires {requires Entry::kStepsAddUp;
  }
};
}  // namespace claros::sdk
/// One function for every entry: that of fewer is the same.
std::unique_ptr<Component> restrict_to(std::span<const Index>) override {
  return std::make_unique<Alias>(*this);
}
LazySteps lazy_steps(const Shape&, double t) override {
  require_step(t);
  if constexpr (kHasPieces) steps_ = PiecewiseSteps(entry_.pieces(t), t);
  return steps_.lazy_steps();
}
double weak_convexity() const override { return entry_.weak_convexity(); }
double lambda_max(const Element& gradient) override {
  if constexpr (kHasSlope) {
    const double slope = entry_.slope_at_zero();
    if (slope > 0.0) return largest_magnitude(read(gradient)) / slope;
  }
  throw Error(ErrorKind::usage, "lambda",
              "'max' is undefined: the penalty has slope 0 at 0, so no lambda makes 0 the solution",
              "give lambda as a number");
}
void* ability(std::string_view id) noexcept override {
  if (id == LambdaMax::kAbility && !kHasSlope) return nullptr;
  if (id == LazyProximal::kAbility && !kHasPieces) return nullptr;
  if ((id == Separable::kAbility || id == LazyProximal::kAbility) && rho() < kInfinity) return nullptr;
  return offer<ProximalOracle, Separable, LazyProximal, LambdaMax, State>(this, id);
}

protected:
explicit EntrywisePenalty(const Entry& entry) : entry_(entry) {}
EntrywisePenalty(const Entry& entry, double rho) requires kHasConstraint : ArrayPenalty(rho), entry_(entry) {}

double penalty(std::span<const double> x) override {
  return sum_entries(x, [e = entry_](double value) { return e.value(value); });
}
void prox(std::span<const double> v, double step, std::span<double> x) override {
  map_entries(v, x, entry_.prox(step));
}
double psi(std::span<const double> x) override {
  if constexpr (kHasConstraint)
    return sum_entries(x, [e = entry_](double value) { return e.psi(value); });
  else
    return ArrayPenalty::psi(x);
}
void prox_psi(std::span<const double> v, double t, std::span<double> x) override {
  if constexpr (kHasConstraint)
    map_entries(v, x, entry_.prox_psi(t));
  else
    ArrayPenalty::prox_psi(v, t, x);
}
const Entry& entry() const noexcept { return entry_; }

private:
Entry entry_;
PiecewiseSteps steps_;
}
;

}  // namespace claros::sdk
