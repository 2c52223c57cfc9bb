// SPDX-License-Identifier: BSD-3-Clause
/// @file spectral_sum.hpp  Sets and penalties that are a bound on, or a multiple of, a sum of singular
/// values.
#pragma once

#include <claros/watch/watcher.hpp>

#include <string_view>

namespace claros::sdk {

/// Ability of sets and penalties that an algorithm on factors can replace by squared norms:
/// - a set {X : ||X||_* <= size}: X = U V' with ||U||_F^2 + ||V||_F^2 <= 2 size.
/// - a penalty size ||X||_*: the least of (size/2) (||U||_F^2 + ||V||_F^2) over X = U V' (Srebro, Rennie,
///   Jaakkola 2004).
/// - a set {X psd : tr X <= size}, or = size: X = U U' with ||U||_F^2 <= size, or = size.
class SpectralSum {
 public:
  static constexpr std::string_view kAbility = "claros.sdk.spectral-sum/1";
  static constexpr std::string_view kWords = "a bound on a sum of singular values";
  struct Watched;
  struct Form {
    double size = 0.0;       ///< tau or lambda
    bool symmetric = false;  ///< X = U U'
    bool at_most = true;     ///< false: the sum is `size` everywhere on the set
  };
  virtual ~SpectralSum() = default;
  virtual Form spectral_sum() const = 0;
};

struct SpectralSum::Watched final : Watcher<SpectralSum> {
  using Watcher::Watcher;
  Form spectral_sum() const override {
    return call([&] { return inner_.spectral_sum(); });
  }
};

}  // namespace claros::sdk
