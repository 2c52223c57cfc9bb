// SPDX-License-Identifier: BSD-3-Clause
/// @file component.hpp  The root of everything that a plugin creates, and how optional abilities are asked
/// for.
#pragma once

#include <claros/api.hpp>

#include <string_view>

namespace claros {

/// Base of every object that a plugin hands to the host. Abilities beyond its interface are asked for by id,
/// never by dynamic_cast: type identity is not reliable across shared libraries.
class CLAROS_API Component {
 public:
  virtual ~Component();
  Component() = default;
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  /// The ability named `id` (its `kAbility`), or null. The pointer lives as long as this object.
  virtual void* ability(std::string_view id) noexcept;
};

/// The ability `A` of `component`, or null: `if (auto* curvature = query<Curvature>(objective)) ...`
template <class A>
A* query(Component& component) noexcept {
  return static_cast<A*>(component.ability(A::kAbility));
}

namespace detail {

/// An ability that core does not know brings its watcher (watch/watcher.hpp), as soon as it is offered.
template <class Ability>
void make_known() {
  if constexpr (requires { typename Ability::Watched; }) Ability::Watched::make_known();
}

}  // namespace detail

/// To be called from `ability`: answers with `self` seen as the first of `Abilities` whose id is asked for.
///     void* ability(std::string_view id) noexcept override { return offer<LinearOracle, Membership>(this,
///     id); }
template <class... Abilities, class Self>
void* offer(Self* self, std::string_view id) noexcept {
  (detail::make_known<Abilities>(), ...);
  void* found = nullptr;
  ((id == Abilities::kAbility ? (found = static_cast<Abilities*>(self), true) : false) || ...);
  return found;
}

}  // namespace claros
