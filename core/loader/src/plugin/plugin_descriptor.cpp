// SPDX-License-Identifier: BSD-3-Clause
#include "plugin/plugin_descriptor.hpp"

#include <claros/contain.hpp>

#include <algorithm>
#include <set>
#include <sstream>

namespace claros {

namespace {

[[noreturn]] void reject(const std::string& where, const std::string& what, const std::string& remedy) {
  throw Error(ErrorKind::plugin, where, what, remedy);
}

std::vector<std::string> items(const std::string& fingerprint) {
  std::vector<std::string> result;
  std::istringstream in(fingerprint);
  for (std::string item; std::getline(in, item, ';');)
    result.push_back(item.substr(item.find_first_not_of(' ')));
  return result;
}

/// "'sanitizer address' instead of 'sanitizer none'" for each item that differs.
std::string difference(const std::string& theirs, const std::string& ours) {
  const auto a = items(theirs), b = items(ours);
  std::string text;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const std::string left = i < a.size() ? a[i] : "nothing", right = i < b.size() ? b[i] : "nothing";
    if (left != right) text += (text.empty() ? "'" : ", '") + left + "' instead of '" + right + "'";
  }
  return text;
}

void check_version(const ClarosPlugin& plugin, const std::string& where) {
  if (plugin.magic != kPluginMagic)
    reject(where, "has a claros_plugin that is not a plugin descriptor", "define it with CLAROS_PLUGIN");
  if (plugin.abi != kPluginAbi)
    reject(where,
           "built for plugin interface " + std::to_string(plugin.abi) + ", this host speaks " +
               std::to_string(kPluginAbi),
           plugin.abi < kPluginAbi ? "rebuild the plugin"
                                   : "update claros, or rebuild the plugin against this one");
  if (plugin.struct_size != sizeof(ClarosPlugin))
    reject(where,
           "its descriptor has " + std::to_string(plugin.struct_size) + " bytes, this host's " +
               std::to_string(sizeof(ClarosPlugin)),
           "rebuild the plugin against this version of claros");
  const std::string theirs = plugin.fingerprint ? plugin.fingerprint : "", ours = CLAROS_FINGERPRINT;
  if (theirs != ours)
    reject(where, "built as \"" + theirs + "\", this host as \"" + ours + "\": " + difference(theirs, ours),
           "rebuild the plugin with this host's compiler and flags");
}

void check_members(const ClarosPlugin& plugin, const std::string& where) {
  const std::string remedy = "fill every member of CLAROS_PLUGIN";
  for (const char* text : {plugin.name, plugin.aliases, plugin.version, plugin.summary, plugin.description,
                           plugin.citation, plugin.guidance, plugin.specification})
    if (!text) reject(where, "a text of its descriptor is missing", remedy);
  if (!plugin.create || !plugin.destroy || !plugin.parameters)
    reject(where, "a function of its descriptor is missing", remedy);
  if (std::find(kKinds.begin(), kKinds.end(), plugin.kind) == kKinds.end())
    reject(where, "is of the unknown kind number " + std::to_string(static_cast<std::uint32_t>(plugin.kind)),
           "use a value of claros::Kind");
  if (!is_plugin_name(plugin.name))
    reject(where, "its name '" + std::string(plugin.name) + "' is not made of lower-case words joined by '-'",
           "rename it");
}

}  // namespace

PluginEntry read_descriptor(const ClarosPlugin& plugin, const std::filesystem::path& path) {
  const std::string where = path.empty() ? "a plugin of this program" : path.string();
  check_version(plugin, where);
  check_members(plugin, where);
  PluginEntry entry;
  entry.state = PluginState::usable;
  entry.path = path;
  entry.kind = plugin.kind;
  entry.name = plugin.name;
  std::istringstream aliases(plugin.aliases);
  for (std::string alias; aliases >> alias;) entry.aliases.push_back(alias);
  entry.version = plugin.version;
  entry.summary = plugin.summary;
  entry.description = plugin.description;
  entry.citation = plugin.citation;
  entry.guidance = plugin.guidance;
  entry.specification = plugin.specification;
  return entry;
}

const ParameterList* read_parameters(const ClarosPlugin& plugin, const std::string& where) {
  const ParameterList* parameters = contain(where, plugin.parameters);
  if (!parameters) reject(where, "has no table of parameters", "return one, if only an empty one");
  std::set<std::string> seen{std::string(kUse)};
  for (const ParameterInfo& info : parameters->rows())
    if (!seen.insert(info.name).second)
      reject(where, "its parameter '" + info.name + "' is declared twice or is reserved",
             "rename the parameter");
  for (const Role& role : parameters->roles())
    if (!is_key(role.name) || !seen.insert(role.name).second)
      reject(where,
             "its role '" + role.name +
                 "' is not a word of lower-case letters, is declared twice or is a parameter's name",
             "rename the role");
  return parameters;
}

}  // namespace claros
