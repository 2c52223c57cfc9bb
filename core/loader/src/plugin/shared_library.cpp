// SPDX-License-Identifier: BSD-3-Clause
#include "plugin/shared_library.hpp"

#include <claros/error.hpp>

#include <dlfcn.h>

#include <boost/dll/shared_library.hpp>
#include <string>
#include <system_error>

#include "demangle.hpp"

namespace claros {

namespace {

namespace dll = boost::dll;

/// The sentence for a failed load. Boost keeps no reason but leaves the loader's message unread.
Error load_error(const std::string& file, std::string message) {
  if (message.starts_with(file + ": ")) message.erase(0, file.size() + 2);
  const std::string mark = "undefined symbol: ";
  const auto at = message.find(mark);
  if (at == std::string::npos)
    return {ErrorKind::plugin, file, "cannot be loaded: " + message,
            "install what it needs, or rebuild it on this machine"};
  const std::string symbol = message.substr(at + mark.size());
  const std::string name = symbol.substr(0, symbol.find_first_of(" ,"));
  return {ErrorKind::plugin, file, "needs the undefined symbol '" + demangled(name.c_str()) + "'",
          "link the library that defines it, or rebuild the plugin against this version of claros"};
}

}  // namespace

std::shared_ptr<const ClarosPlugin> load_plugin(const std::filesystem::path& file) {
  auto library = std::make_shared<dll::shared_library>();
  std::error_code code;
  library->load(file, dll::load_mode::rtld_now | dll::load_mode::rtld_local, code);
  if (code) {
    const char* message = ::dlerror();
    throw load_error(file.string(), message ? message : code.message());
  }
  // Exceptions, type information and thread-local destructors of a plugin may outlive every object it made.
  ::dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  const auto& plugin = library->get<const ClarosPlugin>("claros_plugin");
  return {std::move(library), &plugin};
}

}  // namespace claros
