// SPDX-License-Identifier: BSD-3-Clause
/// @file design_store.hpp  The layout of a stored design, which is used where it is in its file
/// (DesignWriter).
///
///     bytes 0 to 63     StoreHead, the rest of the first page is zero
///     page by page      the sections, each from a multiple of 4096 on: values, columns, starts, response,
///                       weights, offset, groups
///     then              the index: JSON with sizes, names, the encoding of a table's columns, places of the
///                       sections and their checksums
///     the last 16 bytes its size, and the magic once more: a file that is cut off lacks them
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace claros::design_store {

inline constexpr std::string_view kMagic = "CLAROSDM";
inline constexpr std::uint32_t kVersion = 2, kOrder = 0x01020304;
inline constexpr std::uint64_t kPage = 4096;
/// Entries (of values and columns) and bytes (of all other sections) under one checksum.
inline constexpr std::uint64_t kEntriesOfChunk = std::uint64_t{1} << 20U,
                               kBytesOfChunk = std::uint64_t{1} << 23U;
/// An index is names and checksums: a larger one is damage.
inline constexpr std::uint64_t kMostIndex = std::uint64_t{1} << 31U;

struct StoreHead {
  std::array<char, 8> magic{};
  std::uint32_t version = kVersion, order = kOrder, width = 8;
  std::uint32_t sparse = 0;
  std::array<char, 40> reserved{};
};
static_assert(sizeof(StoreHead) == 64);

struct StoreTail {
  std::uint64_t index_size = 0;
  std::array<char, 8> magic{};
};
static_assert(sizeof(StoreTail) == 16);

}  // namespace claros::design_store
