// SPDX-License-Identifier: BSD-3-Clause
/// @file elf_file.hpp  The facts that a plugin's file states, without loading it.
#pragma once

#include <claros/plugin.hpp>

#include <deque>
#include <filesystem>
#include <string>
#include <vector>

namespace claros {

/// Which other libraries a library needs, and the folders that it tells the loader to look for them in.
struct LibraryNeeds {
  std::vector<std::string> needed;   ///< file names, or paths
  std::vector<std::string> folders;  ///< of RPATH and RUNPATH, as they are written: "$ORIGIN/../lib"
};

/// A plugin as its file has it.
struct PluginFile {
  /// The exported descriptor. The texts are in `texts`; a function is not null if there is one, and must
  /// not be called.
  ClarosPlugin descriptor{};
  std::deque<std::string> texts;
  LibraryNeeds needs;
};

/// Checks everything that would go wrong after the file is mapped, and reads the descriptor as the loader
/// would make it. Texts and functions are null if the first members say that the descriptor is another
/// host's. Throws Error(plugin).
PluginFile read_plugin_file(const std::filesystem::path& file);

/// Reads any shared library. Throws Error(plugin) for a file that is not a library of this machine.
LibraryNeeds read_library_needs(const std::filesystem::path& file);

}  // namespace claros
