// SPDX-License-Identifier: BSD-3-Clause
#include "catalogue/named_component.hpp"

#include <claros/compose/spec.hpp>

#include <filesystem>
#include <vector>

namespace claros::cli {

namespace {

/// Says what to write for the plugin whose project is in `folder`.
std::string of_project(const std::filesystem::path& folder) {
  std::error_code code;
  for (const auto& file : std::filesystem::directory_iterator(folder / "build", code))
    if (file.path().extension() == ".so")
      return "write claros doctor " + file.path().string() + ", or --plugin-path " +
             (folder / "build").string();
  return "build it first: cmake -S " + folder.string() + " -B " + (folder / "build").string() +
         " && cmake --build " + (folder / "build").string();
}

}  // namespace

void nothing_named(const Catalog& catalog, const std::string& name, bool sections) {
  std::vector<std::string> words;
  bool broken = false;
  for (const PluginEntry& e : catalog.entries()) {
    broken = broken || !e.usable();
    if (!e.usable()) continue;
    words.insert(words.end(), {e.name, e.label()});
    words.insert(words.end(), e.aliases.begin(), e.aliases.end());
  }
  if (sections) words.insert(words.end(), Spec::known_sections().begin(), Spec::known_sections().end());
  std::string guess = did_you_mean(name, words);
  std::error_code code;
  if (std::filesystem::is_directory(name, code)) guess = of_project(name);
  if (std::filesystem::is_regular_file(name, code))
    guess =
        "a file is named by a setting, as in claros run objective.use=linear-model objective.data=" + name;
  throw Error(ErrorKind::usage, "'" + name + "'",
              sections ? "is not a usable component or a section" : "is not a usable component or a file",
              !guess.empty() ? guess
              : broken       ? "claros list shows all components, and plugins that cannot be used"
                       : "claros list shows all components; --plugin-path names the folder of your own");
}

std::vector<const PluginEntry*> components_named(const Catalog& catalog, const std::string& name) {
  if (const auto slash = name.find('/'); slash != std::string::npos) {
    const auto kind = parse_kind(name.substr(0, slash));
    if (!kind) return {};
    return {&catalog.at(*kind, name.substr(slash + 1), "'" + name + "'")};
  }
  std::vector<const PluginEntry*> found;
  for (const Kind kind : kKinds)
    if (const PluginEntry* e = catalog.find(kind, name)) found.push_back(e);
  return found;
}

const PluginEntry* named_component(const Catalog& catalog, const std::string& name) {
  const auto found = components_named(catalog, name);
  if (found.size() < 2) return found.empty() ? nullptr : found.front();
  std::string labels;
  for (const PluginEntry* e : found) labels += (labels.empty() ? "" : " or ") + e->label();
  throw Error(ErrorKind::usage, "'" + name + "'", "names more than one component", "write " + labels);
}

}  // namespace claros::cli
