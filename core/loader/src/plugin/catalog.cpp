// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin/catalog.hpp>

#include <claros/contain.hpp>

#include <algorithm>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>

#include "plugin/interface_of_kind.hpp"
#include "plugin/plugin_descriptor.hpp"
#include "plugin/plugin_library.hpp"
#include "plugin/trust.hpp"
#include "surroundings.hpp"

namespace claros {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, kKinds.size()> kKindNames{
    "objective", "set", "penalty", "smoother", "estimator", "algorithm", "data", "loss"};

std::string origin_of(const PluginEntry& entry) {
  return entry.path.empty() ? "this program" : entry.path.string();
}

/// True if the file of `entry` is named after `name`; file names write it with '-' or with '_'.
bool may_hold(const PluginEntry& entry, const std::string& name) {
  std::string stem = entry.path.stem().string();
  std::replace(stem.begin(), stem.end(), '_', '-');
  return !name.empty() && stem.find(name) != stem.npos;
}

}  // namespace

std::string kind_name(Kind kind) { return std::string(kKindNames.at(static_cast<std::size_t>(kind))); }

std::optional<Kind> parse_kind(std::string_view name) {
  for (const Kind kind : kKinds)
    if (kKindNames[static_cast<std::size_t>(kind)] == name) return kind;
  return {};
}

bool is_plugin_name(std::string_view name) noexcept {
  constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789-";
  return !name.empty() && name.find_first_not_of(kAllowed) == name.npos && name.front() != '-' &&
         name.back() != '-' && name.find("--") == name.npos;
}

std::string PluginEntry::label() const { return name.empty() ? path.string() : kind_name(kind) + '/' + name; }

const ParameterList& PluginEntry::parameters() const {
  if (!library) throw Error(ErrorKind::plugin, problem.where, problem.what, problem.remedy);
  return library->parameters();
}

std::string PluginEntry::changed() const { return library ? library->changed() : ""; }

void Catalog::trust(const fs::path& path) { trusted_.push_back(fs::absolute(path)); }
void Catalog::load_in_child_first(double seconds) { limit_ = seconds; }

void Catalog::scan(const SearchPath& folders) {
  const Trust trust(trusted_);
  for (const SearchFolder& folder : folders) scan_folder(folder, trust);
}

void Catalog::scan_folder(const SearchFolder& folder, const Trust& trust) {
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    report(folder.path, {folder.path.string() + " (" + folder.origin + ')', what, remedy});
  };
  if (!folder.path.is_absolute()) return refuse("is not an absolute path", "write the whole path");
  std::error_code code;
  const fs::path real = fs::canonical(folder.path, code);
  if (code || !fs::is_directory(real, code)) {
    if (folder.named) refuse("is not a folder that exists", "correct the path or leave it out");
    return;
  }
  if (std::find(scanned_.begin(), scanned_.end(), real) != scanned_.end()) return;
  scanned_.push_back(real);
  if (const auto weak = trust.of_folder(real))
    return refuse(weak->seen_from(real) + ", so no plugin of it is loaded",
                  weak->remedy + ", or trust it as it is: --trust " + real.string());
  std::vector<fs::path> files;
  for (fs::directory_iterator at(real, code), end; !code && at != end; at.increment(code))
    if (at->path().extension() == ".so") files.push_back(at->path());
  if (code) return refuse("cannot be read: " + code.message(), "check its permissions");
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) scan_file(file, folder.origin, trust);
}

void Catalog::scan_file(const fs::path& file, const std::string& origin, const Trust& trust) {
  try {
    PluginEntry entry = read(file, trust);
    entry.origin = origin;
    enter(std::move(entry));
  } catch (const Error& error) {
    Complaint problem = error.complaints().front();
    problem.where = file.string();
    report(file, std::move(problem));
  }
}

/// Everything that can be wrong with a file is found before it is loaded, as far as that is possible.
PluginEntry Catalog::read(const fs::path& file, const Trust& trust) const {
  std::error_code code;
  const bool in_scanned = std::find(scanned_.begin(), scanned_.end(), file.parent_path()) != scanned_.end();
  const fs::path real = in_scanned && !fs::is_symlink(file, code) ? file : fs::canonical(file, code);
  if (code || !fs::is_regular_file(real, code))
    throw Error(ErrorKind::plugin, file.string(), "is not a file", "remove it, or correct the link");
  PluginFile contents = read_plugin_file(real);
  trust.check(real, contents.needs);
  PluginEntry entry = read_descriptor(contents.descriptor, file);
  entry.library = std::make_shared<PluginLibrary>(real, std::move(contents), limit_);
  return entry;
}

