// SPDX-License-Identifier: BSD-3-Clause
/// @file feature_hash.hpp  Names of features as numbers, by Vowpal Wabbit's rules.
#pragma once

#include "io/scan_number.hpp"

#include <murmurhash.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace claros {

/// vw's `--hash strings`: a name of digits is that number plus the seed, any other its MurmurHash3 (32 bits,
/// x86) from the seed. The seed of a feature is the hash of its namespace from seed 0, and 0 in the namespace
/// without a name. Its column is the lowest bits of its hash.
inline std::uint64_t feature_hash(std::string_view name, std::uint64_t seed) {
  if (std::all_of(name.begin(), name.end(), is_digit)) {
    std::uint64_t number = 0;
    for (const char digit : name) number = 10 * number + static_cast<std::uint64_t>(digit - '0');
    return number + seed;
  }
  std::uint32_t hash = 0;
  ::lmmh_x86_32(name.data(), static_cast<unsigned>(name.size()), static_cast<std::uint32_t>(seed), &hash);
  return hash;
}

}  // namespace claros
