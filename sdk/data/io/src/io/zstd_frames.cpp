// SPDX-License-Identifier: BSD-3-Clause
#include "io/zstd_frames.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace claros {
namespace {

constexpr std::uint32_t kFrame = 0xFD2FB528, kSkippable = 0x184D2A50;

class FrameWalk {
 public:
  explicit FrameWalk(std::istream& file) : file_(file) {
    file_.seekg(0, std::ios::end);
    size_ = file_.tellg();
    file_.seekg(0);
  }

  /// True while there is a whole frame; a magic number that is none ends the walk, the decoder complains of
  /// it.
  bool whole() {
    while (position_ < size_) {
      const std::uint32_t magic = read(4);
      if (position_ > size_) return false;
      if ((magic & ~0xFU) == kSkippable) {
        skip(read(4));
      } else if (magic == kFrame) {
        frame();
      } else {
        return true;
      }
    }
    return position_ == size_;
  }

 private:
  void frame() {
    static constexpr std::array<int, 4> kDictionaryBytes{0, 1, 2, 4}, kContentBytes{0, 2, 4, 8};
    const std::uint32_t descriptor = read(1);
    const bool single_segment = descriptor & 0x20U, checksum = descriptor & 4U;
    const int content = kContentBytes[descriptor >> 6U];
    skip(kDictionaryBytes[descriptor & 3U] + (single_segment ? std::max(content, 1) : 1 + content));
    std::uint32_t block = 0;
    do {
      block = read(3);
      const bool repeated_byte = (block >> 1U & 3U) == 1;
      skip(repeated_byte ? 1 : block >> 3U);
    } while (!(block & 1U) && position_ <= size_);
    if (checksum) skip(4);
  }

  /// A little-endian number; zero beyond the end, if `position_` says so.
  std::uint32_t read(int bytes) {
    std::uint32_t number = 0;
    for (int i = 0; i < bytes; ++i, ++position_) {
      const int byte = position_ < size_ ? file_.get() : 0;
      number |= static_cast<std::uint32_t>(byte) << (8 * i);
    }
    return number;
  }
  void skip(std::int64_t bytes) {
    position_ += bytes;
    if (position_ < size_) file_.seekg(position_);
  }

  std::istream& file_;
  std::int64_t size_ = 0, position_ = 0;
};

}  // namespace

bool zstd_is_whole(std::istream& file) { return FrameWalk(file).whole(); }

}  // namespace claros
