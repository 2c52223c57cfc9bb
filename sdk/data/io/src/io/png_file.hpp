// SPDX-License-Identifier: BSD-3-Clause
/// @file png_file.hpp  PNG files (ISO/IEC 15948), by libpng.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace claros {

/// The pixels of a picture, line after line from the top. Each has `channels` numbers: 1 or 2 (grey,
/// opacity), 3 or 4 (red, green, blue, opacity).
struct Pixels {
  std::size_t width = 0, height = 0, channels = 1;
  unsigned largest = 255;
  std::vector<std::uint16_t> levels;
};

/// Palettes become colours. Throws Error(data) at `where`.
Pixels decode_png(std::string_view bytes, const std::string& where);
/// Grey, of 8 bits. Throws Error(data) at `where`.
std::string encode_png(std::span<const std::uint8_t> grey, std::size_t width, std::size_t height,
                       const std::string& where);

}  // namespace claros
