// SPDX-License-Identifier: BSD-3-Clause
/// @file kind.hpp  The kinds of components, and the places in a component that others fill.
#pragma once

#include <claros/api.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace claros {

/// The kinds of components; a plugin has one of them.
enum class Kind : std::uint32_t { objective, set, penalty, smoother, estimator, algorithm, data, loss };

inline constexpr std::array kKinds{Kind::objective, Kind::loss,      Kind::set,       Kind::penalty,
                                   Kind::smoother,  Kind::estimator, Kind::algorithm, Kind::data};

/// "objective", "set", ...; the same words name the sections of a specification.
CLAROS_API std::string kind_name(Kind kind);
CLAROS_API std::optional<Kind> parse_kind(std::string_view name);

/// Parts within parts within parts: no deeper than this below the outermost.
inline constexpr int kDeepestPart = 16;

/// A place in a component that another component fills, declared beside its parameters. In a specification a
/// role is a section below that of its owner: [algorithm.inner]. The components of a list are numbered from
/// 1: [set.blocks.1], [set.blocks.2]. In the owner's section `inner = NAME` is short for `use = NAME` in the
/// section of the role.
struct Role {
  std::string name;  ///< "inner"; a word as parameters have them
  Kind kind{};
  std::string meaning;
  std::string fallback = {};  ///< the component that fills it where no component is named; empty: none does
  bool required = true;       ///< true if it must be filled (a list: by one part at least)
  bool many = false;          ///< a list of parts
  /// For algorithms: the owner restarts the component in each of its own steps, so that it keeps nothing
  /// between steps.
  bool restarted = false;
};

}  // namespace claros
