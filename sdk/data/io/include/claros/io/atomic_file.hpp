// SPDX-License-Identifier: BSD-3-Clause
/// @file atomic_file.hpp  Files that are written whole or not at all.
#pragma once

#include <claros/api.hpp>

#include <filesystem>
#include <string_view>

namespace claros {

/// A file that appears under its name, complete and on disk, when `commit` returns. Until then, and if commit
/// is never reached, an earlier file of that name stays as it was. Content goes to a temporary file in the
/// same folder (write, fsync, rename, fsync of the folder). Unbuffered: hand in large pieces. Failures (a
/// missing or unwritable folder, a full disk, a target that is not a regular file) throw Error(data) and
/// leave no temporary file. A symbolic link at the target is replaced, not followed.
class CLAROS_API AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view content);
  /// To be called once, last.
  void commit();

 private:
  void create();
  void discard() noexcept;
  /// Throws with the text of `code`, an errno value; nothing is left behind.
  [[noreturn]] void fail(const char* action, int code);

  std::filesystem::path target_, temporary_;
  int descriptor_ = -1;
};

/// While it lives, files that this thread writes are whole to every reader, but not forced to disk one by
/// one, which takes milliseconds each. It is for many small files that `sync_disk` makes durable together. A
/// power failure before that may lose them or leave them empty.
class CLAROS_API UnsyncedFiles {
 public:
  UnsyncedFiles() noexcept;
  ~UnsyncedFiles();
  UnsyncedFiles(const UnsyncedFiles&) = delete;
  UnsyncedFiles& operator=(const UnsyncedFiles&) = delete;
};

/// Returns when all that was written to the file system of that folder is on disk. Throws Error(data) when it
/// cannot be.
CLAROS_API void sync_disk(const std::filesystem::path& folder);

/// The whole of `content` as the file `target`.
CLAROS_API void write_atomically(const std::filesystem::path& target, std::string_view content);

}  // namespace claros
