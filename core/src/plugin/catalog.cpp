// SPDX-License-Identifier: BSD-3-Clause
#include <claros/algorithm.hpp>
#include <claros/plugin/catalog.hpp>

#include <claros/contain.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

#include "plugin/elf_file.hpp"
#include "plugin/plugin_descriptor.hpp"
#include "plugin/shared_library.hpp"

namespace claros {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, kKinds.size()> kKindNames{
    "objective", "set", "penalty", "smoother", "estimator", "algorithm", "data"};

bool world_writable(const fs::path& path) {
  std::error_code code;
  return (fs::status(path, code).permissions() & fs::perms::others_write) != fs::perms::none && !code;
}

/// Whoever can change the file or swap it for another runs code as the user. Links are followed before.
void check_permissions(const fs::path& file, const fs::path& real) {
  const auto refuse = [&](const std::string& what, const fs::path& culprit) {
    throw Error(ErrorKind::plugin, file.string(), what, "run chmod o-w " + culprit.string());
  };
  if (world_writable(real)) refuse("can be changed by everyone and is not loaded", real);
  if (world_writable(real.parent_path()))
    refuse("lies in a folder that everyone can change and is not loaded", real.parent_path());
}

/// Everything that can be wrong with a file is found before it is loaded, as far as that is possible.
PluginEntry read_plugin(const fs::path& file) {
  std::error_code code;
  const fs::path real = fs::canonical(file, code);
  if (code || !fs::is_regular_file(real, code))
    throw Error(ErrorKind::plugin, file.string(), "is not a file", "remove it, or correct the link");
  check_permissions(file, real);
  check_elf_file(real);
  return read_descriptor(load_plugin(real), file);
}

std::string origin_of(const PluginEntry& entry) {
  return entry.path.empty() ? "this program" : entry.path.string();
}

/// Whether the file of `entry` is named after `name`; file names write it with '-' or with '_'.
bool may_hold(const PluginEntry& entry, const std::string& name) {
  std::string stem = entry.path.stem().string();
  std::replace(stem.begin(), stem.end(), '_', '-');
  return !name.empty() && stem.find(name) != stem.npos;
}

std::string joined(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
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

void Catalog::scan(const SearchPath& folders) {
  for (const SearchFolder& folder : folders) scan_folder(folder);
}

void Catalog::scan_folder(const SearchFolder& folder) {
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
  if (world_writable(real))
    return refuse("everyone can change this folder, so no plugin of it is loaded",
                  "run chmod o-w " + real.string());
  std::vector<fs::path> files;
  for (fs::directory_iterator at(real, code), end; !code && at != end; at.increment(code))
    if (at->path().extension() == ".so") files.push_back(at->path());
  if (code) return refuse("cannot be read: " + code.message(), "check its permissions");
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) scan_file(file);
}

void Catalog::scan_file(const fs::path& file) {
  try {
    enter(contain(file.string(), [&] { return read_plugin(file); }));
  } catch (const Error& error) {
    Complaint problem = error.complaints().front();
    problem.where = file.string();
    report(file, std::move(problem));
  }
}

const PluginEntry& Catalog::add(const ClarosPlugin& plugin) {
  return enter_first(read_descriptor({std::shared_ptr<void>(), &plugin}, {}));
}

const PluginEntry& Catalog::load(const fs::path& file) {
  const fs::path whole = fs::absolute(file);
  return enter_first(contain(whole.string(), [&] { return read_plugin(whole); }));
}

const PluginEntry& Catalog::enter_first(PluginEntry entry) {
  if (const PluginEntry* first = find(entry.kind, entry.name))
    throw Error(ErrorKind::usage, entry.label(), "already comes from " + origin_of(*first),
                "add it before scanning, or rename it");
  return entries_.emplace_back(std::move(entry));
}

void Catalog::enter(PluginEntry entry) {
  if (const PluginEntry* first = find(entry.kind, entry.name)) {
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

const PluginEntry* Catalog::find(Kind kind, std::string_view name) const noexcept {
  const PluginEntry* by_alias = nullptr;
  for (const PluginEntry& entry : entries_) {
    if (!entry.usable() || entry.kind != kind) continue;
    if (entry.name == name) return &entry;
    const auto& aliases = entry.aliases;
    if (!by_alias && std::find(aliases.begin(), aliases.end(), name) != aliases.end()) by_alias = &entry;
  }
  return by_alias;
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

std::string Catalog::guess(Kind kind, const std::string& name) const {
  std::vector<std::string> hints;
  for (const Kind other : kKinds)
    if (find(other, name)) hints.push_back("there is " + kind_name(other) + '/' + name);
  for (const PluginEntry& entry : entries_)
    if (!entry.usable() && may_hold(entry, name))
      hints.push_back("a plugin that cannot be used may hold it: " + entry.problem.where + ": " +
                      entry.problem.what);
  const std::vector<std::string> known = names(kind);
  std::vector<std::string> words = known;
  for (const PluginEntry& entry : entries_)
    if (entry.usable() && entry.kind == kind) words.insert(words.end(), entry.aliases.begin(), entry.aliases.end());
  if (std::string nearest = did_you_mean(name, words); !nearest.empty()) hints.push_back(std::move(nearest));
  if (!hints.empty()) return joined(hints, "; ");
  if (known.empty()) return "no " + kind_name(kind) + " was found: check the plugin path";
  return "there are " + joined(known, ", ");
}

namespace {

/// Options that a host filled itself may lack what only a person can choose.
void require_values(const PluginEntry& entry, const void* options) {
  std::vector<Complaint> complaints;
  for (const std::string& name : missing_values(*entry.parameters, options))
    complaints.push_back(missing_value(*entry.parameters->find(name), kind_name(entry.kind) + '.' + name, entry.label()));
  if (!complaints.empty()) throw Error(ErrorKind::usage, std::move(complaints));
}

/// Whether a component has the class that its kind promises. One that was compiled without run-time types cannot be asked.
bool has_interface(Kind kind, Component& component) {
  void* const* table = *reinterpret_cast<void***>(&component);
  const bool typed = table[-1] != nullptr;  // of the Itanium C++ ABI, which the fingerprint names
  switch (kind) {
    case Kind::objective:
    case Kind::smoother: return typed && dynamic_cast<Objective*>(&component);
    case Kind::estimator: return typed && dynamic_cast<GradientEstimator*>(&component);
    case Kind::algorithm: return typed && dynamic_cast<Algorithm*>(&component);
    default: return true;
  }
}

void require_interface(const PluginEntry& entry, Component& component) {
  if (has_interface(entry.kind, component)) return;
  throw Error(ErrorKind::plugin, entry.label(), "created something that is no " + kind_name(entry.kind),
              "its class must derive from the one of that kind, and be compiled with run-time types (-frtti)");
}

}  // namespace

std::shared_ptr<Component> Catalog::create(Kind kind, std::string_view name,
                                           const std::vector<Setting>& settings,
                                           const Context& context) const {
  const auto use =
      std::find_if(settings.begin(), settings.end(), [](const Setting& s) { return s.key == kUse; });
  const PluginEntry& entry = at(kind, name, use == settings.end() ? std::string() : use->label());
  return create(entry, assign_settings(*entry.parameters, settings, entry.label()).checked().get(), context);
}

std::shared_ptr<Component> Catalog::create(const PluginEntry& entry, const void* options,
                                           const Context& context) {
  if (!entry.plugin)
    throw Error(ErrorKind::plugin, entry.problem.where, entry.problem.what, entry.problem.remedy);
  for (const Role& role : entry.parameters->roles())
    if (role.required && !context.part<Component>(role.name))
      throw Error(ErrorKind::usage, entry.label(), "needs a part '" + role.name + "' of kind " + kind_name(role.kind),
                  "compose it: Context::held");
  require_values(entry, options);
  const auto& plugin = entry.plugin;
  Component* made = contain(entry.label(), [&] { return plugin->create(options, context); });
  if (!made)
    throw Error(ErrorKind::plugin, entry.label(), "created no component",
                "its create must return one or throw");
  std::shared_ptr<Component> component(made, [plugin](Component* c) { plugin->destroy(c); });
  require_interface(entry, *component);
  return component;
}

}  // namespace claros