void Catalog::load_all(std::span<const Kind> kinds) {
  std::vector<PluginEntry*> asked;
  std::vector<PluginLibrary*> libraries;
  for (PluginEntry& entry : entries_)
    if (entry.usable() && std::find(kinds.begin(), kinds.end(), entry.kind) != kinds.end()) {
      asked.push_back(&entry);
      if (!entry.path.empty()) libraries.push_back(entry.library.get());
    }
  if (limit_ > 0.0) PluginLibrary::try_together(libraries);
  for (PluginEntry* entry : asked)
    if (auto trouble = entry->library->trouble()) {
      entry->state = PluginState::broken;
      entry->problem = std::move(*trouble);
    }
}

const PluginEntry& Catalog::add(const ClarosPlugin& plugin) {
  PluginEntry entry = read_descriptor(plugin, {});
  entry.library = std::make_shared<PluginLibrary>(plugin);
  return enter_first(std::move(entry));
}

const PluginEntry& Catalog::load(const fs::path& file) {
  PluginEntry entry = read(fs::absolute(file), Trust(trusted_));
  entry.origin = "file";
  (void)entry.parameters();
  return enter_first(std::move(entry));
}

/// By name alone: an alias of another plugin takes no place.
const PluginEntry* Catalog::named(Kind kind, std::string_view name) const noexcept {
  for (const PluginEntry& entry : entries_)
    if (entry.usable() && entry.kind == kind && entry.name == name) return &entry;
  return nullptr;
}

const PluginEntry& Catalog::enter_first(PluginEntry entry) {
  if (const PluginEntry* first = named(entry.kind, entry.name))
    throw Error(ErrorKind::usage, entry.label(), "already comes from " + origin_of(*first),
                "add it before scanning, or rename it");
  return entries_.emplace_back(std::move(entry));
}

void Catalog::enter(PluginEntry entry) {
  if (const PluginEntry* first = named(entry.kind, entry.name)) {
    entry.state = PluginState::shadowed;
    entry.problem = {entry.path.string(), entry.label() + " already comes from " + origin_of(*first),
                     "remove one of them, or change the order of the folders"};
  }
  entries_.push_back(std::move(entry));
}

void Catalog::report(const fs::path& path, Complaint problem) {
  PluginEntry entry;
  entry.path = path;
  entry.problem = std::move(problem);
  entries_.push_back(std::move(entry));
}

namespace {

bool has_alias(const PluginEntry& entry, std::string_view name) {
  return std::find(entry.aliases.begin(), entry.aliases.end(), name) != entry.aliases.end();
}

}  // namespace

const PluginEntry* Catalog::find(Kind kind, std::string_view name) const noexcept {
  const PluginEntry* by_alias = nullptr;
  for (const PluginEntry& entry : entries_) {
    if (!entry.usable() || entry.kind != kind) continue;
    if (entry.name == name) return &entry;
    const bool better = !by_alias || (entry.is_built_in() && !by_alias->is_built_in());
    if (better && has_alias(entry, name)) by_alias = &entry;
  }
  return by_alias;
}

std::string Catalog::replaced_built_in(Kind kind, std::string_view name) const {
  const PluginEntry* chosen = find(kind, name);
  if (!chosen || chosen->is_built_in()) return {};
  for (const PluginEntry& entry : entries_)
    if (entry.state != PluginState::broken && entry.kind == kind && entry.is_built_in() &&
        (entry.name == name || has_alias(entry, name)))
      return chosen->label() + " comes from " + origin_of(*chosen) + ", in the place of " +
             (entry.name == name ? "the built-in one"
                                 : "the built-in " + entry.label() + ", whose alias that is") +
             " (" + origin_of(entry) + ')';
  return {};
}

std::vector<std::string> Catalog::names(Kind kind) const {
  std::vector<std::string> result;
  for (const PluginEntry& entry : entries_)
    if (entry.usable() && entry.kind == kind) result.push_back(entry.name);
  std::sort(result.begin(), result.end());
  return result;
}

