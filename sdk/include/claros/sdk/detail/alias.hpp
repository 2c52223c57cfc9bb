// SPDX-License-Identifier: BSD-3-Clause
/// @file alias.hpp  Another owner's component under a pointer of one's own.
#pragma once

#include <claros/component.hpp>

namespace claros::sdk {

/// Offers what another component offers, which outlives it.
class Alias final : public Component {
 public:
  explicit Alias(Component& of) : of_(of) {}
  void* ability(std::string_view id) noexcept override { return of_.ability(id); }

 private:
  Component& of_;
};

}  // namespace claros::sdk
