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

/// What a plugin can be in a composition.
enum class Kind : std::uint32_t { objective, set, penalty, smoother, estimator, algorithm, data, loss };

inline constexpr std::array kKinds{Kind::objective, Kind::loss,      Kind::set,       Kind::penalty,
                                   Kind::smoother,  Kind::estimator, Kind::algorithm, Kind::data};

/// "objective", "set", ...; the same words name the sections of a specification.
CLAROS_API std::string kind_name(Kind kind);
CLAROS_API std::optional<Kind> parse_kind(std::string_view name);

/// Parts within parts within parts: no deeper than this below the outermost.
inline constexpr int kDeepestPart = 16;

/// A place in a component that another component fills, declared beside its parameters. In a specification it
/// is a section below that of its owner: [algorithm.inner]; the parts of a list are numbered from 1:
/// [set.blocks.1], [set.blocks.2]. `inner = NAME` in the owner's section is short for `use = NAME` in that of
/// the part.
struct Role {
  std::string name;  ///< "inner"; a word as parameters have them
  Kind kind{};
  std::string meaning;
  std::string fallback = {};  ///< the component that fills it where no component is named; empty: none does
  bool required = true;       ///< whether it must be filled (a list: by one part at least)
  bool many = false;          ///< a list of parts
  /// Of algorithms: the owner starts the part anew in every step of its own, so that nothing of it is kept
  /// between steps.
  bool restarted = false;
};

}  // namespace claros
