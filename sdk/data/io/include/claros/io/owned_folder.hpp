// SPDX-License-Identifier: BSD-3-Clause
/// @file owned_folder.hpp  A folder of results that one process at a time writes, and in which an old result
/// stands until the new one does.
#pragma once

#include <claros/api.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace claros {

/// The folder belongs to this object, by a lock (flock) on folder/.claros-lock that the system releases with
/// the process, however that ends. While a new result is made, the earlier files of the folder are in
/// folder/.claros-earlier; they are removed when the new result is complete.
///
/// New files are put into folder/.claros-new; `publish` gives them their names. A process that was killed
/// leaves one of these, and the next owner deals with it:
/// - .claros-moving: files on their way to `.claros-earlier`. They go back.
/// - .claros-new with its last file: a whole result on its way. It is published. Without its last file it is
///   removed.
/// - `.claros-earlier` beside a whole result: removed. Beside an unfinished one it stays.
/// - temporary files of processes that are no more, and .claros-gone: removed.
///
/// A folder in which one of these names, or one of `names`, is a symbolic link is refused: nothing is written
/// through links.
class CLAROS_API OwnedFolder {
 public:
  /// The layout of a folder: the names of its result, of which the last says that all others are there, and
  /// whether that result is whole.
  struct Layout {
    std::function<std::vector<std::string>(const std::filesystem::path& folder)> names;
    std::function<bool(const std::filesystem::path& folder)> whole;
  };

  /// Owns a folder that exists. Throws Error(data) if another process owns it, with its number, or if it
  /// cannot be locked.
  OwnedFolder(std::filesystem::path folder, Layout layout);
  ~OwnedFolder();
  OwnedFolder(const OwnedFolder&) = delete;
  OwnedFolder& operator=(const OwnedFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  /// Moves a whole result to folder/.claros-earlier; an unfinished one is removed, and an `.claros-earlier`
  /// of before stays.
  void set_aside();
  /// Undoes it: what has been written since is removed, and the earlier result stands where it stood.
  void put_back();
  /// Begins a new result: makes folder/.claros-new and returns it.
  std::filesystem::path stage();
  /// Gives what was staged its names, the last of the layout last, and removes the earlier result. Nothing is
  /// published where this throws Error(data) before the first name.
  void publish();
  /// Removes the earlier result.
  void drop_earlier();

 private:
  void lock();
  void settle();
  void roll_forward();
  void forget(const std::string& name);
  void refuse_links() const;
  void refuse_other_kinds() const;
  std::vector<std::string> names() const { return layout_.names(path_); }
  std::filesystem::path at(const std::string& name) const { return path_ / name; }
  [[noreturn]] void fail(const std::string& name, const std::string& what) const;
  void rename(const std::filesystem::path& from, const std::filesystem::path& to) const;

  std::filesystem::path path_;
  Layout layout_;
  int descriptor_ = -1;
};

/// The number of the process that owns the folder, as text; empty if none does.
CLAROS_API std::string owner_of(const std::filesystem::path& folder);

/// True if `name` is one that this file keeps for itself in a folder (a lock, a temporary file, a result set
/// aside).
CLAROS_API bool is_own_name(const std::string& name) noexcept;

}  // namespace claros
