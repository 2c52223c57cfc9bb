// SPDX-License-Identifier: BSD-3-Clause
/// @file api.hpp  Export macro and the index type that every interface uses.
#pragma once

#include <cstddef>
#include <cstdint>

#define CLAROS_API __attribute__((visibility("default")))

namespace claros {

/// Sizes and positions: rows, columns, entries, components. Signed, 64 bits.
using Index = std::int64_t;

/// An index as the standard library counts.
constexpr std::size_t at(Index k) noexcept { return static_cast<std::size_t>(k); }

/// The number of components of an expectation: component i is draw number i (see objective.hpp).
inline constexpr Index kUnbounded = -1;

}  // namespace claros
