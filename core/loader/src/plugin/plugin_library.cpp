// SPDX-License-Identifier: BSD-3-Clause
#include "plugin/plugin_library.hpp"

#include <claros/child_process.hpp>
#include <claros/contain.hpp>
#include <claros/error.hpp>

#include <dlfcn.h>
#include <sys/resource.h>

#include <boost/dll/shared_library.hpp>

#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "demangle.hpp"
#include "plugin/plugin_descriptor.hpp"
#include "surroundings.hpp"

namespace claros {

namespace {

/// Between the fields of a complaint that a child hands over; no text holds it.
constexpr char kSeparator = '\x1e';
constexpr char kNext = '\x1d';

/// What to do where the stack is too small to load a library.
std::optional<std::string> small_stack() {
  constexpr rlim_t kEnough = rlim_t{512} << 10U;
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= kEnough) return std::nullopt;
  return "raise the limit on the stack, which is " + std::to_string(limit.rlim_cur >> 10U) +
         " KiB (ulimit -s 8192)";
}

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

/// Loads the library at the absolute path `file`, with every symbol bound at once and none shared with other
/// libraries, and never unloads it again. Throws Error(plugin) with the loader's own reason. The descriptor
/// is unchecked: only its first three members may be read.
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

}  // namespace

PluginLibrary::PluginLibrary(std::filesystem::path file, PluginFile contents, double limit)
    : file_(std::move(file)), contents_(std::move(contents)), limit_(limit) {}

PluginLibrary::PluginLibrary(const ClarosPlugin& plugin) : plugin_(std::shared_ptr<void>(), &plugin) {
  parameters_ = read_parameters(plugin, "a plugin of this program");
}

const ClarosPlugin& PluginLibrary::plugin() {
  load();
  return *plugin_;
}
const ParameterList& PluginLibrary::parameters() {
  load();
  return *parameters_;
}
const std::string& PluginLibrary::changed() {
  const std::lock_guard lock(mutex_);
  return changed_;
}

std::optional<Complaint> PluginLibrary::trouble() {
  const std::lock_guard lock(mutex_);
  if (!parameters_ && !std::exchange(was_tried_, true))
    trouble_ = limit_ > 0.0 ? tried_in_child() : tried_here();
  return trouble_;
}

void PluginLibrary::load() {
  if (const auto found = trouble()) throw Error(ErrorKind::plugin, {*found});
  const std::lock_guard lock(mutex_);
  if (!parameters_) trouble_ = tried_here();
  if (trouble_) throw Error(ErrorKind::plugin, {*trouble_});
}

void PluginLibrary::load_here() {
  const std::string where = file_.string();
  auto plugin = contain(where, [&] {
    Surroundings before;
    auto loaded = load_plugin(file_);
    changed_ = before.restore();
    return loaded;
  });
  check_same(*plugin);
  parameters_ = read_parameters(*plugin, where);
  plugin_ = std::move(plugin);
}

/// The file may have been exchanged since it was read, or the loader may have taken another descriptor.
void PluginLibrary::check_same(const ClarosPlugin& loaded) const {
  const ClarosPlugin& read = contents_.descriptor;
  const bool same =
      loaded.magic == read.magic && loaded.abi == read.abi && loaded.struct_size == read.struct_size &&
      loaded.kind == read.kind && loaded.fingerprint == std::string_view(read.fingerprint) &&
      loaded.name == std::string_view(read.name) && loaded.aliases == std::string_view(read.aliases);
  if (!same)
    throw Error(ErrorKind::plugin, file_.string(),
                "says something else of itself when it is loaded than its file does",
                "build it again, and do not replace it while a program uses it");
}

std::optional<Complaint> PluginLibrary::tried_here() {
  try {
    load_here();
    return {};
  } catch (const Error& error) {
    return error.complaints().front();
  }
}

/// For the parent: what was put back, or a complaint.
std::string PluginLibrary::reply() {
  const auto found = tried_here();
  return found ? found->where + kSeparator + found->what + kSeparator + found->remedy : changed_;
}

void PluginLibrary::try_together(const std::vector<PluginLibrary*>& libraries) {
  const auto work = [&] {
    std::string replies;
    for (PluginLibrary* library : libraries) replies += library->reply() + kNext;
    return replies;
  };
  if (libraries.size() < 2) return;
  const ChildEnd end = in_child(work, libraries.front()->limit_, true);
  if (!end.finished) return;
  std::istringstream in(end.bytes);
  for (PluginLibrary* library : libraries) {
    std::string reply;
    if (!std::getline(in, reply, kNext) || reply.find(kSeparator) != reply.npos) continue;
    const std::lock_guard lock(library->mutex_);
    library->was_tried_ = true;
    library->changed_ = reply;
  }
}

std::optional<Complaint> PluginLibrary::tried_in_child() {
  const ChildEnd end = in_child([&] { return reply(); }, limit_, true);
  if (!end.finished)
    return Complaint{file_.string(), end.trouble + " while it was loaded",
                     small_stack().value_or("look at its static variables and their constructors")};
  const auto one = end.bytes.find(kSeparator);
  if (one == end.bytes.npos) {
    changed_ = end.bytes;
    return {};
  }
  const auto two = end.bytes.find(kSeparator, one + 1);
  return Complaint{end.bytes.substr(0, one), end.bytes.substr(one + 1, two - one - 1),
                   end.bytes.substr(two + 1)};
}

}  // namespace claros
