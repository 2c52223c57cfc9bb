// SPDX-License-Identifier: BSD-3-Clause
/// @file entrywise_penalty.hpp  Penalties that are sums over entries, from a struct that knows one entry.
#pragma once

#include <claros/abilities.hpp>
#include <claros/sdk/array_penalty.hpp>
#include <claros/sdk/detail/alias.hpp>
#include <claros/sdk/penalties/entry_weights.hpp>
#include <claros/sdk/penalties/piecewise_steps.hpp>

#include <numeric>

namespace claros::sdk {

namespace detail {

template <class Entry>
concept HasSlope = requires(const Entry& entry) {
  entry.slope_at_zero();
};
template <class Entry>
concept HasConstraint = requires(const Entry& entry) {
  entry.psi(0.0), entry.prox_psi(1.0);
};
template <class Entry>
concept HasPieces = requires(const Entry& entry) {
  entry.pieces(1.0);
};
template <class Entry>
concept HasWeights = requires(const Entry& entry) {
  Entry(entry.weighted(1.0));
};
template <class Entry>
concept HasConjugate = requires(const Entry& entry) {
  entry.conjugate(0.0), entry.domain();
};

template <class Entry>
class ChosenEntries;

template <class Entry>
consteval bool steps_add_up() {
  if constexpr (requires { Entry::kStepsAddUp; })
    return Entry::kStepsAddUp;
  else
    return false;
}

}  // namespace detail

/// h(x) = sum_j of one function of the entry. `Entry` has
///     double value(double x) const;        its h
///     auto prox(double step) const;        v -> prox_{step h}(v)
///     double weak_convexity() const;       0 if h is convex, infinite if no square makes it convex
/// and may have
///     double slope_at_zero() const;        psi'(0+), for h = lambda psi near 0. 0 is the solution from
///                                          lambda = max_j |g_j| / (w_j slope_at_zero()) on (LambdaMax)
///     double psi(double x) const;          both if a side constraint psi(x) <= rho may be given
///     auto prox_psi(double t) const;       (ArrayPenalty): v -> prox_{t psi}(v); `prox` is then the step
///                                          without the constraint
///     PiecewiseAffine pieces(double step) const;  `prox` once more, if it is piecewise affine
///                                          (LazyProximal)
///     static constexpr bool kStepsAddUp = true;   prox(s) of prox(t) is prox(s + t) (BlockStep)
///     Entry weighted(double w) const;      the entry with w lambda for lambda, w >= 0 finite, if entries
///                                          may have weights
///     double conjugate(double s) const;    both for a convex h: h*(s), and the largest |s| with a finite
///     double domain() const;               h*; a gap with weights needs them
/// The functions of v are small objects without branches, so that the compiler vectorises them. The class is
/// not final: convex penalties state their Conjugate without weights. A side constraint couples the entries:
/// with one, the penalty is not Separable and has no weights. An entry of weight inf is 0.
///
/// With an entry of weight 0 there is no Conjugate, because a dual point is feasible only if the gradient of
/// that entry is exactly 0. A free diagonal has one, for objectives that make such points.
template <class Entry>
class EntrywisePenalty : public ArrayPenalty,
                         public Separable,
                         public LazyProximal,
                         public LambdaMax,
                         public Conjugate {
 public:
  Blocks blocks(const Shape& shape) override {
    weights_.fit(shape);
    return Blocks::single(shape.size());
  }
  BlockStep block_step() override {
    if (!weights_.empty())
      return {this,
              [](const void* self, Index j, const double* v, double step, double* x) {
                *x = static_cast<const EntrywisePenalty*>(self)->step_of(static_cast<std::size_t>(j), *v,
                                                                         step);
              },
              detail::steps_add_up<Entry>()};
    return {&entry_,
            [](const void* self, Index, const double* v, double step, double* x) {
              *x = static_cast<const Entry*>(self)->prox(step)(*v);
            },
            detail::steps_add_up<Entry>()};
  }
  /// One function for every entry: that of fewer is the same, or that of their weights.
  std::unique_ptr<Component> restrict_to(std::span<const Index> entries) override {
    if (weights_.empty()) return std::make_unique<Alias>(*this);
    return std::make_unique<detail::ChosenEntries<Entry>>(entry_, weights_.chosen(entries));
  }
  LazySteps lazy_steps(const Shape& shape, double t) override {
    require_step(t);
    if (!weights_.empty()) return weighted_steps(shape, t);
    if constexpr (detail::HasPieces<Entry>) steps_ = PiecewiseSteps(entry_.pieces(t), t);
    return steps_.lazy_steps();
  }
  double weak_convexity() const override {
    if constexpr (detail::HasWeights<Entry>)
      if (!weights_.empty()) return entry_.weighted(weights_.largest()).weak_convexity();
    return entry_.weak_convexity();
  }
  double lambda_max(const Element& gradient) override {
    if constexpr (detail::HasSlope<Entry>) {
      const double slope = entry_.slope_at_zero();
      if (slope > 0.0) return largest_over_weights(read(gradient)) / slope;
    }
    throw Error(ErrorKind::usage, "lambda",
                "'max' is undefined: the penalty has slope 0 at 0, so no lambda makes 0 the solution",
                "give lambda as a number");
  }
  std::vector<Index> free_entries() const override { return weights_.free(); }
  /// For entries with weights: sum_j h_j*(s_j), and the largest a in [0, 1] with a s in its domain.
  double conjugate(const Element& s) override {
    double sum = 0.0;
    if constexpr (detail::HasConjugate<Entry> && detail::HasWeights<Entry>) {
      const std::span<const double> values = read(s);
      for (std::size_t j = 0; j < values.size(); ++j)
        if (std::isfinite(weights_[j])) sum += entry_.weighted(weights_[j]).conjugate(values[j]);
    }
    return sum;
  }
  double into_domain(const Element& s) override {
    double most = 1.0;
    if constexpr (detail::HasConjugate<Entry> && detail::HasWeights<Entry>) {
      const std::span<const double> values = read(s);
      for (std::size_t j = 0; j < values.size(); ++j) {
        if (std::isnan(values[j])) return values[j];
        if (!std::isfinite(weights_[j])) continue;
        const double domain = entry_.weighted(weights_[j]).domain(), size = std::abs(values[j]);
        if (size > domain) most = std::min(most, domain / size);
      }
    }
    return most;
  }
  /// False for lambda = 0 without a side constraint.
  bool certifies_alone() const override {
    if constexpr (detail::HasConjugate<Entry>) return rho() < kInfinity || entry_.domain() > 0.0;
    return true;
  }
  void* ability(std::string_view id) noexcept override {
    if (id == LambdaMax::kAbility && !detail::HasSlope<Entry>) return nullptr;
    if (id == LazyProximal::kAbility && !detail::HasPieces<Entry>) return nullptr;
    if (id == Conjugate::kAbility && (!detail::HasConjugate<Entry> || lacks_conjugate())) return nullptr;
    if ((id == Separable::kAbility || id == LazyProximal::kAbility) && rho() < kInfinity) return nullptr;
    return offer<ProximalOracle, Separable, LazyProximal, LambdaMax, Conjugate, State>(this, id);
  }

 protected:
  explicit EntrywisePenalty(const Entry& entry) : entry_(entry) {}
  EntrywisePenalty(const Entry& entry, EntryWeights weights) : entry_(entry), weights_(std::move(weights)) {}
  EntrywisePenalty(const Entry& entry, double rho) requires detail::HasConstraint<Entry> : ArrayPenalty(rho),
                                                                                           entry_(entry) {}
  /// Throws Error(usage) if there are both.
  EntrywisePenalty(const Entry& entry, double rho,
                   EntryWeights weights) requires detail::HasConstraint<Entry> && detail::HasWeights<Entry>
      : ArrayPenalty(rho), entry_(entry), weights_(std::move(weights)) {
    if (!weights_.empty() && rho < kInfinity) refuse_weights("rho");
  }
  [[noreturn]] static void refuse_weights(const std::string& with) {
    throw Error(ErrorKind::usage, "weights", "cannot be combined with " + with, "leave one of them out");
  }

  void fit(const Shape& shape) override { weights_.fit(shape); }
  double penalty(std::span<const double> x) override {
    if (weights_.empty()) return sum_entries(x, [e = entry_](double value) { return e.value(value); });
    double sum = 0.0;
    for (std::size_t j = 0; j < x.size(); ++j) sum += value_of(j, x[j]);
    return sum;
  }
  void prox(std::span<const double> v, double step, std::span<double> x) override {
    if (weights_.empty()) return map_entries(v, x, entry_.prox(step));
    for (std::size_t j = 0; j < v.size(); ++j) x[j] = step_of(j, v[j], step);
  }
  double psi(std::span<const double> x) override {
    if constexpr (detail::HasConstraint<Entry>)
      return sum_entries(x, [e = entry_](double value) { return e.psi(value); });
    else
      return ArrayPenalty::psi(x);
  }
  void prox_psi(std::span<const double> v, double t, std::span<double> x) override {
    if constexpr (detail::HasConstraint<Entry>)
      map_entries(v, x, entry_.prox_psi(t));
    else
      ArrayPenalty::prox_psi(v, t, x);
  }
  const Entry& entry() const noexcept { return entry_; }
  bool is_weighted() const noexcept { return !weights_.empty(); }

 private:
  bool lacks_conjugate() const { return weights_.has_free() && !weights_.is_off_diagonal(); }
  double value_of(std::size_t j, double x) const {
    if (weights_[j] == 0.0) return std::isnan(x) ? x : 0.0;  // not 0 times what may overflow
    if constexpr (detail::HasWeights<Entry>)
      if (std::isfinite(weights_[j])) return entry_.weighted(weights_[j]).value(x);
    return x == 0.0 ? 0.0 : kInfinity;
  }
  double step_of(std::size_t j, double v, double step) const {
    if constexpr (detail::HasWeights<Entry>)
      if (std::isfinite(weights_[j])) return entry_.weighted(weights_[j]).prox(step)(v);
    return std::isnan(v) ? v : 0.0;
  }
  /// max_j |g_j| / w_j over the entries that are neither free nor out.
  double largest_over_weights(std::span<const double> g) const {
    if (weights_.empty()) return largest_magnitude(g);
    double most = 0.0;
    for (std::size_t j = 0; j < g.size(); ++j) {
      if (std::isnan(g[j])) return g[j];
      if (weights_[j] > 0.0) most = std::max(most, std::abs(g[j]) / weights_[j]);
    }
    return most;
  }

  /// Every entry is a group of its own, by whose number its weight is found.
  LazySteps weighted_steps(const Shape& shape, double t) {
    weights_.fit(shape);
    lag_ = t;
    const auto size = static_cast<std::size_t>(shape.size());
    group_of_.resize(size), first_.resize(size + 1);
    std::iota(group_of_.begin(), group_of_.end(), 0);
    std::iota(first_.begin(), first_.end(), std::size_t{0});
    return {.self = this, .group = &advance_weighted, .group_of = group_of_, .first = first_};
  }
  static void advance_weighted(const void* self, Index j, Index count, std::span<const double> d,
                               std::span<double> x, std::span<double> sum) {
    const auto& h = *static_cast<const EntrywisePenalty*>(self);
    if constexpr (detail::HasPieces<Entry> && detail::HasWeights<Entry>) {
      const double w = h.weights_[static_cast<std::size_t>(j)];
      if (std::isfinite(w)) {
        const PiecewiseSteps steps(h.entry_.weighted(w).pieces(h.lag_), h.lag_);
        x[0] = steps(x[0], count, d[0], sum.empty() ? nullptr : sum.data());
        return;
      }
    }
    x[0] = 0.0;
  }

  Entry entry_;
  EntryWeights weights_;
  PiecewiseSteps steps_;
  double lag_ = 0.0;
  std::vector<std::int32_t> group_of_;
  std::vector<std::size_t> first_;
};

namespace detail {

/// Some entries of a penalty with weights.
template <class Entry>
class ChosenEntries final : public EntrywisePenalty<Entry> {
 public:
  ChosenEntries(const Entry& entry, EntryWeights weights)
      : EntrywisePenalty<Entry>(entry, std::move(weights)) {}
};

}  // namespace detail

}  // namespace claros::sdk
