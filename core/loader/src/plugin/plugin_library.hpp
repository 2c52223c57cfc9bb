// SPDX-License-Identifier: BSD-3-Clause
/// @file plugin_library.hpp  A plugin whose library is loaded when something of it is first used.
#pragma once

#include <claros/plugin/catalog.hpp>

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "plugin/elf_file.hpp"

namespace claros {

/// Threads may ask at the same time. An error is remembered and thrown again.
class PluginLibrary {
 public:
  /// The library in a file that was read; with `limit` above 0 a child process of so many seconds loads it
  /// first.
  PluginLibrary(std::filesystem::path file, PluginFile contents, double limit);
  /// A plugin in the program itself. Throws Error(plugin) when its parameters are unsound.
  explicit PluginLibrary(const ClarosPlugin& plugin);

  const ClarosPlugin& plugin();
  const ParameterList& parameters();
  /// The state of the process that the library changed while it was loaded, and that was restored; empty for
  /// most.
  const std::string& changed();
  /// True once: for the first of its objects that ends.
  bool ends_first() noexcept { return !has_ended_.exchange(true); }

  /// Why it cannot be loaded, found by a child process alone if there is a limit; nothing when it can.
  std::optional<Complaint> trouble();

  /// Finds those without trouble by one child for all of them, which is quicker than one for each. Another
  /// library may cause what the child ends at or says of one: `trouble` tries the rest alone.
  static void try_together(const std::vector<PluginLibrary*>& libraries);

 private:
  void load();
  void load_here();
  void check_same(const ClarosPlugin& loaded) const;
  std::optional<Complaint> tried_here();
  std::optional<Complaint> tried_in_child();
  std::string reply();

  std::mutex mutex_;
  std::filesystem::path file_;
  PluginFile contents_;
  double limit_ = 0.0;
  bool was_tried_ = false;
  std::optional<Complaint> trouble_;
  std::shared_ptr<const ClarosPlugin> plugin_;
  const ParameterList* parameters_ = nullptr;
  std::string changed_;
  std::atomic<bool> has_ended_ = false;
};

}  // namespace claros
