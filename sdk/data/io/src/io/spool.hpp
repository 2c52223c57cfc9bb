// SPDX-License-Identifier: BSD-3-Clause
/// @file spool.hpp  Bytes that wait in an unnamed file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace claros {

/// A file without a name in a folder, gone with this object or the process. Errors are Error(data) at the
/// folder.
class Spool {
 public:
  explicit Spool(std::filesystem::path folder);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  void write(std::string_view bytes);
  std::uint64_t size() const noexcept { return size_ + buffer_.size(); }
  /// All bytes from the first on, in pieces.
  void replay(const std::function<void(std::string_view)>& each);

 private:
  void flush();
  [[noreturn]] void fail(const char* action, int code) const;

  std::filesystem::path folder_;
  int file_ = -1;
  std::uint64_t size_ = 0;
  std::string buffer_;
};

}  // namespace claros
