// SPDX-License-Identifier: BSD-3-Clause
/// @file need.hpp  The abilities that an algorithm or an estimator requires: need::set<LinearOracle>("why").
#pragma once

#include <claros/kind.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace claros {

/// An ability that the component of one role must have, and the mathematical reason. All needs are checked
/// before the run, with everything else that can be wrong with a composition. Made by the functions of
/// claros::need.
struct Need {
  /// Properties of an estimator, in the place of an ability: exact() and unbiased().
  static constexpr std::string_view kExact = "exact", kUnbiased = "unbiased";

  Kind role{};          ///< objective, set, penalty or estimator
  std::string ability;  ///< LinearOracle::kAbility
  std::string words;    ///< LinearOracle::kWords
  std::string reason;   ///< "every step minimises a linear function over the set"
  bool if_any = false;  ///< a composition without that role is accepted
};

/// Each takes the reason as a clause, which errors and `claros describe` print.
namespace need {

template <class Ability>
Need of(Kind role, std::string reason, bool if_any = false) {
  return {role, std::string(Ability::kAbility), std::string(Ability::kWords), std::move(reason), if_any};
}
/// There is a set C, and it has the ability.
template <class Ability>
Need set(std::string reason) {
  return of<Ability>(Kind::set, std::move(reason));
}
/// If there is a set C, it has the ability.
template <class Ability>
Need set_if_any(std::string reason) {
  return of<Ability>(Kind::set, std::move(reason), true);
}
template <class Ability>
Need penalty(std::string reason) {
  return of<Ability>(Kind::penalty, std::move(reason));
}
template <class Ability>
Need penalty_if_any(std::string reason) {
  return of<Ability>(Kind::penalty, std::move(reason), true);
}
template <class Ability>
Need objective(std::string reason) {
  return of<Ability>(Kind::objective, std::move(reason));
}
template <class Ability>
Need estimator(std::string reason) {
  return of<Ability>(Kind::estimator, std::move(reason));
}
/// The estimate is grad f(x).
inline Need exact_estimator(std::string reason) {
  return {Kind::estimator, std::string(Need::kExact), std::string(Need::kExact), std::move(reason)};
}
/// The mean of the estimate is grad f(x).
inline Need unbiased_estimator(std::string reason) {
  return {Kind::estimator, std::string(Need::kUnbiased), std::string(Need::kUnbiased), std::move(reason)};
}

}  // namespace need

}  // namespace claros
