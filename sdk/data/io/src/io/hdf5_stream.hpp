// SPDX-License-Identifier: BSD-3-Clause
/// @file hdf5_stream.hpp  What the program claros-hdf5 writes to its standard output, and how it is called.
///
/// `claros-hdf5 FILE ROWS RESPONSE WORDS...` writes frames: a FrameHead, and `size` bytes that it announces.
/// First `sizes` (a Sizes); of compressed rows `starts` (rows + 1 of 8 bytes) and `columns` (entries of 4
/// bytes, signed; what does not fit comes as the nearest that does); then `rows` until all numbers of the
/// rows went by, `response` likewise where there is one, and `end`. Or, in the place of any frame, `refusal`:
/// what, the remedy and the names of what the file holds instead, with zero bytes between them. Numbers are
/// in the byte order of the machine: both programs run on it. WORDS: `float` (otherwise double), `plugins`,
/// `files` (DesignOptions::hdf5), `optional` (a response that the file does not hold is no fault),
/// `by-columns` (compressed columns come as the rows of the transpose, `turned`).
#pragma once

#include <cstdint>

namespace claros::hdf5_stream {

enum class Frame : std::uint32_t { sizes = 0x48354301, rows, response, end, refusal, starts, columns };

struct FrameHead {
  Frame kind;
  std::uint32_t size;
};

struct Sizes {
  std::uint64_t rows, cols;  ///< cols is 0 where compressed rows do not say
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
