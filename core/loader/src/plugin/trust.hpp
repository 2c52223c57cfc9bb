// SPDX-License-Identifier: BSD-3-Clause
/// @file trust.hpp  Whose code is loaded: what only root, the user and the owner of this library can change.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plugin/elf_file.hpp"

namespace claros {

/// The rule that ssh has for keys, along the whole path. A file or folder may belong to root, to the user, or
/// to the owner of libclaros, whose code runs already. No one else may be able to write to it. A group counts
/// as its owner where it is the owner's private one, or root's without members, or may replace libclaros
/// anyway. In a sticky folder (/tmp) others cannot rename what is the user's. Such a folder may be on the
/// way, but no libraries are looked for in it. Folders above libclaros are not asked: who can change them has
/// this library already. Paths are canonical.
class Trust {
 public:
  /// `trusted` are taken with all that is below them, as they are.
  explicit Trust(const std::vector<std::filesystem::path>& trusted);

  /// The fault of one file or folder on the way, and its remedy.
  struct Weakness {
    std::filesystem::path path;
    std::string what, remedy;
    /// "can be changed by everyone", or "lies in /tmp/x, which can be changed by everyone".
    std::string seen_from(const std::filesystem::path& end) const;
  };
  std::optional<Weakness> of_file(const std::filesystem::path& file) const;
  /// The weakness of a folder in which libraries are looked for; the folder need not exist.
  std::optional<Weakness> of_folder(const std::filesystem::path& folder) const;

  /// Throws Error(plugin) if the file, a folder that its RPATH names, or what it needs from there, and so
  /// on, is weak.
  void check(const std::filesystem::path& file, const LibraryNeeds& needs) const;

 private:
  bool trusted(const std::filesystem::path& path) const;
  bool is_own_group(gid_t group, uid_t owner) const;
  std::optional<Weakness> weakness(const std::filesystem::path& path, bool may_be_sticky) const;
  std::optional<Weakness> above(const std::filesystem::path& path) const;
  void check_search(const std::filesystem::path& plugin, const std::filesystem::path& library,
                    const LibraryNeeds& needs, std::set<std::filesystem::path>& seen) const;

  std::vector<std::filesystem::path> trusted_;
  std::filesystem::path own_;  ///< the file of libclaros
  uid_t own_user_;
  std::optional<gid_t> own_group_;  ///< that may change it
  mutable std::map<std::pair<gid_t, uid_t>, bool> groups_;
  mutable std::set<std::filesystem::path>
      sound_;  ///< folders and needed libraries that were found so, with all above them; links to these, too
  mutable std::map<std::filesystem::path, std::filesystem::path>
      existing_;                                ///< of search paths: see trust.cpp
  mutable std::map<std::string, bool> exists_;  ///< what libraries were sought as
};

/// The shared library that holds this code.
std::filesystem::path library_file();

}  // namespace claros
