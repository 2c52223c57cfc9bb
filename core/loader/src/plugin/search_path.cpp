// SPDX-License-Identifier: BSD-3-Clause
#include <claros/plugin/catalog.hpp>

#include <dlfcn.h>

#include <cstdlib>
#include <sstream>
#include <string>
#include <system_error>

#include "plugin/trust.hpp"

namespace claros {

namespace {

namespace fs = std::filesystem;

/// The value of an environment variable; empty when unset, and for a program that runs with another's rights.
std::string environment(const char* name) {
  const char* value = ::secure_getenv(name);
  return value ? value : "";
}

/// The user's folder for data, by the XDG base directory rules: a relative one counts as unset.
fs::path user_data() {
  const fs::path data = environment("XDG_DATA_HOME"), home = environment("HOME");
  if (data.is_absolute()) return data;
  return home.is_absolute() ? home / ".local/share" : fs::path();
}

}  // namespace

fs::path library_file() {
  static const int anchor = 0;
  Dl_info info{};
  if (!::dladdr(&anchor, &info) || !info.dli_fname) return {};
  std::error_code code;
  return fs::canonical(info.dli_fname, code);
}

SearchPath Catalog::default_search_path(const std::vector<fs::path>& extra) {
  SearchPath result;
  for (const fs::path& folder : extra) result.push_back({fs::absolute(folder), "--plugin-path", true});
  std::istringstream listed(environment("CLAROS_PLUGIN_PATH"));
  for (std::string folder; std::getline(listed, folder, ':');)
    if (!folder.empty()) result.push_back({folder, "CLAROS_PLUGIN_PATH", true});
  if (const fs::path user = user_data(); !user.empty()) result.push_back({user / "claros/plugins", "user"});
  if (const fs::path library = library_file().parent_path(); !library.empty())
    result.push_back({library / CLAROS_INSTALL_PLUGIN_SUBDIR, "installation"});
  return result;
}

Catalog Catalog::standard(const std::vector<fs::path>& extra) {
  Catalog catalog;
  catalog.scan(default_search_path(extra));
  return catalog;
}

std::vector<fs::path> Catalog::default_trust() {
  std::vector<fs::path> result;
  std::istringstream listed(environment("CLAROS_TRUST"));
  for (std::string path; std::getline(listed, path, ':');)
    if (fs::path(path).is_absolute()) result.emplace_back(path);
  return result;
}

}  // namespace claros
