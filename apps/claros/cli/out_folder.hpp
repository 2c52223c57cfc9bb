// SPDX-License-Identifier: BSD-3-Clause
/// @file out_folder.hpp  The folder of --out: what may be overwritten, and whether it can be written, before
/// work starts.
#pragma once

#include <claros/error.hpp>

#include <filesystem>
#include <vector>

namespace claros::cli {

/// The origin of a grid, whose presence also says that the folder is a grid's.
inline constexpr const char* kMadeFile = "made.json";

/// The purpose of a folder; an earlier run, comparison or path is replaced by one of its kind, other files
/// never are.
enum class Keeps { run, comparison, path, files };

class OutFolder {
 public:
  /// Adds to `complaints` when `folder` exists and holds anything but an earlier run (comparison, path):
  /// other files are never overwritten.
  OutFolder(std::filesystem::path folder, std::vector<Complaint>& complaints, Keeps keeps = Keeps::run);
  /// Removes the folder when it was made here and is still empty.
  ~OutFolder();
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;

  /// Makes the folder. Throws Error(data) when nothing could be written to it.
  void prepare();
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
  bool made_ = false;
};

}  // namespace claros::cli
