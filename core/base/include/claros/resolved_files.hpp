// SPDX-License-Identifier: BSD-3-Clause
/// @file resolved_files.hpp  The files that the components of a composition asked for, and their state at
/// that time.
#pragma once

#include <claros/api.hpp>

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

struct stat;

namespace claros {

/// What tells two states of a regular file apart without reading it. Folders, pipes and devices have no
/// contents that a run is made from: their stamps are alike.
struct CLAROS_API FileStamp {
  bool regular = false;
  unsigned long long device = 0, file = 0;
  long long size = 0, seconds = 0, nanoseconds = 0;  ///< and when it was last written

  static FileStamp of(const struct stat& status) noexcept;
  bool operator==(const FileStamp&) const = default;
};

/// Shared by the copies of a context (Context::files).
class CLAROS_API ResolvedFiles {
 public:
  struct File {
    std::string text;  ///< as the specification names it
    std::filesystem::path path;
    FileStamp stamp;  ///< when it was first asked for
    /// The hash of its contents while it was as the stamp says; empty: not known.
    std::string contents = {};
  };

  void add(const std::string& text, const std::filesystem::path& path);
  std::vector<File> all() const;
  /// Sets the contents of file `k` of `all`.
  void set_contents(std::size_t k, const std::string& contents);
  /// Forgets that file, or the files in that folder, which the run itself is about to replace.
  void forget_in(const std::filesystem::path& replaced);

 private:
  mutable std::mutex mutex_;
  std::vector<File> files_;
};

}  // namespace claros