const PluginEntry& Catalog::at(Kind kind, std::string_view name, const std::string& where) const {
  if (const PluginEntry* entry = find(kind, name)) return *entry;
  throw Error(ErrorKind::usage, where,
              "there is no " + kind_name(kind) + " named '" + std::string(name) + "'",
              guess(kind, std::string(name)));
}

namespace {

/// A build tree lists its own components beside those that are built: apps/quickstart builds ten.
bool is_unbuilt(const std::string& kind, const std::string& name) {
  const fs::path folder = Catalog::default_search_path().back().path;
  std::ifstream list(folder / "components.txt");
  for (std::string line; std::getline(list, line);)
    if (line == kind + '/' + name) return !fs::exists(folder / ("claros_" + kind + '_' + name + ".so"));
  return false;
}

}  // namespace

std::string Catalog::guess(Kind kind, const std::string& name) const {
  std::vector<std::string> hints;
  for (const Kind other : kKinds)
    if (find(other, name)) hints.push_back("there is " + kind_name(other) + '/' + name);
  for (const PluginEntry& entry : entries_)
    if (!entry.usable() && may_hold(entry, name))
      hints.push_back("a plugin that cannot be used may hold it: " + entry.problem.where + ": " +
                      entry.problem.what);
  if (hints.empty() && is_unbuilt(kind_name(kind), name))
    return "it is part of this tree and not built yet: built by cmake --build --preset release";
  const std::vector<std::string> known = names(kind);
  std::vector<std::string> words = known;
  for (const PluginEntry& entry : entries_)
    if (entry.usable() && entry.kind == kind)
      words.insert(words.end(), entry.aliases.begin(), entry.aliases.end());
  if (std::string nearest = did_you_mean(name, words); !nearest.empty()) hints.push_back(std::move(nearest));
  if (!hints.empty()) return joined(hints, "; ");
  if (known.empty()) {
    const auto broken = std::ranges::find(entries_, PluginState::broken, &PluginEntry::state);
    return "no " + kind_name(kind) + " was found: " +
           (broken == entries_.end() ? "check the plugin path"
                                     : Error(ErrorKind::plugin, {broken->problem}).what());
  }
  return "there are " + joined(known);
}

namespace {

/// Options that a host filled itself may lack what only a person can choose.
void require_values(const PluginEntry& entry, const std::string& path, const void* options) {
  std::vector<Complaint> complaints;
  for (const std::string& name : missing_values(entry.parameters(), options))
    complaints.push_back(missing_value(*entry.parameters().find(name), path + '.' + name, entry.label()));
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

void require_interface(const PluginEntry& entry, Component& component) {
  if (has_interface(entry.kind, component)) return;
  throw Error(
      ErrorKind::plugin, entry.label(), "created an object that is not of kind " + kind_name(entry.kind),
      "its class must derive from the one of that kind, and be compiled with run-time types (-frtti)");
}

}  // namespace

std::shared_ptr<Component> Catalog::create(const PluginEntry& entry, const void* options,
                                           const Context& context) {
  for (const Role& role : entry.parameters().roles())
    if (role.required && !context.part<Component>(role.name))
      throw Error(ErrorKind::usage, entry.label(),
                  "needs a part '" + role.name + "' of kind " + kind_name(role.kind),
                  "compose it: Context::held");
  const std::string path = context.path.empty() ? kind_name(entry.kind) : context.path;
  require_values(entry, path, options);
  const auto library = entry.library;
  Component* made = nullptr;
  std::string changed;
  const std::string label = entry.label();
  const ComponentPath place{path, &entry.parameters()};
  contain(label, [&] {
    Surroundings before;
    const AtWork at_work(label.c_str());
    try {
      made = library->plugin().create(options, context);
    } catch (const Error& error) {
      throw place.with_path(error);
    }
    changed = before.restore();
  });
  if (!made)
    throw Error(ErrorKind::plugin, entry.label(), "created no component",
                "its create must return one or throw");
  if (!changed.empty())
    context.warn(entry.label() + " changed " + changed + " when it was made; that was put back");
  std::shared_ptr<Component> component(made, [library, label](Component* c) {
    const AtWork at_work(label.c_str());
    std::optional<Surroundings>
        before;  // 20 system calls: more than a small solve takes, for all its objects
    if (library->ends_first()) before.emplace();
    const FloatingPointMode mode = FloatingPointMode::now();
    library->plugin().destroy(c);
    (void)mode.put_back();
  });
  require_interface(entry, *component);
  return component;
}

}  // namespace claros
