// SPDX-License-Identifier: BSD-3-Clause
/// @file hdf5_stream.hpp  The output of the program claros-hdf5, and its arguments.
///
/// `claros-hdf5 FILE ROWS RESPONSE WORDS...` writes frames: a FrameHead, and `size` bytes that it announces.
/// The frames come in this order:
/// - `sizes` (a Sizes);
/// - for compressed rows `starts` (rows + 1 of 8 bytes) and `columns` (entries of 4 bytes, signed; a number
///   that does not fit comes as the nearest that does);
/// - `rows` until all numbers of the rows went by, `response` likewise if there is one;
/// - `end`.
///
/// In the place of any frame may come `refusal`: the fault, the remedy and the names of what the file holds
/// instead, with zero bytes between them. Numbers are in the byte order of the machine: both programs run on
/// it.
///
/// WORDS are `float` (otherwise double), `plugins`, `files` (DesignOptions::hdf5), `optional` and
/// `by-columns`. With `optional` a response that the file does not hold is no fault. With `by-columns`
/// compressed columns come as the rows of the transpose (`turned`).
#pragma once

#include <cstdint>

namespace claros::hdf5_stream {

enum class Frame : std::uint32_t { sizes = 0x48354301, rows, response, end, refusal, starts, columns };

struct FrameHead {
  Frame kind;
  std::uint32_t size;
};

struct Sizes {
  std::uint64_t rows, cols;  ///< cols is 0 if compressed rows do not say
  std::uint64_t has_response;
  std::uint64_t stored;  ///< bytes that the rows take in the file
  std::uint64_t is_sparse, entries;
  std::uint64_t turned;  ///< the file holds the compressed columns of the transposed matrix
};

/// The largest block that is read and sent at once, unless a chunk of the file is larger.
constexpr std::uint64_t kBlock = std::uint64_t{4} << 20U;
/// The largest refusal.
constexpr std::uint32_t kLongestRefusal = 1 << 16;

}  // namespace claros::hdf5_stream
