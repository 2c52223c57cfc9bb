// SPDX-License-Identifier: BSD-3-Clause
/// @file zstd_frames.hpp  A test whether a zstd file is whole.
#pragma once

#include <istream>

namespace claros {

/// False when the bytes of `file` end within a frame. Walks frame and block headers only (RFC 8878,
/// section 3.1) and reads no content; Boost.Iostreams takes the end of the input for the end of the last
/// frame.
bool zstd_is_whole(std::istream& file);

}  // namespace claros
