// SPDX-License-Identifier: BSD-3-Clause
/// @file catalog.hpp  The plugin host: which components exist, why some cannot be used, and how one is made.
#pragma once

#include <claros/api.hpp>
#include <claros/plugin.hpp>
#include <claros/settings.hpp>

#include <deque>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace claros {

/// True if `name` may name a plugin: lower-case words and numbers, joined by '-'.
CLAROS_API bool is_plugin_name(std::string_view name) noexcept;

/// A folder that may hold plugins. One that the user `named` is reported when it does not exist.
struct CLAROS_API SearchFolder {
  std::filesystem::path path;
  std::string origin;  ///< "--plugin-path", "CLAROS_PLUGIN_PATH", "user", "installation"
  bool named = false;
};
using SearchPath = std::vector<SearchFolder>;

enum class PluginState {
  usable,
  shadowed,  ///< sound, but its kind and name were taken before
  broken,    ///< cannot be used; kind, name and the rest may be unknown
};

class PluginLibrary;
class ProgramServices;
class Trust;

/// One plugin that was found, or one file or folder that could not be used. Its texts are read from the file;
/// the library is loaded when its parameters are first asked for.
struct CLAROS_API PluginEntry {
  PluginState state = PluginState::broken;
  std::filesystem::path path;  ///< the path of the library; empty for a component of the program itself
  std::string origin;          ///< the origin of the folder that it was found in (SearchFolder::origin)
  Complaint problem;           ///< why it is not usable: file, reason, remedy

  Kind kind{};
  std::string name;
  std::vector<std::string> aliases;
  std::string version, summary, description, citation, guidance, specification;
  std::shared_ptr<PluginLibrary> library;  ///< null when broken

  bool usable() const noexcept { return state == PluginState::usable; }
  /// True if it belongs to the installation or the program.
  bool is_built_in() const noexcept { return path.empty() || origin == "installation"; }
  /// The parameters that can be set; they live as long as the process. Loads the library, and throws
  /// Error(plugin) if that fails.
  const ParameterList& parameters() const;
  /// The state of the process that the library changed while it was loaded (the rounding mode, the working
  /// directory), and that was restored. It is empty for most libraries, and before an attempt to load this
  /// one.
  std::string changed() const;
  /// "set/nuclear-ball", or the path when the name is unknown.
  std::string label() const;
};

/// The components that a program can use. Plugins come from folders (`scan`) or from the program (`add`); of
/// two with the same kind and name the first found wins. Files are read and not loaded: no code of a plugin
/// runs before it is asked for its parameters or makes a component. A faulty plugin file does not make a scan
/// throw: it becomes an entry with the reason. Several catalogs may live in one process. One thread at a time
/// changes a catalog; many may read it.
///
/// The catalog loads only files that root, the user and the owner of this library alone can change. This
/// includes the file, every folder above it, and the folders of its RPATH. A file that is trusted as it is
/// (`trust`, CLAROS_TRUST) is not checked.
class CLAROS_API Catalog {
 public:
  /// Empty: `scan`, `add` or `load` fills it.
  Catalog() : trusted_(default_trust()) {}

  /// A catalogue of the plugins that the default search path has, those of `extra` before them.
  static Catalog standard(const std::vector<std::filesystem::path>& extra = {});

  /// The folders that are searched for plugins, in this order: `extra` (relative ones from the working
  /// directory), the absolute folders of CLAROS_PLUGIN_PATH, the user's data folder, and claros/plugins
  /// beside this library. The build tree has the same layout. The working directory is never searched by
  /// itself.
  static SearchPath default_search_path(const std::vector<std::filesystem::path>& extra = {});

  /// The absolute paths of the environment's CLAROS_TRUST.
  static std::vector<std::filesystem::path> default_trust();

  /// Takes a file, or everything in a folder and below, without asking who can change it; for what is scanned
  /// afterwards.
  void trust(const std::filesystem::path& path);
  /// From now on a child process of at most so many seconds loads each scanned library before this one does.
  /// A library that crashes, hangs or exits then gives an error that names it. The program should have no
  /// threads yet that hold locks.
  void load_in_child_first(double seconds);
  /// Adds every *.so of the folders, in their order and alphabetically within one. A folder is read once.
  void scan(const SearchPath& folders);
  /// Adds a component of the program; `plugin` outlives the catalog and its components. Throws Error(plugin)
  /// when the descriptor is unsound, Error(usage) when its kind and name are taken.
  const PluginEntry& add(const ClarosPlugin& plugin);
  /// Adds the plugin of one file, wherever it lies. Throws Error(plugin) with the reason when it cannot be
  /// used, Error(usage) when its kind and name are taken.
  const PluginEntry& load(const std::filesystem::path& file);

  /// Loads every usable plugin of these kinds, in a child process alone after load_in_child_first; what
  /// cannot be loaded becomes broken.
  void load_all(std::span<const Kind> kinds = kKinds);

  /// The services that composing asks of the program (claros/compose/program_services.hpp); null unless
  /// `serve` set them.
  void serve(std::shared_ptr<const ProgramServices> services) noexcept { services_ = std::move(services); }
  const ProgramServices* services() const noexcept { return services_.get(); }

  /// Everything found, usable or not. References stay valid while the catalog lives.
  const std::deque<PluginEntry>& entries() const noexcept { return entries_; }
  /// The usable plugin of that name or alias, or null. Names come before aliases, and built-in aliases
  /// before others.
  const PluginEntry* find(Kind kind, std::string_view name) const noexcept;
  /// Throws Error(usage) with a suggestion if there is none. `where` is the place of the name.
  const PluginEntry& at(Kind kind, std::string_view name, const std::string& where = {}) const;
  /// Empty, or that `name` means a plugin from elsewhere although a built-in one has that name or alias,
  /// and which.
  std::string replaced_built_in(Kind kind, std::string_view name) const;
  /// Names of the usable plugins of a kind, sorted, without aliases.
  std::vector<std::string> names(Kind kind) const;

  /// A component with the options of `entry.parameters().make()` or a copy of them changed by the host. The
  /// result keeps its library loaded and is destroyed by its plugin. create_component
  /// (claros/compose/plan.hpp) fills options and roles from settings. Throws Error(usage) if a required
  /// option was left out, or context.held lacks a component for a required role. It passes on any
  /// claros::Error of the constructor, and throws Error(plugin) for any other exception.
  static std::shared_ptr<Component> create(const PluginEntry& entry, const void* options,
                                           const Context& context);

 private:
  /// A suggestion for a name that does not exist.
  std::string guess(Kind kind, const std::string& name) const;
  void scan_folder(const SearchFolder& folder, const Trust& trust);
  void scan_file(const std::filesystem::path& file, const std::string& origin, const Trust& trust);
  PluginEntry read(const std::filesystem::path& file, const Trust& trust) const;
  const PluginEntry* named(Kind kind, std::string_view name) const noexcept;
  void enter(PluginEntry entry);
  const PluginEntry& enter_first(PluginEntry entry);
  void report(const std::filesystem::path& path, Complaint problem);

  std::deque<PluginEntry> entries_;
  std::vector<std::filesystem::path> scanned_, trusted_;
  double limit_ = 0.0;
  std::shared_ptr<const ProgramServices> services_;
};

}  // namespace claros
