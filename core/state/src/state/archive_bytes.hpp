// SPDX-License-Identifier: BSD-3-Clause
/// @file archive_bytes.hpp  The bytes of an archive: arrays one after the other, then what names them, then a
/// trailer.
#pragma once

#include <claros/state/state.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace claros {

using Cbor = nlohmann::json;

/// The checksum (CRC-32 of ISO 3309) of all earlier bytes, with `bytes` behind it.
CLAROS_API std::uint32_t checksum(std::uint32_t before, std::string_view bytes);

/// An integer as it stands in an archive. Throws std::exception for a number with a fraction, and for one out
/// of range.
Index integer_in(const Cbor& json);

/// The names of an archive, or the facts of a checkpoint, from CBOR. Discarded if the bytes are not CBOR, or
/// nest too deep for a reader that calls itself.
CLAROS_API Cbor names_in(std::string_view bytes);

/// Gathers small pieces, cuts large ones, and keeps the checksum. Arrays are bit for bit, in this machine's
/// order (archives do not travel between machines).
class ArchiveSink {
 public:
  explicit ArchiveSink(ByteSink sink) : sink_(std::move(sink)) {}

  /// Writes the array; the result is how the reader finds it. A handful of numbers is kept in the result
  /// itself.
  template <class T>
  Cbor put(std::span<const T> values) {
    return put(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }
  Cbor put(std::string_view bytes);
  /// Writes the output of `stream` as one array.
  Cbor put_stream(const StateStream& stream);
  /// The end: `names` and the trailer.
  void finish(const Cbor& names);

 private:
  void write(std::string_view bytes);
  void send(std::string_view bytes);

  ByteSink sink_;
  std::string gathered_;
  std::uint64_t written_ = 0;
  std::uint32_t checksum_ = 0;
};

/// The other side. Throws Error(data) naming `origin` when the bytes are not whole.
class ArchiveSource {
 public:
  ArchiveSource(std::string_view bytes, const std::string& origin);

  const Cbor& names() const noexcept { return names_; }
  /// The bytes of an array at its place. Throws std::exception if it lies outside.
  std::string_view bytes(const Cbor& place) const;
  template <class T>
  std::vector<T> array(const Cbor& place) const {
    const std::string_view from = bytes(place);
    if (from.size() % sizeof(T) != 0) throw std::out_of_range("an array of half a number");
    std::vector<T> values(from.size() / sizeof(T));
    std::copy_n(from.data(), from.size(), reinterpret_cast<char*>(values.data()));
    return values;
  }

 private:
  std::string_view bytes_;
  Cbor names_;
};

}  // namespace claros
