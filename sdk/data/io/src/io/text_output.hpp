// SPDX-License-Identifier: BSD-3-Clause
/// @file text_output.hpp  Formatted text into a file that is written whole or not at all.
#pragma once

#include <claros/error.hpp>
#include <claros/io/atomic_file.hpp>

#include <charconv>
#include <concepts>
#include <filesystem>
#include <string>
#include <string_view>

namespace claros {

/// Throws Error(usage) for the name of a compressed file, which would hold plain text.
inline void expect_plain_name(const std::filesystem::path& path) {
  for (const char* compressed : {".gz", ".bz2", ".xz", ".zst"})
    if (path.extension() == compressed)
      throw Error(ErrorKind::usage, path.string(),
                  "is the name of a compressed file, and Claros writes plain text",
                  "name it " + path.stem().string() + ", and compress it afterwards");
}

/// Collects text in large pieces; numbers are locale-free and as short as reads back to the same value.
class TextOutput {
 public:
  explicit TextOutput(const std::filesystem::path& path) : file_(path) { expect_plain_name(path); }

  TextOutput& operator<<(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kPiece) flush();
    return *this;
  }
  TextOutput& operator<<(char c) { return *this << std::string_view(&c, 1); }
  template <class Number>
  requires std::floating_point<Number> || std::integral<Number> TextOutput& operator<<(Number number) {
    char text[32];
    return *this << std::string_view(text, std::to_chars(text, text + sizeof text, number).ptr);
  }
  /// To be called once, last.
  void commit() {
    flush();
    file_.commit();
  }

 private:
  static constexpr std::size_t kPiece = 1 << 20;
  void flush() {
    file_.write(buffer_);
    buffer_.clear();
  }
  AtomicFile file_;
  std::string buffer_;
};

}  // namespace claros
