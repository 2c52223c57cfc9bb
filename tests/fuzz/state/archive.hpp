// SPDX-License-Identifier: BSD-3-Clause
/// @file archive.hpp  The bytes of a state taken apart, and put together with sizes and a checksum that are
/// right.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace claros::fuzz {

/// Arrays, one after the other, and what names them (CBOR).
struct Archive {
  std::string arrays, names;
};

inline std::uint32_t crc(std::string_view bytes) {
  return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// With the trailer of archive_bytes.cpp: two sizes, a checksum, twelve letters.
inline std::string sealed(const Archive& archive) {
  std::string bytes = archive.arrays + archive.names, trailer;
  append(trailer, static_cast<std::uint64_t>(archive.names.size())),
      append(trailer, static_cast<std::uint64_t>(bytes.size()));
  append(trailer, crc(bytes));
  return bytes + trailer + "claros stat2";
}

inline Archive unsealed(const std::string& bytes) {
  constexpr std::size_t kTrailer = 32;
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data() + bytes.size() - kTrailer, 8);
  const std::size_t arrays = bytes.size() - kTrailer - size;
  return {bytes.substr(0, arrays), bytes.substr(arrays, size)};
}

}  // namespace claros::fuzz
