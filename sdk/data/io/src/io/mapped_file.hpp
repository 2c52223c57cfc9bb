// SPDX-License-Identifier: BSD-3-Clause
/// @file mapped_file.hpp  A file that is read where it stands.
#pragma once

#include <claros/resolved_files.hpp>

#include <claros/map/design.hpp>

#include <cstddef>
#include <filesystem>
#include <string>

namespace claros {

/// All bytes of a file, mapped for as long as this lives.
class MappedFile final : public DesignSource {
 public:
  /// `row_bytes` are always read together. Throws Error(data) if the file cannot be opened or mapped.
  MappedFile(const std::filesystem::path& path, std::size_t row_bytes);
  ~MappedFile() override;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(stamp_.size); }
  void require_unchanged() const override;
  void will_read(const void* from, std::size_t bytes) const noexcept override;
  bool larger_than_memory() const noexcept override { return larger_than_memory_; }
  void read(const void* from, std::size_t bytes, void* to) const override;

 private:
  FileStamp stamp_now() const;
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const;

  std::string path_;
  int file_ = -1;
  FileStamp stamp_;
  const std::byte* data_ = nullptr;
  bool larger_than_memory_ = false;
};

}  // namespace claros
