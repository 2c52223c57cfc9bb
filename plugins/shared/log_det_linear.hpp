// SPDX-License-Identifier: BSD-3-Clause
/// @file log_det_linear.hpp  Functions <S, X> - log det X.
#pragma once

#include <claros/watch/watcher.hpp>

#include <span>
#include <string_view>

namespace claros::sdk {

/// Ability of objectives f(X) = <S, X> - log det X of the symmetric part of X in R^{p x p}.
class LogDetLinear {
 public:
  static constexpr std::string_view kAbility = "claros.log-det-linear/1";
  static constexpr std::string_view kWords = "the form <S, X> - log det X";
  struct Watched;
  virtual ~LogDetLinear() = default;
  /// S, symmetric bit for bit; lives as long as the objective.
  virtual std::span<const double> linear_part() const = 0;
  /// out <- X^{-1}, p x p, symmetric bit for bit. Throws Error(numerical) if X is not positive definite.
  virtual void inverse(const Element& x, std::span<double> out) = 0;
};

struct LogDetLinear::Watched final : Watcher<LogDetLinear> {
  using Watcher::Watcher;
  std::span<const double> linear_part() const override {
    return contain(watch_, [&] { return inner_.linear_part(); });
  }
  void inverse(const Element& x, std::span<double> out) override {
    call([&] { inner_.inverse(x, out); });
  }
};

}  // namespace claros::sdk
