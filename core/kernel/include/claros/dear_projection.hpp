// SPDX-License-Identifier: BSD-3-Clause
/// @file dear_projection.hpp  An ability of sets: that their projection costs many linear minimisations.
#pragma once

#include <string_view>

namespace claros {

/// Offered beside a proximal oracle by sets whose linear minimisation is cheaper by orders. Where nobody
/// names an algorithm, one that asks for corners is chosen there.
class DearProjection {
 public:
  static constexpr std::string_view kAbility = "claros.dear-projection/1";
  virtual ~DearProjection() = default;
};

}  // namespace claros
